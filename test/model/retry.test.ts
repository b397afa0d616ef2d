// When a failed request is tried again: how long the waits are, what ends them, and what is said at the end.
import { describe, expect, test } from "bun:test";
import type { ProviderError, ProviderErrorKind } from "../../src/model/event.ts";
import { HEADLESS, INTERACTIVE, planRetry, spoken, type Spent } from "../../src/model/retry.ts";
import { random as seeded } from "../support/random.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const chance = { random: () => 0.5, date: () => NOON };

function failed(changes: Partial<ProviderError> = {}): ProviderError {
  const none = { retryAfterMs: null, status: null, requestId: null };
  return { kind: "server", retryable: true, ...none, message: "it failed", ...changes };
}

function plan(error: Partial<ProviderError>, spent: Partial<Spent> = {}, limits = INTERACTIVE) {
  return planRetry(failed(error), { refused: 1, cut: 1, elapsedMs: 0, ...spent }, limits, chance);
}

describe("the wait", () => {
  test("doubles from two seconds", () => {
    const waits = [1, 2, 3, 4, 5].map((refused) => plan({}, { refused }));
    expect(waits).toEqual(
      [2000, 4000, 8000, 16_000, 32_000].map((ms, at) => ({ kind: "wait", ms, attempt: at + 1 })),
    );
  });

  test("is spread by a fifth either way", () => {
    const random = seeded(1);
    const waits = Array.from({ length: 2000 }, () => {
      const next = planRetry(failed(), { refused: 1, cut: 0, elapsedMs: 0 }, INTERACTIVE, {
        ...chance,
        random: () => random.int(1_000_001) / 1_000_000,
      });
      return next.kind === "wait" ? next.ms : 0;
    });
    const [least, most] = [Math.min(...waits), Math.max(...waits)];
    expect(least >= 1600 && least < 1620 && most > 2380 && most <= 2400).toBe(true);
  });

  test("is what the provider asks for", () => {
    expect(plan({ retryAfterMs: 41_000 })).toEqual({ kind: "wait", ms: 41_000, attempt: 1 });
  });

  test("backs off where the provider says to come back at once", () => {
    expect(plan({ retryAfterMs: 0 }, { refused: 2 })).toEqual({
      kind: "wait",
      ms: 4000,
      attempt: 2,
    });
  });
});

describe("it ends", () => {
  test("after five tries, counted apart for replies that broke off", () => {
    const cut: ProviderErrorKind = "stream_cut";
    expect(plan({}, { refused: 6 })).toEqual({
      kind: "give-up",
      message: "it failed; given up after 6 tries",
    });
    expect(plan({ kind: cut }, { refused: 6, cut: 2 })).toMatchObject({ kind: "wait", attempt: 2 });
    expect(plan({ kind: cut }, { refused: 0, cut: 6 }).kind).toBe("give-up");
  });

  test("when the next wait would be longer than what is left of the time", () => {
    expect(plan({}, { refused: 3, elapsedMs: 295_000 })).toEqual({
      kind: "give-up",
      message: "it failed; given up after 5 min",
    });
  });

  test("at once where the provider is free again too late, and says when", () => {
    const error = { kind: "rate_limit", retryAfterMs: 12_000_000 } as const;
    expect(plan(error, {}, HEADLESS)).toEqual({
      kind: "give-up",
      message:
        "it failed; it is free again in 3 h 20 min (2026-01-01 15:20 UTC), and burin waits 15 min at most",
    });
  });

  test("at once where another try cannot help", () => {
    expect(plan({ kind: "auth", retryable: false })).toEqual({
      kind: "give-up",
      message: "it failed",
    });
  });

  test("at once where a quota is used up, and says when it is renewed", () => {
    const error = { kind: "quota", retryable: false, retryAfterMs: 90_000 } as const;
    expect(plan(error)).toEqual({
      kind: "give-up",
      message: "it failed; it is free again in 90 s (2026-01-01 12:01 UTC)",
    });
  });

  test("at once, without a word, where no tries are wanted", () => {
    expect(plan({}, {}, { ...INTERACTIVE, tries: 0 })).toEqual({
      kind: "give-up",
      message: "it failed",
    });
  });
});

test.each([
  [0, "0 s"],
  [1, "1 s"],
  [45_000, "45 s"],
  [300_000, "5 min"],
  [7_200_000, "2 h"],
  [7_260_000, "2 h 1 min"],
])("%d ms are %s", (ms, words) => {
  expect(spoken(ms)).toBe(words);
});
