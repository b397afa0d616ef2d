// What a request cost: what the provider reports, else its tokens by the rates that apply to them.
import type { Usage } from "./event.ts";

/** USD per million tokens. A cache rate of 0 is one that nobody wrote down. */
export type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number };

export type Prices = Rates & {
  /** Null: reasoning costs what the rest of the output does. */
  reasoning: number | null;
  /** The rates of a whole request whose input has more tokens than `above`. */
  long: (Rates & { above: number }) | null;
};

const TOKENS_PER_PRICE = 1_000_000;

/** USD; null where neither the provider says it nor prices are known. */
export function costOf(usage: Usage, prices: Prices | null): number | null {
  if (usage.costUsd !== null) return usage.costUsd;
  if (prices === null) return null;
  const isLong = prices.long !== null && usage.input > prices.long.above;
  const rates: Rates = isLong && prices.long !== null ? prices.long : prices;
  const plain = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const spoken = Math.max(0, usage.output - usage.reasoning);
  const sum =
    plain * rates.input +
    usage.cacheRead * (rates.cacheRead || rates.input) +
    usage.cacheWrite * (rates.cacheWrite || rates.input) +
    spoken * rates.output +
    Math.min(usage.output, usage.reasoning) * (prices.reasoning ?? rates.output);
  return sum / TOKENS_PER_PRICE;
}
