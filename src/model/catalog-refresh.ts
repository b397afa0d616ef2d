// Fetches a newer list of models, from the public list or one of the same form, into the user's cache.
import { dirname } from "node:path";
import * as v from "valibot";
import { broken, fail, invalid, ok, type Result } from "../base/failure.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { ensureFolder } from "../host/append.ts";
import type { Environment } from "../host/env.ts";
import { fault } from "../host/fault.ts";
import { writeWhole } from "../host/whole.ts";
import { DEFAULT_HTTP, send } from "../wire/http.ts";
import type { Row } from "./catalog.ts";

export const PUBLIC_LIST = "https://models.dev/api.json";

const MAX_BYTES = 64 << 20;
const TIMEOUTS = { firstByteMs: 30_000, idleMs: 30_000 };

/** Where the list and our presets call a provider by different names. */
const OUR_NAMES: Readonly<Record<string, string>> = {
  "fireworks-ai": "fireworks",
  google: "gemini",
  moonshotai: "moonshot",
  togetherai: "together",
  "amazon-bedrock": "bedrock",
};
/** Their price is the subscription's. */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(["codex", "github-copilot"]);
const LONG_FROM = 200_000;

const Cost = v.object({
  input: v.number(),
  output: v.number(),
  cache_read: v.optional(v.number(), 0),
  cache_write: v.optional(v.number(), 0),
});
const Listed = v.object({
  reasoning: v.optional(v.boolean(), false),
  modalities: v.optional(v.object({ input: v.optional(v.array(v.string()), []) })),
  limit: v.object({ context: v.number(), output: v.optional(v.number(), 0) }),
  cost: v.optional(
    v.object({
      ...Cost.entries,
      reasoning: v.optional(v.number()),
      context_over_200k: v.optional(Cost),
    }),
  ),
});

export type Refreshed = { models: number; providers: number };

export async function refreshCatalog(wanted: {
  url: string;
  file: string;
  environment: Environment;
}): Promise<Result<Refreshed>> {
  const { url, file } = wanted;
  if (!URL.canParse(url)) return invalid(`${url} is not a URL such as ${PUBLIC_LIST}`);
  const text = await textAt(url, wanted.environment);
  if (!text.ok) return text;
  const rows = rowsIn(parseJson(text.value));
  const models = Object.values(rows).reduce((sum, each) => sum + Object.keys(each).length, 0);
  if (models === 0) {
    return broken(
      `${new URL(url).host} sent no list of models in the form of ${PUBLIC_LIST}; the old list stays`,
    );
  }
  try {
    ensureFolder(dirname(file));
  } catch (error) {
    return broken(`could not write ${file}: ${fault(error)}`);
  }
  const failure = writeWhole(file, JSON.stringify(rows));
  return failure === null ? ok({ models, providers: Object.keys(rows).length }) : fail(failure);
}

/** Models that cannot be read are left out: the list grows new fields now and then. */
export function rowsIn(list: unknown): Record<string, Record<string, Row>> {
  const rows: Record<string, Record<string, Row>> = {};
  for (const [name, provider] of Object.entries(isRecord(list) ? list : {})) {
    if (!isRecord(provider) || !isRecord(provider["models"])) continue;
    const own = OUR_NAMES[name] ?? name;
    const models = Object.entries(provider["models"]).flatMap(([id, model]) => {
      const read = v.safeParse(Listed, model);
      return read.success ? [[id, rowOf(own, read.output)] as const] : [];
    });
    if (models.length > 0) rows[own] = Object.fromEntries(models);
  }
  return rows;
}

function rowOf(
  provider: string,
  { reasoning, modalities, limit, cost }: v.InferOutput<typeof Listed>,
): Row {
  const sees = modalities?.input.includes("image") ?? false;
  const facts = [limit.context, limit.output, sees, reasoning] as const;
  if (cost === undefined || !isPriced(provider, cost)) return [...facts, null, null, null];
  const long = cost.context_over_200k;
  const longRates = long === undefined ? null : longRatesOf(long);
  return [...facts, ratesOf(cost), longRates, cost.reasoning ?? null];
}

/** Zeros are a price where a subscription pays; elsewhere nobody wrote the prices down. */
function isPriced(provider: string, { input, output }: v.InferOutput<typeof Cost>): boolean {
  return SUBSCRIPTIONS.has(provider) || input > 0 || output > 0;
}

function longRatesOf(cost: v.InferOutput<typeof Cost>): [number, number, number, number, number] {
  return [LONG_FROM, ...ratesOf(cost)];
}

function ratesOf(cost: v.InferOutput<typeof Cost>): [number, number, number, number] {
  return [cost.input, cost.output, cost.cache_read, cost.cache_write];
}

async function textAt(url: string, environment: Environment): Promise<Result<string>> {
  const headers = { accept: "application/json", "user-agent": "burin" };
  const { signal } = new AbortController();
  const request = { url, method: "GET", headers, body: null } as const;
  const sent = await send(request, { ...DEFAULT_HTTP, timeouts: TIMEOUTS, environment }, signal);
  if (!sent.ok) return broken(`${sent.failure.message}; the old list stays`);
  const { host } = new URL(url);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of sent.reply.body) {
    size += piece.length;
    if (size > MAX_BYTES)
      return broken(`${host} sent more than ${MAX_BYTES >> 20} MiB; the old list stays`);
    pieces.push(piece);
  }
  const { status } = sent.reply;
  if (status !== 200) return broken(`${host} answered with HTTP ${status}; the old list stays`);
  const broke = sent.reply.broke();
  if (broke !== null) return broken(`${broke.message}; the old list stays`);
  return ok(Buffer.concat(pieces).toString());
}
