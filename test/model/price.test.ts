// Costs: reported ones first, then the catalogue's prices; unknown stays unknown.
import { describe, expect, test } from "bun:test";
import type { Usage } from "../../src/model/event.ts";
import { costOf, modelFacts, seesAnywhere } from "../../src/model/price.ts";

const USAGE: Usage = {
  input: 1000,
  cacheRead: 600,
  cacheWrite: 100,
  output: 200,
  reasoning: 50,
  costUsd: null,
};
const PRICES = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 2.5 };

describe("a cost", () => {
  test("counts plain, cached and written tokens at their own prices, reasoning within the output", () => {
    expect(costOf(USAGE, PRICES)).toBeCloseTo(
      (300 * 2 + 600 * 0.5 + 100 * 2.5 + 200 * 10) / 1e6,
      12,
    );
  });

  test("takes the price of plain tokens where cached ones have none", () => {
    expect(costOf(USAGE, { ...PRICES, cacheRead: 0, cacheWrite: 0 })).toBeCloseTo(
      (1000 * 2 + 200 * 10) / 1e6,
      12,
    );
  });

  test("is what the provider says", () => {
    expect(costOf({ ...USAGE, costUsd: 0 }, PRICES)).toBe(0);
  });

  test("is unknown without prices, not nothing", () => {
    expect(costOf(USAGE, null)).toBeNull();
  });
});

describe("the catalogue", () => {
  test("knows by its name alone whether a model takes images, where all agree", async () => {
    const names = ["gpt-4-turbo", "gpt-oss-120b", "gpt-5.3-codex-spark", "constructor"];
    expect(await Promise.all(names.map(seesAnywhere))).toEqual([true, false, null, null]);
  });

  test("knows window and prices of a model", async () => {
    expect(await modelFacts("openai", "gpt-4-turbo")).toEqual({
      context: 128_000,
      sees: true,
      prices: { input: 10, output: 30, cacheRead: 0, cacheWrite: 0 },
    });
  });

  test.each([
    ["openai", "no-such-model"],
    ["nobody", "gpt-4-turbo"],
    ["openai", "constructor"],
    ["__proto__", "toString"],
  ])("does not know %p %p", async (provider, id) => {
    expect(await modelFacts(provider, id)).toBeNull();
  });

  test("can be read whole", async () => {
    const all: Record<string, Record<string, unknown>> = await Bun.file(
      "src/data/models.json",
    ).json();
    const ids = Object.entries(all).flatMap(([provider, models]) =>
      Object.keys(models).map((id) => [provider, id] as const),
    );
    const unread: string[] = [];
    for (const [provider, id] of ids)
      if ((await modelFacts(provider, id)) === null) unread.push(id);
    expect([ids.length > 500, unread]).toEqual([true, []]);
  });
});
