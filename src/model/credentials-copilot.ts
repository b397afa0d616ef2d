// Signing in with a GitHub account that has Copilot: GitHub's device codes, and its token exchanged for short-lived ones.
import { broken, invalid, ok, type Result } from "../base/failure.ts";
import { isRecord, type JsonObject } from "../base/json.ts";
import { isLoopback } from "../wire/http-failure.ts";
import { numberAt, textAt } from "./credentials-ask.ts";
import type { SignIn } from "./credentials-store.ts";
import type { Asking, DeviceCode, Poll, Site, Way } from "./credentials-way.ts";

// The public client that editors without a registration of their own use; device codes as GitHub documents them.
const CLIENT_ID = "Iv1.b507a08c87ecfe98";
const ISSUER = "https://github.com";
const BASE_URL = "https://api.githubcopilot.com";
const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const DEFAULT_INTERVAL_S = 5;
const DEFAULT_EXPIRY_S = 900;

export const copilotWay: Way = {
  site: (issuer) => ({
    issuer: issuer ?? ISSUER,
    clientId: CLIENT_ID,
    baseUrl: issuer === null ? BASE_URL : hostOf(issuer, "copilot-api."),
  }),
  begin,
  poll,
  renew,
  maxAgeMs: null,
  headers: () => ({}),
};

async function begin(
  { issuer, clientId }: Site,
  { ask, signal }: Asking,
): Promise<Result<DeviceCode>> {
  const form = { client_id: clientId, scope: "read:user" };
  const asked = await ask({ url: `${issuer}/login/device/code`, body: { form } }, signal);
  if (!asked.ok) return asked;
  const { status, body } = asked.value;
  const [userCode, handle] = [textAt(body, "user_code"), textAt(body, "device_code")];
  if (userCode === "" || handle === "") {
    return broken(
      `${new URL(issuer).host} gave no code to sign in with (HTTP ${status}): try again later`,
    );
  }
  return ok({
    userCode,
    handle,
    url: textAt(body, "verification_uri") || `${issuer}/login/device`,
    intervalMs: Math.max(1, numberAt(body, "interval") ?? DEFAULT_INTERVAL_S) * 1000,
    expiresInMs: (numberAt(body, "expires_in") ?? DEFAULT_EXPIRY_S) * 1000,
  });
}

async function poll(code: DeviceCode, site: Site, asking: Asking): Promise<Result<Poll>> {
  const form = { client_id: site.clientId, device_code: code.handle, grant_type: GRANT };
  const url = `${site.issuer}/login/oauth/access_token`;
  const asked = await asking.ask({ url, body: { form } }, asking.signal);
  if (!asked.ok) return asked;
  const { status, body } = asked.value;
  const token = textAt(body, "access_token");
  if (token !== "") return signedIn(token, site, asking);
  switch (textAt(body, "error")) {
    case "authorization_pending":
      return ok({ kind: "pending" });
    case "slow_down": {
      const seconds = numberAt(body, "interval");
      return ok({ kind: "slow_down", intervalMs: seconds === null ? null : seconds * 1000 });
    }
    case "access_denied":
      return ok({ kind: "denied" });
    case "expired_token":
      return ok({ kind: "expired" });
    default:
      return status >= 500
        ? broken(`${new URL(site.issuer).host} has a fault (HTTP ${status})`)
        : invalid(`${new URL(site.issuer).host} refused the sign-in (HTTP ${status})`);
  }
}

/** The first exchange tells at once whether the account has Copilot. */
async function signedIn(token: string, site: Site, asking: Asking): Promise<Result<Poll>> {
  const renewed = await renew(githubRecord(token, site), asking);
  return renewed.ok ? ok({ kind: "signed-in", record: renewed.value }) : renewed;
}

/** A GitHub token that has yet to be exchanged. */
export function githubRecord(token: string, site: Site): SignIn {
  const { issuer, clientId, baseUrl } = site;
  const unfetched = { accessToken: "", expiresAt: 0, refreshedAt: 0, account: null };
  return { v: 1, issuer, clientId, baseUrl, refreshToken: token, ...unfetched };
}

async function renew(record: SignIn, { ask, now, signal }: Asking): Promise<Result<SignIn>> {
  const url = `${githubApi(record.issuer)}/copilot_internal/v2/token`;
  const headers = { authorization: `token ${record.refreshToken}` };
  const asked = await ask({ url, body: null, headers }, signal);
  if (!asked.ok) return asked;
  const { status, body } = asked.value;
  const accessToken = textAt(body, "token");
  if (accessToken === "") {
    const why = status === 403 || status === 404 ? "has the account Copilot?" : "sign in again";
    const host = new URL(url).host;
    return status >= 500
      ? broken(`${host} has a fault (HTTP ${status})`)
      : invalid(`${host} gave no Copilot token (HTTP ${status}): ${why}`);
  }
  const ends = numberAt(body, "expires_at");
  return ok({
    ...record,
    accessToken,
    baseUrl: apiIn(body, record),
    expiresAt: ends === null ? null : ends * 1000,
    refreshedAt: now(),
  });
}

/** The address that the issuer names for this account, as long as it is one of Copilot's. */
function apiIn(body: JsonObject, { issuer, baseUrl }: SignIn): string {
  const { endpoints } = body;
  const named = isRecord(endpoints) ? textAt(endpoints, "api") : "";
  const url = URL.parse(named);
  if (url === null) return baseUrl;
  const isCopilots = url.protocol === "https:" && /(?:^|\.)githubcopilot\.com$/.test(url.hostname);
  const isOwn = url.origin === new URL(baseUrl).origin;
  const isTest = isLoopback(issuer) && isLoopback(named);
  return isCopilots || isOwn || isTest ? url.href.replace(/\/$/, "") : baseUrl;
}

/** Where GitHub itself is asked about an account. */
export function githubApi(issuer: string): string {
  return hostOf(issuer, "api.");
}

/** `api.github.com` of `github.com`; a company's own likewise. This machine has no such names. */
function hostOf(issuer: string, prefix: string): string {
  if (isLoopback(issuer)) return issuer;
  const url = new URL(issuer);
  return `${url.protocol}//${prefix}${url.host}`;
}
