// What models hold, take and cost: the list inside burin under a newer one that the user fetched, loaded when first asked for.
import { join } from "node:path";
import * as v from "valibot";
import { parseJson } from "../base/json.ts";
import { readWhole } from "../host/whole.ts";
import type { Prices } from "./price.ts";

export type ModelFacts = {
  /** Tokens; 0 where nobody says. */
  context: number;
  maxOutput: number;
  /** Takes images. */
  sees: boolean;
  reasons: boolean;
  /** Null where nobody says. */
  prices: Prices | null;
};

export type ListedModel = ModelFacts & { provider: string; id: string };

export type Catalog = {
  /** Null for a model that is not listed. */
  facts(provider: string, id: string): ModelFacts | null;
  /** Whether a model of this name takes images wherever it is listed; null where it is not, or where opinions differ. */
  seesAnywhere(id: string): boolean | null;
  all(): ListedModel[];
};

const Rates = v.tuple([v.number(), v.number(), v.number(), v.number()]);
const LongRates = v.tuple([v.number(), ...Rates.items]);

/** Context, output limit, images, reasoning, USD per million tokens (input, output, cache read, cache write; null: unknown), the rates of long requests after their threshold. */
export const CatalogRow = v.tuple([
  v.number(),
  v.number(),
  v.boolean(),
  v.boolean(),
  v.nullable(Rates),
  v.nullish(LongRates),
  /** USD per million reasoning tokens, where they cost other than the rest of the output. */
  v.nullish(v.number()),
]);
export type Row = v.InferInput<typeof CatalogRow>;

const Rows = v.record(v.string(), v.record(v.string(), v.unknown()));
type Listed = v.InferOutput<typeof Rows>;

/** `refreshed` is the file of the newer list, which need not be there; what it says of a model goes before the list inside. */
export async function openCatalog(refreshed: string | null): Promise<Catalog> {
  const inside = v.parse(Rows, (await import("../data/models.json")).default);
  const newer = refreshed === null ? {} : listIn(refreshed);
  const facts = (provider: string, id: string): ModelFacts | null =>
    factsIn(newer, provider, id) ?? factsIn(inside, provider, id);
  const providers = [...new Set([...Object.keys(newer), ...Object.keys(inside)])].toSorted();
  return {
    facts,
    seesAnywhere: (id) => agreed(providers.flatMap((provider) => facts(provider, id) ?? [])),
    all: () =>
      providers.flatMap((provider) => {
        const ids = new Set([...idsOf(inside, provider), ...idsOf(newer, provider)]);
        return [...ids].toSorted().flatMap((id) => {
          const known = facts(provider, id);
          return known === null ? [] : [{ provider, id, ...known }];
        });
      }),
  };
}

/** Where `burin models refresh` puts the newer list. */
export function refreshedFile(cache: string): string {
  return join(cache, "models.json");
}

/** A file that cannot be used is as good as none: the next refresh writes it anew. */
function listIn(file: string): Listed {
  const read = v.safeParse(Rows, parseJson(readWhole(file) ?? ""));
  return read.success ? read.output : {};
}

function idsOf(list: Listed, provider: string): string[] {
  return Object.hasOwn(list, provider) ? Object.keys(list[provider] ?? {}) : [];
}

function agreed(known: readonly ModelFacts[]): boolean | null {
  const [first] = known;
  if (first === undefined) return null;
  return known.every(({ sees }) => sees === first.sees) ? first.sees : null;
}

function factsIn(list: Listed, provider: string, id: string): ModelFacts | null {
  const rows = Object.hasOwn(list, provider) ? list[provider] : undefined;
  if (rows === undefined || !Object.hasOwn(rows, id)) return null;
  const row = v.safeParse(CatalogRow, rows[id]);
  if (!row.success) return null;
  const [context, maxOutput, sees, reasons, rates, long, reasoning] = row.output;
  const prices =
    rates === null
      ? null
      : { ...ratesOf(rates), reasoning: reasoning ?? null, long: longOf(long ?? null) };
  return { context, maxOutput, sees, reasons, prices };
}

function ratesOf([input, output, cacheRead, cacheWrite]: v.InferOutput<typeof Rates>) {
  return { input, output, cacheRead, cacheWrite };
}

function longOf(tier: v.InferOutput<typeof LongRates> | null): Prices["long"] {
  if (tier === null) return null;
  const [above, ...rates] = tier;
  return { above, ...ratesOf(rates) };
}
