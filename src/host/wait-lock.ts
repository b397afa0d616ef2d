// Waits a while for a lock that another process holds.
import { takeLock, type Attempt } from "./flock.ts";

const LOOK_EVERY_MS = 25;

/** Still “busy” when the time is over or the signal says stop. */
export async function waitForLock(
  path: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const until = performance.now() + withinMs;
  for (;;) {
    const attempt = takeLock(path);
    if (attempt.kind !== "busy" || signal.aborted || performance.now() >= until) return attempt;
    await Bun.sleep(LOOK_EVERY_MS);
  }
}
