// Values of flags: numbers and durations, read whole or refused.
import { expect, test } from "bun:test";
import { duration, positiveNumber, wholeNumber } from "../../src/cli/values.ts";

const valueOf = <T>(
  result: { ok: true; value: T } | { ok: false; failure: { kind: string } },
): T | string => (result.ok ? result.value : result.failure.kind);

test.each([
  [undefined, null],
  ["1", 1],
  ["500", 500],
  ["0", "invalid"],
  ["-1", "invalid"],
  ["1.5", "invalid"],
  ["1e3", "invalid"],
  ["", "invalid"],
  [" 1", "invalid"],
  ["99999999999999999999", "invalid"],
])("whole number %p: %p", (text, value) => {
  expect(valueOf(wholeNumber("--x", text))).toBe(value);
});

test.each([
  [undefined, null],
  ["0", 0],
  ["0.7", 0.7],
  ["-1", "invalid"],
  ["", "invalid"],
  [" ", "invalid"],
  ["NaN", "invalid"],
  ["Infinity", "invalid"],
  ["1,5", "invalid"],
])("number %p: %p", (text, value) => {
  expect(valueOf(positiveNumber("--x", text))).toBe(value);
});

test.each([
  [undefined, null],
  ["90", 90_000],
  ["90s", 90_000],
  ["10m", 600_000],
  ["1h30m", 5_400_000],
  ["250ms", 250],
  ["1.5s", 1500],
  ["", "invalid"],
  ["s", "invalid"],
  ["-1s", "invalid"],
  ["1s x", "invalid"],
  ["1d", "invalid"],
])("duration %p: %p", (text, value) => {
  expect(valueOf(duration("--x", text))).toBe(value);
});
