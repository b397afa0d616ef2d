// What the next request takes at least: the limit on cost stops before it.
import { describe, expect, test } from "bun:test";
import { costAhead } from "../../src/agent/cost-ahead.ts";
import type { Usage } from "../../src/model/event.ts";
import { costOf } from "../../src/model/price.ts";
import type { Draft } from "../../src/session/event.ts";
import { answer, call, chain, result, user } from "../session/drafts.ts";

const PRICES = { input: 10, output: 50, cacheRead: 1, cacheWrite: 0, reasoning: null, long: null };
const kit = { price: (usage: Usage) => Promise.resolve(costOf(usage, PRICES)) };

function used(more: Partial<Usage>): Draft {
  const usage = {
    input: 1000,
    cacheRead: 0,
    cacheWrite: 0,
    output: 200,
    reasoning: 50,
    costUsd: null,
    ...more,
  };
  return { type: "model.usage", data: { usage, costUsd: 0.1, model: "m" } };
}

describe("the next request", () => {
  test("takes what the last one and its reply held, and what came since", async () => {
    const events = chain([user("go"), answer([call("a")]), used({}), result("a", "x".repeat(400))]);
    // 1,000 in, 150 said, 100 of the result, at 10 USD a million
    expect(await costAhead(events, kit)).toBeCloseTo((1250 * 10) / 1e6, 12);
  });

  test("finds the old part in the cache, where there is one", async () => {
    const events = chain([user("go"), answer([call("a")]), used({ cacheRead: 600 })]);
    expect(await costAhead(events, kit)).toBeCloseTo((1000 * 1 + 150 * 10) / 1e6, 12);
  });

  test("costs nothing that could be told before the first reply, or without prices", async () => {
    const blind = { price: () => Promise.resolve(null) };
    const events = chain([user("go"), answer([call("a")]), used({})]);
    expect([await costAhead(chain([user("go")]), kit), await costAhead(events, blind)]).toEqual([
      0, 0,
    ]);
  });
});
