// Totals folded from events.
import { expect, test } from "bun:test";
import type { Draft } from "../../src/session/event.ts";
import { NO_TOTALS, tokenText, totals, wholeCost } from "../../src/session/usage.ts";
import { answer, call, chain, result, say, user } from "./drafts.ts";

function usage(costUsd: number | null): Draft {
  const tokens = { input: 10, cacheRead: 4, cacheWrite: 1, output: 5, reasoning: 2, costUsd: null };
  return { type: "model.usage", data: { usage: tokens, costUsd, model: "m" } };
}

test("an empty session cost nothing", () => {
  expect(totals([])).toEqual(NO_TOTALS);
});

test("turns, rounds, calls, tokens and cost add up; steering begins no turn", () => {
  const steer: Draft = { type: "message.user", data: { content: [], origin: "steer" } };
  const events = chain([
    user("go"),
    answer([call("a")]),
    usage(0.25),
    result("a", "one"),
    steer,
    say("done"),
    usage(0.5),
    user("and?"),
  ]);
  expect(totals(events)).toEqual({
    turns: 2,
    rounds: 2,
    toolCalls: 1,
    input: 20,
    cached: 8,
    output: 10,
    reasoning: 4,
    costUsd: 0.75,
    unmetered: 0,
  });
});

test("a round that nobody metered makes the cost of all unknown, but stays out of what was spent", () => {
  const sum = totals(
    chain([user("go"), say("one"), usage(0.25), say("stopped"), say("two"), usage(0.5)]),
  );
  expect([sum.rounds, sum.unmetered, sum.costUsd, wholeCost(sum)]).toEqual([3, 1, 0.75, null]);
});

test("a request that failed before anything came is no round", () => {
  const refused: Draft = {
    type: "message.assistant",
    data: { content: [], status: "error", stop: null, error: "refused" },
  };
  const sum = totals(chain([user("go"), refused]));
  expect([sum.rounds, sum.unmetered, wholeCost(sum)]).toEqual([0, 0, 0]);
});

test.each([
  [0, 0, "7"],
  [2, 1, "7"],
  [1, 1, "—"],
])("of %i rounds with %i unmetered, 7 tokens are shown as %s", (rounds, unmetered, shown) => {
  expect(tokenText(7, { rounds, unmetered })).toBe(shown);
});

test("one request without a price makes the cost unknown", () => {
  expect(totals(chain([usage(0.25), usage(null), usage(0.5)])).costUsd).toBeNull();
});
