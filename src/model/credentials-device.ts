// Signing in with a code on another device: the person agrees in a browser while burin asks the issuer now and then.
import { fail, invalid, ok, type Result } from "../base/failure.ts";
import type { SignIn } from "./credentials-store.ts";
import type { Asking, DeviceCode, Poll, Site, Way } from "./credentials-way.ts";

/** RFC 8628, section 3.5: how much less often an issuer that says `slow_down` wants to be asked. */
const SLOWER_MS = 5000;

/** Waits so long, or until the signal says stop. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** `show` tells the person what to do. */
export async function signInByDevice(
  way: Way,
  site: Site,
  world: Asking & { wait: Wait; show: (code: DeviceCode) => void },
): Promise<Result<SignIn>> {
  const begun = await way.begin(site, world);
  if (!begun.ok) return begun;
  const code = begun.value;
  world.show(code);
  const end = world.now() + code.expiresInMs;
  let intervalMs = code.intervalMs;
  while (world.now() < end) {
    await world.wait(intervalMs, world.signal);
    if (world.signal.aborted) return fail({ kind: "aborted" });
    const polled = await way.poll(code, site, world);
    if (!polled.ok && polled.failure.kind === "invalid") return polled;
    // A line that fails for a moment does not undo what the person is doing in the browser.
    const next: Poll = polled.ok ? polled.value : { kind: "pending" };
    if (next.kind === "slow_down") intervalMs = next.intervalMs ?? intervalMs + SLOWER_MS;
    const outcome = outcomeOf(next);
    if (outcome !== null) return outcome;
  }
  return EXPIRED;
}

const EXPIRED = invalid("the code expired before anybody entered it: start again");

/** Null: the person has not decided yet. */
function outcomeOf(poll: Poll): Result<SignIn> | null {
  switch (poll.kind) {
    case "pending":
    case "slow_down":
      return null;
    case "signed-in":
      return ok(poll.record);
    case "denied":
      return invalid("the sign-in was refused in the browser");
    case "expired":
      return EXPIRED;
  }
}

export async function waitOrStop(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
