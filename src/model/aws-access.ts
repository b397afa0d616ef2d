// How requests reach Amazon Bedrock: the region's address, and signatures by credentials that are looked up when first needed.
import { broken, ok, type Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import { readBytes } from "../host/files.ts";
import { homeFolder } from "../host/places.ts";
import { send, type HttpOptions } from "../wire/http.ts";
import {
  awsCredential,
  awsFiles,
  domainOf,
  profileName,
  type AwsCredential,
  type AwsWorld,
} from "./aws-credentials.ts";
import { profileIn } from "./aws-profile.ts";
import { signatureHeaders } from "./aws-sign.ts";
import type { Authorize, Endpoint } from "./provider.ts";

const SERVICE = "bedrock";
const DEFAULT_REGION = "us-east-1";
/** Keys that end sooner are not begun with. */
const SPARE_MS = 5 * 60_000;
const LOOKUP_MS = 5000;
const MAX_ANSWER_BYTES = 1 << 16;
const MAX_FILE_BYTES = 1 << 20;

/** `authorize` is left out where the request carries a key of its own. */
export type Access = { endpoint: Endpoint; authorize?: Authorize; auth?: string };

/** At an address of its own the endpoint stays; else it goes to where the region's is. */
export function bedrockAccess(endpoint: Endpoint, environment: Environment): Access {
  const world = machine(environment);
  const region = regionFor(endpoint.baseUrl, world);
  const baseUrl =
    endpoint.baseUrl === regionalUrl(DEFAULT_REGION) ? regionalUrl(region) : endpoint.baseUrl;
  const placed = { ...endpoint, baseUrl };
  if (endpoint.credential.kind === "key") return { endpoint: placed };
  return { endpoint: placed, authorize: signer(world, region), auth: "AWS credentials" };
}

function regionalUrl(region: string): string {
  return `https://bedrock-runtime.${region}.${domainOf(region)}`;
}

/** The address tells, where it is not the one all start with; else the variables and the profile, as the AWS tools read them. */
export function regionFor(baseUrl: string, world: AwsWorld): string {
  const named = /bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(baseUrl)?.[1];
  if (named !== undefined && named !== DEFAULT_REGION) return named;
  const { environment } = world;
  const variable = environment["AWS_REGION"] || environment["AWS_DEFAULT_REGION"] || null;
  return (
    variable ?? profileIn(awsFiles(world), profileName(world))?.get("region") ?? DEFAULT_REGION
  );
}

/** Keys are kept as long as they hold. */
export function signer(world: AwsWorld, region: string): Authorize {
  let known: AwsCredential | null = null;
  return async (request) => {
    if (known === null || (known.expiresAt ?? Infinity) < world.now() + SPARE_MS) {
      const found = await awsCredential(world);
      if (!found.ok) return found;
      known = found.value;
    }
    const scope = { region, service: SERVICE };
    const at = new Date(world.now());
    const signed = signatureHeaders({ method: "POST", ...request }, known.keys, scope, at);
    return ok({ ...request, headers: { ...request.headers, ...signed } });
  };
}

function machine(environment: Environment): AwsWorld {
  const http = { timeouts: { firstByteMs: LOOKUP_MS, idleMs: LOOKUP_MS }, environment };
  return {
    environment,
    home: homeFolder(environment),
    readText(path) {
      const read = readBytes(path, MAX_FILE_BYTES);
      return read.ok ? Buffer.from(read.value.bytes).toString() : null;
    },
    get: (url, headers) => getText(url, headers, http),
    now: () => Date.now(),
  };
}

async function getText(
  url: string,
  headers: Record<string, string>,
  http: HttpOptions,
): Promise<Result<string>> {
  const request = { method: "GET", url, headers, body: null } as const;
  const sent = await send(request, http, AbortSignal.timeout(2 * LOOKUP_MS));
  if (!sent.ok) return broken(sent.failure.message);
  const { reply } = sent;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of reply.body) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) return broken("the answer is too long");
  }
  const failure = reply.broke();
  if (failure !== null) return broken(failure.message);
  return reply.status === 200
    ? ok(Buffer.concat(pieces).toString())
    : broken(`the answer is HTTP ${reply.status}`);
}
