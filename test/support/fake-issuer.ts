// The vendors' sign-in as their references describe it, on this machine: device codes, tokens, and a model behind them.
import type { SignIn } from "../../src/model/credentials-store.ts";

export type IssuerStep = "pending" | "slow_down" | "denied" | "expired" | "ok";

export type FakeIssuer = AsyncDisposable & {
  url: string;
  /** `METHOD path`, in order. */
  asked: string[];
  /** The `authorization` header of every request, by path. */
  shown: { path: string; token: string }[];
  counts: { refreshes: number };
  /** How the next looks for the person's agreement are answered; then "ok". */
  steps: IssuerStep[];
  /** Renewals are refused from now on. */
  revoke(): void;
  /** The access token that the model takes; null: any. */
  accepts: { token: string | null };
};

/** A token that says when it ends and whose it is. */
export function webToken(expiresAtMs: number, mark: string): string {
  const claims = {
    exp: Math.floor(expiresAtMs / 1000),
    mark,
    "https://api.openai.com/auth": { chatgpt_account_id: "acct-1" },
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(claims)}.sig`;
}

const ANSWER = [
  { choices: [{ index: 0, delta: { content: "hello" } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } },
];

/** `delayMs` is how long a renewal takes: long enough for others to want one meanwhile. */
export function fakeIssuer(delayMs = 0): FakeIssuer {
  const state = { isRevoked: false, refreshToken: "refresh-0", interval: 5 };
  const asked: string[] = [];
  const shown: FakeIssuer["shown"] = [];
  const steps: IssuerStep[] = [];
  const counts = { refreshes: 0 };
  const accepts: FakeIssuer["accepts"] = { token: null };

  const json = (body: object, status = 200): Response => Response.json(body, { status });
  const tokens = (): object => {
    state.refreshToken = `refresh-${counts.refreshes + 1}`;
    return {
      access_token: webToken(Date.now() + 3_600_000, `access-${counts.refreshes}`),
      refresh_token: state.refreshToken,
      id_token: webToken(0, "id"),
    };
  };
  const renewed = async (given: string): Promise<Response> => {
    counts.refreshes += 1;
    await Bun.sleep(delayMs);
    if (state.isRevoked || given !== state.refreshToken) {
      return json({ error: { code: "refresh_token_reused" } }, 401);
    }
    return json(tokens());
  };
  const github = (step: IssuerStep): Response => {
    if (step === "slow_down") return json({ error: "slow_down", interval: 10 });
    const words = {
      pending: "authorization_pending",
      denied: "access_denied",
      expired: "expired_token",
    };
    return step === "ok"
      ? json({ access_token: "gho_1", token_type: "bearer" })
      : json({ error: words[step] });
  };
  const openai = (step: IssuerStep): Response => {
    if (step === "ok") return json({ authorization_code: "code-1", code_verifier: "verifier-1" });
    if (step === "pending")
      return json({ error: { code: "deviceauth_authorization_unknown" } }, 403);
    if (step === "slow_down") return json({ error: { code: "slow_down" } }, 429);
    return json({ error: { code: step === "denied" ? "access_denied" : "expired_token" } }, 403);
  };
  const model = (token: string): Response => {
    if (accepts.token !== null && token !== `Bearer ${accepts.token}`) {
      return json({ error: { message: `the token ${token.slice(7)} is not valid` } }, 401);
    }
    const frames = ANSWER.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    return new Response(`${frames}data: [DONE]\n\n`, {
      headers: { "content-type": "text/event-stream" },
    });
  };

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const token = request.headers.get("authorization") ?? "";
      asked.push(`${request.method} ${pathname}`);
      if (token !== "") shown.push({ path: pathname, token });
      const body = await request.text();
      switch (pathname) {
        case "/api/accounts/deviceauth/usercode":
          return json({ device_auth_id: "device-1", user_code: "ABCD-1234", interval: "5" });
        case "/api/accounts/deviceauth/token":
          return openai(steps.shift() ?? "ok");
        case "/oauth/token":
          return body.startsWith("{")
            ? renewed(String(JSON.parse(body).refresh_token))
            : json(tokens());
        case "/login/device/code":
          return json({
            device_code: "device-1",
            user_code: "WXYZ-9876",
            verification_uri: "http://host.invalid/device",
            expires_in: 900,
            interval: 5,
          });
        case "/login/oauth/access_token":
          return github(steps.shift() ?? "ok");
        case "/copilot_internal/v2/token":
          counts.refreshes += 1;
          return state.isRevoked
            ? json({ message: "Bad credentials" }, 401)
            : json({
                token: `copilot-${counts.refreshes}`,
                expires_at: Math.floor(Date.now() / 1000) + 1800,
              });
        case "/copilot_internal/user":
          return json({
            copilot_plan: "individual",
            quota_snapshots: { premium_interactions: { entitlement: 300, remaining: 290.5 } },
          });
        case "/chat/completions":
          return model(token);
        default:
          return json({ error: "not found" }, 404);
      }
    },
  });
  return {
    url: server.url.origin,
    asked,
    shown,
    counts,
    steps,
    accepts,
    revoke: () => {
      state.isRevoked = true;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A record of a sign-in at the fake issuer. */
export function signInAt(issuer: FakeIssuer, more: Partial<SignIn> = {}): SignIn {
  return {
    v: 1,
    issuer: issuer.url,
    clientId: "client",
    baseUrl: issuer.url,
    accessToken: webToken(Date.now() - 1000, "old"),
    refreshToken: "refresh-0",
    expiresAt: Date.now() - 1000,
    refreshedAt: Date.now(),
    account: "acct-1",
    ...more,
  };
}
