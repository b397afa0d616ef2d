// The nearest of some names to a mistyped one.
import { expect, test } from "bun:test";
import { nearest } from "../../src/base/nearest.ts";

const KNOWN = ["--model", "--mode", "--deny", "--max-rounds", "sessions", "-x"];

test.each([
  ["--modl", "--model"],
  ["--MODE", "--mode"],
  ["--dney", "--deny"],
  ["sesions", "sessions"],
  ["session", "sessions"],
  ["--max-round", "--max-rounds"],
  ["--wholly-other", null],
  ["", null],
  ["x".repeat(100_000), null],
])("%p is meant as %p", (name, meant) => {
  expect(nearest(name, KNOWN)).toBe(meant);
});

test("without names there is none", () => {
  expect(nearest("a", [])).toBeNull();
});
