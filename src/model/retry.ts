// Whether a failed request is tried again, and when: budgets of tries and time, backing off, and what the provider asks for.
import type { ProviderError } from "./event.ts";

export type RetryLimits = {
  /** Milliseconds from the first failure on, within which the next try has to begin. */
  budgetMs: number;
  /** Further tries after a refused request, and as many after a reply that broke off. */
  tries: number;
  /** The first wait; each further one is twice as long. */
  baseMs: number;
};

/** Somebody waits and can decide; nobody does. */
export const INTERACTIVE: RetryLimits = { budgetMs: 5 * 60_000, tries: 5, baseMs: 2000 };
export const HEADLESS: RetryLimits = { ...INTERACTIVE, budgetMs: 15 * 60_000 };

/** Failures of one request in a row. */
export type Spent = { refused: number; cut: number; elapsedMs: number };

export type RetryPlan =
  | { kind: "wait"; ms: number; attempt: number }
  /** `message` is the error's, and why it is not tried again where that is not plain. */
  | { kind: "give-up"; message: string };

/** `random` gives 0 to 1, `date` the time of day in milliseconds since 1970: only to name when a limit ends. */
export type Chance = { random: () => number; date: () => number };

/** Waits are spread by so much either way: those who were refused together must not come back together. */
const JITTER = 0.2;

/** `spent` counts this failure, too. */
export function planRetry(
  error: ProviderError,
  spent: Spent,
  limits: RetryLimits,
  chance: Chance,
): RetryPlan {
  const { message, retryAfterMs } = error;
  const attempt = isCut(error) ? spent.cut : spent.refused;
  const giveUp = (why: string): RetryPlan => ({ kind: "give-up", message: message + why });
  const left = limits.budgetMs - spent.elapsedMs;
  if (!error.retryable || attempt > limits.tries) {
    const isTried = error.retryable && limits.tries > 0;
    return giveUp(isTried ? `; given up after ${attempt} tries` : resetOf(error, chance));
  }
  const ms = waitFor(error, attempt, limits, chance);
  if (ms <= left) return { kind: "wait", ms, attempt };
  if ((retryAfterMs ?? 0) <= left) return giveUp(`; given up after ${spoken(spent.elapsedMs)}`);
  return giveUp(`${resetOf(error, chance)}, and burin waits ${spoken(limits.budgetMs)} at most`);
}

/** After it some of the reply was there; a request that was refused cost nothing. */
export function isCut({ kind }: ProviderError): boolean {
  return kind === "stream_cut";
}

function waitFor(
  { retryAfterMs }: ProviderError,
  attempt: number,
  { baseMs }: RetryLimits,
  { random }: Chance,
): number {
  // To come back at once is no advice: it backs off as without any.
  if (retryAfterMs !== null && retryAfterMs > 0) return retryAfterMs;
  const spread = 1 + JITTER * (2 * random() - 1);
  return Math.round(baseMs * 2 ** (attempt - 1) * spread);
}

/** When it can be used again, where the provider says so. */
function resetOf({ retryAfterMs }: ProviderError, { date }: Chance): string {
  if (retryAfterMs === null || retryAfterMs === 0) return "";
  const back = new Date(date() + retryAfterMs).toISOString();
  return `; it is free again in ${spoken(retryAfterMs)} (${back.slice(0, 10)} ${back.slice(11, 16)} UTC)`;
}

/** `45 s`, `5 min`, `3 h 20 min`. */
export function spoken(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}
