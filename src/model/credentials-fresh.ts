// An access token that still holds: renewed before it ends, by one process at a time, and never thrown away for one failure.
import { broken, fail, missing, ok, sentence, type Result } from "../base/failure.ts";
import { ensureFolder } from "../host/append.ts";
import { fault } from "../host/fault.ts";
import { waitForLock } from "../host/wait-lock.ts";
import { readSignIn, signInFile, writeSignIn, type SignIn } from "./credentials-store.ts";
import type { Asking, Way } from "./credentials-way.ts";

/** Renewed so long before the end, so that a long reply does not outlive its token. */
const SPARE_MS = 5 * 60_000;
/** Longer than the issuer may take to answer another process. */
const LOCK_MS = 70_000;

export type Kept = { provider: string; folder: string; way: Way };

/** `refused` is a token that the server no longer takes, whatever its date says; null: none. */
export async function freshSignIn(
  kept: Kept,
  asking: Asking,
  refused: string | null,
): Promise<Result<SignIn>> {
  const { folder, provider } = kept;
  const known = signedIn(kept);
  if (!known.ok || holds(known.value, kept.way, asking.now(), refused)) return known;
  try {
    ensureFolder(folder);
  } catch (error) {
    return broken(`could not write ${folder}: ${fault(error)}`);
  }
  const attempt = await waitForLock(`${signInFile(folder, provider)}.lock`, LOCK_MS, asking.signal);
  if (asking.signal.aborted) {
    if (attempt.kind === "locked") attempt.lock.release();
    return fail({ kind: "aborted" });
  }
  if (attempt.kind === "failed") return broken(attempt.what);
  if (attempt.kind === "busy")
    return broken("another burin has been renewing the sign-in for over a minute: try again");
  try {
    return await renewOnce(kept, asking, refused);
  } finally {
    attempt.lock.release();
  }
}

/** Under the lock: the process that had it before may have done the work already. */
async function renewOnce(
  kept: Kept,
  asking: Asking,
  refused: string | null,
): Promise<Result<SignIn>> {
  const known = signedIn(kept);
  if (!known.ok || holds(known.value, kept.way, asking.now(), refused)) return known;
  const record = known.value;
  const renewed = await kept.way.renew(record, asking);
  if (renewed.ok) {
    const failure = writeSignIn(kept.folder, kept.provider, renewed.value);
    return failure === null ? renewed : fail(failure);
  }
  if (renewed.failure.kind === "aborted") return renewed;
  const isUsable = record.accessToken !== refused && asking.now() < (record.expiresAt ?? Infinity);
  if (isUsable) return ok(record);
  return broken(
    `the sign-in to ${kept.provider} could not be renewed: ${sentence(renewed.failure)}; it is kept: try again, or burin auth login ${kept.provider}`,
  );
}

function signedIn({ folder, provider }: Kept): Result<SignIn> {
  const read = readSignIn(folder, provider);
  if (!read.ok) return read;
  if (read.value !== null) return ok(read.value);
  return missing(`nobody is signed in to ${provider}: burin auth login ${provider}`);
}

export function holds(record: SignIn, way: Way, now: number, refused: string | null): boolean {
  if (record.accessToken === refused || record.accessToken === "") return false;
  if (record.expiresAt !== null && record.expiresAt - now < SPARE_MS) return false;
  return way.maxAgeMs === null || now - record.refreshedAt < way.maxAgeMs;
}
