// What is left of a Copilot subscription's premium requests, as GitHub tells it for the account.
import { broken, ok, type Result } from "../base/failure.ts";
import { isRecord } from "../base/json.ts";
import { numberAt, textAt } from "./credentials-ask.ts";
import { githubApi } from "./credentials-copilot.ts";
import type { SignIn } from "./credentials-store.ts";
import type { Asking } from "./credentials-way.ts";

export type CopilotQuota = {
  plan: string;
  /** Premium requests of the month: how many there are, and how many are left; null where they are not counted. */
  premium: { all: number; left: number } | null;
};

export async function copilotQuota(
  record: SignIn,
  { ask, signal }: Asking,
): Promise<Result<CopilotQuota>> {
  const url = `${githubApi(record.issuer)}/copilot_internal/user`;
  const headers = { authorization: `token ${record.refreshToken}` };
  const asked = await ask({ url, body: null, headers }, signal);
  if (!asked.ok) return asked;
  const { status, body } = asked.value;
  if (status !== 200)
    return broken(`${new URL(url).host} does not tell what is left (HTTP ${status})`);
  const snapshots = isRecord(body["quota_snapshots"]) ? body["quota_snapshots"] : {};
  const premium = isRecord(snapshots["premium_interactions"])
    ? snapshots["premium_interactions"]
    : {};
  const [all, left] = [numberAt(premium, "entitlement"), numberAt(premium, "remaining")];
  const isCounted = all !== null && left !== null && premium["unlimited"] !== true;
  return ok({ plan: textAt(body, "copilot_plan"), premium: isCounted ? { all, left } : null });
}
