// How a place gets over requests that fail: its patience, the tools it does without, and the models that stand by.
import type { Recovery } from "../agent/kit.ts";
import { HEADLESS, INTERACTIVE, type RetryLimits } from "../model/retry.ts";
import type { Chosen, Opening } from "./opening.ts";
import type { Asking } from "./place.ts";

export type Standby = {
  opening: Opening;
  current: () => Chosen;
  /** From now on this model answers. */
  use: (chosen: Chosen) => void;
  quarantine: (tool: string) => void;
  /** How many of the settings' models were taken from the list. */
  taken: { count: number };
};

export function recoveryOf(standby: Standby, { pause }: Pick<Asking, "pause">): Recovery {
  return {
    limits: limitsOf(standby.opening),
    pause: pause ?? sleep,
    random: Math.random,
    date: Date.now,
    quarantine: standby.quarantine,
    turnError: () => Promise.resolve(null),
    fallback: () => nextModel(standby),
  };
}

function limitsOf({ retry, isWatched }: Opening): RetryLimits {
  const usual = isWatched ? INTERACTIVE : HEADLESS;
  const { base_ms: baseMs, tries, budget_s: budget } = retry;
  return {
    baseMs: baseMs ?? usual.baseMs,
    tries: tries ?? usual.tries,
    budgetMs: budget === undefined ? usual.budgetMs : budget * 1000,
  };
}

/** A model that cannot be had (no key for it, a wrong name) is passed over. */
async function nextModel(standby: Standby): ReturnType<Recovery["fallback"]> {
  const { opening, current, use, taken } = standby;
  const before = current().model;
  while (taken.count < opening.fallback.length) {
    const name = opening.fallback[taken.count] ?? "";
    taken.count += 1;
    const chosen = await opening.chooseNamed(name);
    if (!chosen.ok) continue;
    const { provider, id } = chosen.value.model;
    if (provider === before.provider && id === before.id) continue;
    use(chosen.value);
    return { provider, model: id };
  }
  return null;
}

/** Ends early, and at once, with the signal. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = (): void => resolve();
  signal.addEventListener("abort", stop, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  });
}
