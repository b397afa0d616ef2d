// Requests with a sign-in: each carries an access token that still holds, and goes only where that token may be shown.
import { invalid, ok, type Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import { issuerOver } from "./credentials-ask.ts";
import { accountOf } from "./credentials-codex.ts";
import { githubRecord } from "./credentials-copilot.ts";
import { freshSignIn, holds } from "./credentials-fresh.ts";
import { credentialFolder, readSignIn, type SignIn } from "./credentials-store.ts";
import type { Asking, SignInProvider, Way } from "./credentials-way.ts";
import { wayOf } from "./credentials-ways.ts";
import type { ModelEvent } from "./event.ts";
import type { Authorize, Endpoint, Model, WireRequest } from "./provider.ts";

export type SignInAccess = {
  endpoint: Endpoint;
  auth: string;
  authorize: Authorize;
  /** The model, asked once more with a new token where the server no longer takes the old one. */
  renewing: (model: Model) => Model;
};

type Wanted = {
  provider: SignInProvider;
  endpoint: Endpoint;
  /** The user named an address; else requests go to the one that belongs to the tokens. */
  isElsewhere: boolean;
  /** burin's data folder. */
  data: string;
  environment: Environment;
};

/** Gives a record that holds; `refused` is a token that the server did not take. */
type Source = (asking: Asking, refused: string | null) => Promise<Result<SignIn>>;

/** Null where nobody is signed in, or not for this address. */
export async function signInAccess(wanted: Wanted): Promise<Result<SignInAccess | null>> {
  const { provider } = wanted;
  const folder = credentialFolder(wanted.data);
  const stored = readSignIn(folder, provider);
  if (!stored.ok || stored.value === null) return stored.ok ? ok(null) : stored;
  if (wanted.isElsewhere && originOf(wanted.endpoint.baseUrl) !== originOf(stored.value.baseUrl)) {
    return ok(null);
  }
  const way = await wayOf(provider);
  if (!way.ok) return way;
  const kept = { provider, folder, way: way.value };
  const source: Source = (asking, refused) => freshSignIn(kept, asking, refused);
  return ok(accessBy(source, { ...wanted, way: way.value, first: stored.value, auth: "sign-in" }));
}

/** With a token from a variable, which is never stored. */
export async function tokenAccess(
  token: { key: string; source: string },
  wanted: Wanted,
): Promise<Result<SignInAccess>> {
  const way = await wayOf(wanted.provider);
  if (!way.ok) return way;
  const first = recordFor(token.key, wanted.provider, way.value);
  let known = first;
  const source: Source = async (asking, refused) => {
    // A Codex token is used as it is: nobody can renew it without the other one.
    if (known.refreshToken === "") return ok(known);
    if (holds(known, way.value, asking.now(), refused)) return ok(known);
    const renewed = await way.value.renew(known, asking);
    if (renewed.ok) known = renewed.value;
    return renewed;
  };
  return ok(accessBy(source, { ...wanted, way: way.value, first, auth: token.source }));
}

function recordFor(token: string, provider: SignInProvider, way: Way): SignIn {
  const site = way.site(null);
  if (provider === "github-copilot") return githubRecord(token, site);
  return {
    ...githubRecord("", site),
    accessToken: token,
    expiresAt: null,
    account: accountOf(token),
  };
}

type Base = Wanted & { way: Way; first: SignIn; auth: string };

function accessBy(source: Source, base: Base): SignInAccess {
  const { way, first, auth, environment, isElsewhere } = base;
  const baseUrl = isElsewhere ? base.endpoint.baseUrl : first.baseUrl;
  const endpoint: Endpoint = { ...base.endpoint, baseUrl, credential: { kind: "none" } };
  const ask = issuerOver(environment);
  let sent: string | null = null;
  let refused: string | null = null;
  const authorize: Authorize = async (request, signal) => {
    const fresh = await source({ ask, now: Date.now, signal }, refused);
    if (!fresh.ok) return fresh;
    const record = fresh.value;
    sent = record.accessToken;
    const url = isElsewhere ? request.url : record.baseUrl + request.url.slice(baseUrl.length);
    return signed({ ...request, url }, record, way);
  };
  const renewing = (model: Model): Model => ({
    ...model,
    async *stream(request, signal) {
      const early: ModelEvent[] = [];
      const events = model.stream(request, signal);
      for await (const event of events) {
        if (isRefusal(event)) {
          refused = sent;
          return yield* model.stream(request, signal);
        }
        early.push(event);
        if (event.type === "metrics") continue;
        yield* early;
        return yield* events;
      }
      yield* early;
    },
  });
  return { endpoint, auth, authorize, renewing };
}

function isRefusal(event: ModelEvent): boolean {
  return event.type === "failed" && event.error.status === 401;
}

function signed(request: WireRequest, record: SignIn, way: Way): Result<WireRequest> {
  if (originOf(request.url) !== originOf(record.baseUrl)) {
    return invalid(
      `a sign-in goes to ${originOf(record.baseUrl)} only, not to ${originOf(request.url)}: leave the base URL out, or give a key`,
    );
  }
  const headers = { authorization: `Bearer ${record.accessToken}`, ...way.headers(record) };
  return ok({ ...request, headers: { ...request.headers, ...headers } });
}

function originOf(url: string): string {
  return new URL(url).origin;
}
