// Arguments as models write them: what is accepted, and what a mistake is told.
import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { sentence } from "../../src/base/failure.ts";
import { defineArguments } from "../../src/tools/arguments.ts";

const args = defineArguments(
  "demo",
  v.strictObject({
    path: v.string(),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    all: v.optional(v.boolean()),
    kind: v.optional(v.picklist(["file", "dir"])),
    edits: v.optional(v.array(v.strictObject({ oldText: v.string(), newText: v.string() }))),
    files: v.optional(v.pipe(v.array(v.strictObject({ path: v.string() })), v.maxLength(2))),
  }),
);

function parsed(input: unknown): unknown {
  const result = args.parse(input);
  return result.ok ? result.value : sentence(result.failure);
}

describe("accepted are", () => {
  test.each([
    ["names of other tools", { file_path: "x", replace_all: true }, { path: "x", all: true }],
    [
      "numbers and booleans as text",
      { path: "x", limit: "5", all: "true" },
      { path: "x", limit: 5, all: true },
    ],
    ["null for what is left out", { path: "x", limit: null }, { path: "x" }],
    [
      "a list as JSON text",
      { path: "x", files: '[{"path":"a"}]' },
      { path: "x", files: [{ path: "a" }] },
    ],
    [
      "paths for files",
      { path: "x", files: ["a", "b"] },
      { path: "x", files: [{ path: "a" }, { path: "b" }] },
    ],
    [
      "one thing for a list of it",
      { path: "x", files: { path: "a" } },
      { path: "x", files: [{ path: "a" }] },
    ],
    [
      "other names inside lists",
      { path: "x", edits: [{ old_string: "a", new_string: "b" }] },
      { path: "x", edits: [{ oldText: "a", newText: "b" }] },
    ],
    ["a list of one text for a text", { path: ["x"] }, { path: "x" }],
    ["a number for a text", { path: 404 }, { path: "404" }],
    ["an explanation", { path: "x", description: "why" }, { path: "x" }],
    ["a number that was meant as text", { path: "007" }, { path: "007" }],
  ])("%s", (_, input, wanted) => {
    expect(parsed(input)).toEqual(wanted);
  });
});

describe("told is", () => {
  test.each([
    ["what is missing", {}, "demo: path is missing. Nothing was done"],
    [
      "the nearest name",
      { path: "x", limt: 3 },
      "demo: there is no argument limt: did you mean limit? Nothing was done",
    ],
    [
      "all names, where none is near",
      { path: "x", zzzzzz: 3 },
      "demo: there is no argument zzzzzz: it takes path, limit, all, kind, edits, files. Nothing was done",
    ],
    [
      "what was expected",
      { path: "x", limit: 0 },
      "demo: limit must be a whole number, 1 or more, not 0. Nothing was done",
    ],
    [
      "the choice",
      { path: "x", kind: "link" },
      'demo: kind must be one of file, dir, not "link". Nothing was done',
    ],
    [
      "the place in a list",
      { path: "x", edits: [{ oldText: "a" }] },
      "demo: newText is missing in edits.0. Nothing was done",
    ],
    [
      "a list too long",
      { path: "x", files: ["a", "b", "c"] },
      "demo: files must be a list of 0 to 2, not 3. Nothing was done",
    ],
    [
      "that it is one object",
      [1],
      "demo: the arguments must be one JSON object with path, limit, all, kind, edits, files. Nothing was done",
    ],
  ])("%s", (_, input, wanted) => {
    expect(parsed(input)).toBe(wanted);
  });
});
