// Signing in with a ChatGPT account, as the Codex programs do: their public client, its device codes, its refresh tokens.
import { broken, invalid, ok, type Result } from "../base/failure.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import { numberAt, textAt, type IssuerAnswer } from "./credentials-ask.ts";
import type { SignIn } from "./credentials-store.ts";
import { claimsOf, expiryOf } from "./credentials-token.ts";
import type { Asking, DeviceCode, Poll, Site, Way } from "./credentials-way.ts";

// From the source of the vendor's own program: issuer, client, paths, and that a code holds for 15 minutes.
const ISSUER = "https://auth.openai.com";
const CLIENT_ID = "app_EMoamEEZ73f0CkXaXp7hrann";
const BASE_URL = "https://chatgpt.com/backend-api/codex";
const CODE_HOLDS_MS = 15 * 60_000;
const DEFAULT_INTERVAL_S = 5;
const CLAIMS = "https://api.openai.com/auth";

export const codexWay: Way = {
  site: (issuer) =>
    issuer === null
      ? { issuer: ISSUER, clientId: CLIENT_ID, baseUrl: BASE_URL }
      : { issuer, clientId: CLIENT_ID, baseUrl: `${issuer}/backend-api/codex` },
  begin,
  poll,
  renew,
  maxAgeMs: 8 * 3_600_000,
  headers: ({ account }) => ({
    originator: "burin",
    ...(account === null ? {} : { "chatgpt-account-id": account }),
  }),
};

async function begin(
  { issuer, clientId }: Site,
  { ask, signal }: Asking,
): Promise<Result<DeviceCode>> {
  const url = `${issuer}/api/accounts/deviceauth/usercode`;
  const asked = await ask({ url, body: { json: { client_id: clientId } } }, signal);
  if (!asked.ok) return asked;
  const { status, body } = asked.value;
  const userCode = textAt(body, "user_code") || textAt(body, "usercode");
  const handle = textAt(body, "device_auth_id");
  if (status === 404) {
    return invalid(
      "sign-in by code is not switched on for this account: allow it in the security settings of ChatGPT",
    );
  }
  if (status >= 300 || userCode === "" || handle === "") return unclear(issuer, asked.value);
  return ok({
    userCode,
    handle,
    url: `${issuer}/codex/device`,
    intervalMs: Math.max(1, numberAt(body, "interval") ?? DEFAULT_INTERVAL_S) * 1000,
    expiresInMs: CODE_HOLDS_MS,
  });
}

async function poll(code: DeviceCode, site: Site, asking: Asking): Promise<Result<Poll>> {
  const asked = await asking.ask(
    {
      url: `${site.issuer}/api/accounts/deviceauth/token`,
      body: { json: { device_auth_id: code.handle, user_code: code.userCode } },
    },
    asking.signal,
  );
  if (!asked.ok) return asked;
  const { status, body } = asked.value;
  if (status < 300) return exchange(body, site, asking);
  const word = WORDS.find(([words]) => words.test(errorWord(body)));
  if (word !== undefined) return ok(word[1]);
  if (status === 429) return ok({ kind: "slow_down", intervalMs: null });
  // As long as nobody has entered the code, the issuer says forbidden or not found.
  if (status === 403 || status === 404) return ok({ kind: "pending" });
  return status >= 500 ? unclear(site.issuer, asked.value) : refused(site.issuer, asked.value);
}

const WORDS: readonly (readonly [RegExp, Poll])[] = [
  [/denied|declined/, { kind: "denied" }],
  [/expired/, { kind: "expired" }],
  [/^slow_down$/, { kind: "slow_down", intervalMs: null }],
];

/** The code that the person's agreement gave becomes tokens. */
async function exchange(body: JsonObject, site: Site, asking: Asking): Promise<Result<Poll>> {
  const { issuer, clientId } = site;
  const asked = await asking.ask(
    {
      url: `${issuer}/oauth/token`,
      body: {
        form: {
          grant_type: "authorization_code",
          code: textAt(body, "authorization_code"),
          redirect_uri: `${issuer}/deviceauth/callback`,
          client_id: clientId,
          code_verifier: textAt(body, "code_verifier"),
        },
      },
    },
    asking.signal,
  );
  if (!asked.ok) return asked;
  const tokens = tokensIn(asked.value.body);
  if (asked.value.status >= 300 || tokens === null) return refused(issuer, asked.value);
  const record = recordOf(tokens, { ...site, now: asking.now() });
  return ok({ kind: "signed-in", record });
}

async function renew(record: SignIn, { ask, now, signal }: Asking): Promise<Result<SignIn>> {
  const asked = await ask(
    {
      url: `${record.issuer}/oauth/token`,
      body: {
        json: {
          client_id: record.clientId,
          grant_type: "refresh_token",
          refresh_token: record.refreshToken,
          scope: "openid profile email",
        },
      },
    },
    signal,
  );
  if (!asked.ok) return asked;
  const { status, body } = asked.value;
  const accessToken = textAt(body, "access_token");
  if (status >= 300 || accessToken === "") return refused(record.issuer, asked.value);
  return ok({
    ...record,
    accessToken,
    refreshToken: textAt(body, "refresh_token") || record.refreshToken,
    expiresAt: expiryOf(accessToken) ?? later(body, now()),
    refreshedAt: now(),
  });
}

type Tokens = { access: string; refresh: string; id: string; expiresIn: number | null };

function tokensIn(body: JsonObject): Tokens | null {
  const access = textAt(body, "access_token");
  const refresh = textAt(body, "refresh_token");
  if (access === "" || refresh === "") return null;
  return { access, refresh, id: textAt(body, "id_token"), expiresIn: numberAt(body, "expires_in") };
}

function recordOf(
  tokens: Tokens,
  { issuer, clientId, baseUrl, now }: Site & { now: number },
): SignIn {
  const { access, refresh, id, expiresIn } = tokens;
  const fallback = expiresIn === null ? null : now + expiresIn * 1000;
  return {
    v: 1,
    issuer,
    clientId,
    baseUrl,
    accessToken: access,
    refreshToken: refresh,
    expiresAt: expiryOf(access) ?? fallback,
    refreshedAt: now,
    account: accountOf(id) ?? accountOf(access),
  };
}

/** The workspace's id, which the server wants to be told with each request. */
export function accountOf(token: string): string | null {
  const claims = claimsOf(token)[CLAIMS];
  const account = isRecord(claims) ? textAt(claims, "chatgpt_account_id") : "";
  return account === "" ? null : account;
}

/** What the vendor's own program left in its file, as a sign-in of ours; null where it holds none. */
export function importedSignIn(file: JsonObject, now: number): SignIn | null {
  const held = isRecord(file["tokens"]) ? file["tokens"] : {};
  const tokens = tokensIn(held);
  if (tokens === null) return null;
  const record = recordOf(tokens, { ...codexWay.site(null), now });
  const last = Date.parse(textAt(file, "last_refresh"));
  return {
    ...record,
    refreshedAt: Number.isNaN(last) ? now : last,
    account: textAt(held, "account_id") || record.account,
  };
}

function later(body: JsonObject, now: number): number | null {
  const seconds = numberAt(body, "expires_in");
  return seconds === null ? null : now + seconds * 1000;
}

function errorWord(body: JsonObject): string {
  const { error } = body;
  return isRecord(error) ? textAt(error, "code") : textAt(body, "error");
}

function refused(issuer: string, { status, body }: IssuerAnswer): Result<never> {
  const word = errorWord(body);
  const why = /^[\w .-]{1,80}$/.test(word) ? `: ${word}` : "";
  return invalid(`${new URL(issuer).host} refused (HTTP ${status}${why})`);
}

function unclear(issuer: string, { status }: IssuerAnswer): Result<never> {
  return broken(`${new URL(issuer).host} gave no usable answer (HTTP ${status}): try again later`);
}
