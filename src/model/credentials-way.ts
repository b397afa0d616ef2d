// The ways to sign in: what a vendor must be asked to begin, to look whether the person has agreed, and to renew.
import type { Result } from "../base/failure.ts";
import type { AskIssuer } from "./credentials-ask.ts";
import type { SignIn } from "./credentials-store.ts";

/** What the person is shown, and what the issuer is asked with meanwhile. */
export type DeviceCode = {
  userCode: string;
  url: string;
  /** The issuer's name for this attempt. */
  handle: string;
  intervalMs: number;
  expiresInMs: number;
};

export type Poll =
  | { kind: "pending" }
  /** Ask less often; null: how much less is not said. */
  | { kind: "slow_down"; intervalMs: number | null }
  | { kind: "denied" }
  | { kind: "expired" }
  | { kind: "signed-in"; record: SignIn };

/** Where a vendor's sign-in is; another issuer is a company's own. */
export type Site = { issuer: string; clientId: string; baseUrl: string };

export type Way = {
  site: (issuer: string | null) => Site;
  begin: (site: Site, asking: Asking) => Promise<Result<DeviceCode>>;
  poll: (code: DeviceCode, site: Site, asking: Asking) => Promise<Result<Poll>>;
  /** A new access token, and whatever else changed. */
  renew: (record: SignIn, asking: Asking) => Promise<Result<SignIn>>;
  /** Renewed at the latest so long after the last time; null: only before it expires. */
  maxAgeMs: number | null;
  /** Headers that go with the access token. */
  headers: (record: SignIn) => Record<string, string>;
};

export type Asking = { ask: AskIssuer; now: () => number; signal: AbortSignal };

export const SIGN_INS = ["codex", "github-copilot"] as const;
export type SignInProvider = (typeof SIGN_INS)[number];

export function hasSignIn(provider: string): provider is SignInProvider {
  return SIGN_INS.some((each) => each === provider);
}
