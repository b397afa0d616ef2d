// What a request cost and what a model can hold: the catalogue's figures, loaded only when first asked for.
import * as v from "valibot";
import type { Usage } from "./event.ts";

export type ModelFacts = {
  /** Tokens. */
  context: number;
  /** Takes images. */
  sees: boolean;
  /** USD per million tokens. */
  prices: Prices;
};

export type Prices = { input: number; output: number; cacheRead: number; cacheWrite: number };

const TOKENS_PER_PRICE = 1_000_000;

/** One line of `data/models.json`, in the order that scripts/catalog.ts writes. */
const Row = v.tuple([
  v.number(),
  v.number(),
  v.boolean(),
  v.boolean(),
  v.number(),
  v.number(),
  v.number(),
  v.number(),
]);
const Catalog = v.record(v.string(), v.record(v.string(), v.unknown()));

/** Null for a model that the catalogue does not know. */
export async function modelFacts(provider: string, modelId: string): Promise<ModelFacts | null> {
  return factsIn((await catalog())[provider]?.[modelId]);
}

/** Whether a model of this name takes images wherever it is known; null where it is not, or where opinions differ. */
export async function seesAnywhere(modelId: string): Promise<boolean | null> {
  const known = Object.values(await catalog()).flatMap((rows) => factsIn(rows[modelId]) ?? []);
  const [first] = known;
  if (first === undefined) return null;
  return known.every(({ sees }) => sees === first.sees) ? first.sees : null;
}

async function catalog(): Promise<v.InferOutput<typeof Catalog>> {
  return v.parse(Catalog, (await import("../data/models.json")).default);
}

function factsIn(value: unknown): ModelFacts | null {
  const row = v.safeParse(Row, value);
  if (!row.success) return null;
  const [context, , sees, , input, output, cacheRead, cacheWrite] = row.output;
  return { context, sees, prices: { input, output, cacheRead, cacheWrite } };
}

/** USD: what the provider says, else by the prices; null where neither is known. */
export function costOf(usage: Usage, prices: Prices | null): number | null {
  if (usage.costUsd !== null) return usage.costUsd;
  if (prices === null) return null;
  const plain = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  // The catalogue says 0 where it knows no price of its own: then cached tokens cost what others do.
  const sum =
    plain * prices.input +
    usage.cacheRead * (prices.cacheRead || prices.input) +
    usage.cacheWrite * (prices.cacheWrite || prices.input) +
    usage.output * prices.output;
  return sum / TOKENS_PER_PRICE;
}
