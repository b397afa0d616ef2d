// What the settings say of a model goes before the catalogue, key by key.
import type { ModelFacts } from "./catalog.ts";
import type { Prices } from "./price.ts";

/** `[models."ID"]`, as the settings write it. */
export type OwnModel = {
  context?: number | undefined;
  max_output?: number | undefined;
  prices?: OwnPrices | undefined;
  reasoning?: boolean | undefined;
};

type OwnPrices = {
  input: number;
  output: number;
  cache_read?: number | undefined;
  cache_write?: number | undefined;
  reasoning?: number | undefined;
};

const NOTHING: ModelFacts = {
  context: 0,
  maxOutput: 0,
  sees: false,
  reasons: false,
  prices: null,
};

/** Null where neither knows anything. */
export function withOwn(listed: ModelFacts | null, own: OwnModel): ModelFacts | null {
  const { context, max_output: maxOutput, prices, reasoning: reasons } = own;
  const said = Object.entries({ context, maxOutput, reasons }).filter(
    ([, value]) => value !== undefined,
  );
  if (said.length === 0 && prices === undefined) return listed;
  const facts: ModelFacts = Object.assign({}, listed ?? NOTHING, Object.fromEntries(said));
  return prices === undefined ? facts : { ...facts, prices: pricesOf(prices) };
}

function pricesOf(own: OwnPrices): Prices {
  return {
    input: own.input,
    output: own.output,
    cacheRead: own.cache_read ?? 0,
    cacheWrite: own.cache_write ?? 0,
    reasoning: own.reasoning ?? null,
    long: null,
  };
}
