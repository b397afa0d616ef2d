// When a limit that is used up is free again, as the providers' own headers say it.
import { expect, test } from "bun:test";
import { retryAfter } from "../../src/model/retry-after.ts";

const DATE = "Thu, 01 Jan 2026 12:00:00 GMT";
const NOON_S = Date.UTC(2026, 0, 1, 12) / 1000;

test.each<[what: string, headers: Record<string, string>, ms: number | null]>([
  [
    "a duration",
    { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0.5s" },
    360_500,
  ],
  [
    "a duration below a second",
    { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms" },
    120,
  ],
  ["seconds", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }, 30_000],
  [
    "seconds since 1970",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOON_S + 9), date: DATE },
    9000,
  ],
  [
    "milliseconds since 1970",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String((NOON_S + 9) * 1000), date: DATE },
    9000,
  ],
  [
    "a date",
    {
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": "2026-01-01T12:00:20Z",
      date: DATE,
    },
    20_000,
  ],
  [
    "a window that is shut",
    {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(NOON_S + 3600),
      date: DATE,
    },
    3_600_000,
  ],
  [
    "the later of two that are used up",
    {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "2s",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "1m",
    },
    60_000,
  ],
  [
    "one of which there is something left",
    { "x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "1h" },
    null,
  ],
  ["nonsense", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" }, null],
  [
    "what is asked for goes before",
    { "retry-after": "1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" },
    1000,
  ],
])("%s", (_what, headers, ms) => {
  expect(retryAfter(headers, "")).toBe(ms);
});
