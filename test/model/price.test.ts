// Costs: reported ones first, then the catalogue's prices; unknown stays unknown.
import { describe, expect, test } from "bun:test";
import type { Usage } from "../../src/model/event.ts";
import { openCatalog } from "../../src/model/catalog.ts";
import { costOf, type Prices } from "../../src/model/price.ts";

const used = (more: Partial<Usage>): Usage => ({
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  costUsd: null,
  ...more,
});
const PRICES: Prices = {
  input: 2,
  output: 10,
  cacheRead: 0.5,
  cacheWrite: 2.5,
  reasoning: null,
  long: null,
};

describe("twelve replies, reckoned by hand", () => {
  test.each<[string, string, Partial<Usage>, number | null]>([
    // 12,000 × 1.25 + 800 × 10
    ["plain tokens", "openai/gpt-5", { input: 12_000, output: 800 }, 0.023],
    // 2,000 × 1.25 + 10,000 × 0.125 + 500 × 10
    ["cached input", "openai/gpt-5", { input: 12_000, cacheRead: 10_000, output: 500 }, 0.00875],
    // reasoning is within the output: 1,000 × 1.25 + 3,000 × 10
    ["reasoning", "openai/gpt-5", { input: 1000, output: 3000, reasoning: 2500 }, 0.03125],
    // 100 × 3 + 20,000 × 3.75 + 300 × 15
    [
      "a cache that is filled",
      "anthropic/claude-sonnet-4-5",
      { input: 20_100, cacheWrite: 20_000, output: 300 },
      0.0798,
    ],
    // 150 × 3 + 20,000 × 0.3 + 500 × 3.75 + 400 × 15
    [
      "a cache that is used and grows",
      "anthropic/claude-sonnet-4-5",
      { input: 20_650, cacheRead: 20_000, cacheWrite: 500, output: 400 },
      0.014325,
    ],
    // above 200,000 all of it: 50,000 × 6 + 200,000 × 0.6 + 1,000 × 22.5
    [
      "a long request",
      "anthropic/claude-sonnet-4-5",
      { input: 250_000, cacheRead: 200_000, output: 1000 },
      0.4425,
    ],
    // exactly at the threshold it is not long: 200,000 × 1.25 + 1,000 × 10
    ["a request at the border", "gemini/gemini-2.5-pro", { input: 200_000, output: 1000 }, 0.26],
    // one token more: 200,001 × 2.5 + 1,000 × 15
    [
      "a request just above it",
      "gemini/gemini-2.5-pro",
      { input: 200_001, output: 1000 },
      0.5150025,
    ],
    // no price of a cache: 3,000 × 10 + 100 × 30
    [
      "a cache without a price of its own",
      "openai/gpt-4-turbo",
      { input: 3000, cacheRead: 2000, output: 100 },
      0.033,
    ],
    ["a cost that the provider reports", "openai/gpt-5", { input: 9, costUsd: 0.0123 }, 0.0123],
    ["a model that nobody knows", "openai/gpt-99", { input: 1000, output: 10 }, null],
    ["a subscription", "github-copilot/gpt-5", { input: 1000, output: 10 }, 0],
  ])("%s", async (_name, model, usage, wanted) => {
    const at = model.indexOf("/");
    const facts = (await openCatalog(null)).facts(model.slice(0, at), model.slice(at + 1));
    const cost = costOf(used(usage), facts?.prices ?? null);
    if (wanted === null) expect(cost).toBeNull();
    else expect(cost).toBeCloseTo(wanted, 12);
  });
});

describe("a cost", () => {
  test("counts reasoning at its own price, where it has one", () => {
    const usage = used({ output: 1000, reasoning: 600 });
    expect(costOf(usage, { ...PRICES, reasoning: 4 })).toBeCloseTo((400 * 10 + 600 * 4) / 1e6, 12);
  });

  test("is what the provider says, also nothing", () => {
    expect(costOf(used({ input: 5, costUsd: 0 }), PRICES)).toBe(0);
  });

  test("is unknown without prices, not nothing", () => {
    expect(costOf(used({ input: 5 }), null)).toBeNull();
  });

  test("is never negative, however a server counts", () => {
    const odd = used({ input: 10, cacheRead: 30, output: 5, reasoning: 9 });
    expect(costOf(odd, PRICES)).toBeCloseTo((30 * 0.5 + 5 * 10) / 1e6, 12);
  });
});
