// A look at a public web page: GET only, to addresses that were checked, without keys or cookies, never more than a bound.
import { fail, invalid, ok, type Failure, type Result } from "../base/failure.ts";
import type { HttpFailure } from "./http-failure.ts";
import { DEFAULT_HTTP, send, type HttpOptions, type HttpReply } from "./http.ts";
import { isWebPort } from "./web-ports.ts";

export type Visit = {
  url: string;
  /** Whether an address may be connected to. */
  isAllowed: (address: string) => boolean;
  accept: string;
  userAgent: string;
  maxBytes: number;
  environment: HttpOptions["environment"];
};

export type Visited =
  | {
      kind: "page";
      /** Where redirects within the host led. */
      url: string;
      status: number;
      contentType: string;
      bytes: Uint8Array;
      /** There is more than `maxBytes`, or the body broke off. */
      isCut: boolean;
    }
  /** The page is elsewhere, and nobody has allowed that host yet. */
  | { kind: "moved"; url: string; status: number };

const MAX_REDIRECTS = 5;
const MAX_ADDRESSES = 3;
const TIMEOUTS = { firstByteMs: 20_000, idleMs: 20_000 };
/** Of the whole visit, however steadily a server drips. */
const MAX_VISIT_MS = 60_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export async function visit(wanted: Visit, signal: AbortSignal): Promise<Result<Visited>> {
  const late = AbortSignal.timeout(MAX_VISIT_MS);
  const visited = await follow(wanted, AbortSignal.any([signal, late]));
  if (visited.ok || !late.aborted || signal.aborted) return visited;
  return invalid(`${wanted.url} took more than ${MAX_VISIT_MS / 1000} s`);
}

async function follow(wanted: Visit, signal: AbortSignal): Promise<Result<Visited>> {
  const first = checkedUrl(wanted.url, null);
  if (!first.ok) return first;
  let url = first.value;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const sent = await reach(url, wanted, signal);
    if (!sent.ok) return sent;
    const { status, headers } = sent.value;
    const location = headers["location"];
    if (!REDIRECTS.has(status) || location === undefined) {
      return readPage(url, sent.value, wanted);
    }
    await sent.value.body.return();
    const next = checkedUrl(location, url);
    if (!next.ok) return next;
    if (next.value.host !== url.host && !isUpgrade(url, next.value)) {
      return ok({ kind: "moved", url: next.value.href, status });
    }
    url = next.value;
  }
  return invalid(`${url.host} redirects in circles (more than ${MAX_REDIRECTS} times)`);
}

/** The same host, now with TLS. */
function isUpgrade(from: URL, to: URL): boolean {
  return from.hostname === to.hostname && to.protocol === "https:" && to.port === "";
}

export function checkedUrl(text: string, base: URL | null): Result<URL> {
  const url = URL.parse(text, base?.href);
  if (url === null) return invalid(`${text} is not a URL such as https://example.com/page`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return invalid(`only http and https URLs can be fetched, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    return invalid("the URL holds a name or a password: leave them out");
  }
  if (!isWebPort(url.port)) {
    return invalid(
      `port ${url.port} belongs to another service than the web: nothing is fetched there`,
    );
  }
  url.hash = "";
  return ok(url);
}

/** Tries the addresses of the name in turn; each was checked, and the connection goes to it and to no other. */
async function reach(url: URL, wanted: Visit, signal: AbortSignal): Promise<Result<HttpReply>> {
  const addresses = await addressesOf(url, wanted, signal);
  if (!addresses.ok) return addresses;
  let failure: HttpFailure | null = null;
  for (const address of addresses.value.slice(0, MAX_ADDRESSES)) {
    const sent = await send(
      {
        url: url.href,
        method: "GET",
        headers: {
          accept: wanted.accept,
          "accept-encoding": "gzip",
          "user-agent": wanted.userAgent,
        },
        body: null,
        address,
      },
      { ...DEFAULT_HTTP, timeouts: TIMEOUTS, environment: wanted.environment },
      signal,
    );
    if (sent.ok) return ok(sent.reply);
    failure = sent.failure;
    if (failure.kind === "aborted") break;
  }
  return fail(failureOf(failure));
}

function failureOf(failure: HttpFailure | null): Failure {
  if (failure?.kind === "aborted") return { kind: "aborted" };
  return { kind: "broken", what: failure?.message ?? "the host has no address" };
}

async function addressesOf(
  url: URL,
  { isAllowed }: Visit,
  signal: AbortSignal,
): Promise<Result<string[]>> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = await lookUp(host, signal);
  if (signal.aborted) return fail({ kind: "aborted" });
  if (found.length === 0) {
    return fail({ kind: "missing", what: `the host ${host} was not found: check the name` });
  }
  const allowed = found.filter((address) => isAllowed(address));
  if (allowed.length > 0) return ok(allowed);
  return fail({
    kind: "denied",
    because: `${host} is an address of this machine or of a private network (${found[0] ?? ""}), which is never fetched; a command can reach it if the user allows that`,
  });
}

/** Empty where there is none, and at once when it is stopped: the system's own look-up cannot be. */
async function lookUp(host: string, signal: AbortSignal): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const stop = (): void => resolve([]);
  signal.addEventListener("abort", stop, { once: true });
  Bun.dns.lookup(host).then((found) => resolve(found.map(({ address }) => address)), stop);
  const addresses = await promise;
  signal.removeEventListener("abort", stop);
  return addresses;
}

async function readPage(url: URL, reply: HttpReply, { maxBytes }: Visit): Promise<Result<Visited>> {
  const encoding = (reply.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const body = decoded(reply.body, encoding);
  if (body === null) {
    await reply.body.return();
    return invalid(`${url.host} sent a body packed as ${encoding}, which was not asked for`);
  }
  const read = await firstBytes(body, maxBytes);
  if (read === null) return invalid(`${url.host} sent a body that is damaged`);
  const broke = reply.broke();
  if (broke?.kind === "aborted") return fail({ kind: "aborted" });
  return ok({
    kind: "page",
    url: url.href,
    status: reply.status,
    contentType: reply.headers["content-type"] ?? "",
    bytes: read.bytes,
    isCut: read.isCut || broke !== null,
  });
}

type Body = AsyncIterable<Uint8Array>;

/** Unpacked piece by piece, so that a small body which unpacks to a huge one is only read to the bound. */
function decoded(body: AsyncGenerator<Uint8Array, void>, encoding: string): Body | null {
  if (encoding === "identity" || encoding === "") return body;
  if (encoding !== "gzip" && encoding !== "x-gzip") return null;
  return unpacked(body);
}

async function* unpacked(body: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array> {
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await body.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: async () => void (await body.return()),
  });
  yield* packed.pipeThrough(new DecompressionStream("gzip"));
}

/** Null: it cannot be unpacked. */
async function firstBytes(
  body: Body,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; isCut: boolean } | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) break;
    }
  } catch {
    return pieces.length === 0
      ? null
      : { bytes: Buffer.concat(pieces, Math.min(length, maxBytes)), isCut: true };
  }
  return { bytes: Buffer.concat(pieces, Math.min(length, maxBytes)), isCut: length > maxBytes };
}
