// The bounded fuzzy search: what it tolerates, how it says so, and what it refuses.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sentence } from "../../src/base/failure.ts";
import { editBytes, editText, type Edit } from "../../src/tools/edit-text.ts";
import { unless } from "../support/unless.ts";

/** The new text and the remarks, or the sentence of the refusal. */
function edited(text: string, oldText: string, newText: string): string[] {
  const result = editText(text, [{ oldText, newText }]);
  return result.ok ? [result.value.result, ...result.value.remarks] : [sentence(result.failure)];
}

describe("a quote may differ in", () => {
  test.each<[string, string, string, string, string, string]>([
    [
      "whitespace at line ends of the file",
      "a  \nb\t\nc\n",
      "a\nb",
      "x\ny",
      "x\ny\t\nc\n",
      "whitespace at line ends",
    ],
    [
      "whitespace at its own line ends",
      "a\nb\nc\n",
      "a \nb  ",
      "x",
      "x\nc\n",
      "whitespace at line ends",
    ],
    ["quotes", "say(“hi”, ‘x’)\n", `say("hi", 'x')`, "hush()", "hush()\n", "typographic quotes"],
    ["dashes in the midst of a line", "a 1–2 b\n", "1-2", "3", "a 3 b\n", "typographic dashes"],
    ["spaces", "a\u00a0b\n", "a b", "c", "c\n", "unusual spaces"],
    ["composition", "cafe\u0301 = 1\n", "café = 1", "tea = 1", "tea = 1\n", "composed characters"],
    [
      "the last newline of the file",
      "a\nb",
      "b\n",
      "c\n",
      "a\nc",
      "a newline that is missing at the end of the file",
    ],
    [
      "line numbers",
      "alpha\n\nbeta\n",
      "7\talpha\n8\n9\tbeta",
      "x",
      "x\n",
      "line numbers from read",
    ],
    [
      "numbers with anchors",
      "alpha\nbeta\n",
      "1:ab12\talpha\n2:3f00\tbeta",
      "1:ab12\tx\n2:3f00\ty",
      "x\ny\n",
      "line numbers from read",
    ],
  ])("%s", (...[, text, oldText, newText, wanted, tolerated]) => {
    expect(edited(text, oldText, newText)).toEqual([wanted, `tolerated ${tolerated}`]);
  });

  const INDENT = "tolerated another indentation, given to newText too";

  test.each<[string, string, string, string, string]>([
    [
      "too little",
      "  if a:\n    b\n",
      "if a:\n  b",
      "if a:\n  b\n    c",
      "  if a:\n    b\n      c\n",
    ],
    [
      "too much",
      "if a:\n  b\n",
      "    if a:\n      b",
      "    if a:\n      c\n    d",
      "if a:\n  c\nd\n",
    ],
    [
      "spaces for tabs",
      "\tif a:\n\t\tb\n",
      "    if a:\n        b",
      "    if a:\n        b\n            c",
      "\tif a:\n\t\tb\n\t\t\tc\n",
    ],
    [
      "tabs for spaces",
      "  if a:\n    b\n",
      "\tif a:\n\t\tb",
      "\tif a:\n\t\tb\n\t\t\tc",
      "  if a:\n    b\n      c\n",
    ],
    ["one level of tabs", "\ta()\n", "    a()", "    a()\n        b()", "\ta()\n\t\tb()\n"],
    [
      "another unit",
      "if a:\n    b\n",
      "if a:\n  b",
      "if a:\n  b\n    c",
      "if a:\n    b\n        c\n",
    ],
    ["less than everything quoted", "    a\n    b\n", "  a\n  b", "c\n  b", "  c\n    b\n"],
    ["blank lines that hold blanks", "  a\n \t\n  b\n", "a\n\nb", "a\n\nc", "  a\n\n  c\n"],
  ])("indentation: %s", (...[, text, oldText, newText, wanted]) => {
    const [result, remark] = edited(text, oldText, newText);
    expect([result, remark?.startsWith(INDENT)]).toEqual([wanted, true]);
  });

  test("several of these at once, each named", () => {
    expect(edited("\tsay(“a”)  \n\tend\n", '  say("a")\n  end', "  x")).toEqual([
      "\tx\n",
      "tolerated another indentation, given to newText too, typographic quotes, whitespace at line ends",
    ]);
  });

  test("line ends of the file, which the new text gets", () => {
    expect(edited("a  \r\nb\r\n", "a\nb", "x\ny")).toEqual([
      "x\r\ny\r\n",
      "tolerated whitespace at line ends",
    ]);
  });
});

test("the bytes beside the place stay, in whatever spelling", () => {
  const file = Buffer.from("\ufeff“a”  \r\nx = ‘1’\ne\u0301 –\t");
  const result = editBytes(file, [{ oldText: "x = '1'", newText: "x = '2'" }]);
  expect(result.ok && Buffer.from(result.value.result).toString()).toBe(
    "\ufeff“a”  \r\nx = '2'\ne\u0301 –\t",
  );
});

describe("refuses", () => {
  test.each<[string, string, string]>([
    ["other words", "const a = 1;\n", "const b = 1;"],
    ["blanks between words", "x  =  1\n", "x = 1"],
    ["a line more", "a\nb\nc\n", "a\nc"],
    ["an ellipsis", "a\nb\nc\n", "a\n...\nc"],
    ["lines joined", "a + b\n", "a\n+ b"],
    ["an indentation that differs from line to line", "if a:\n    b\n    c\n", "  b\n      c"],
    ["an indentation that turns round", "a\n  b\n", "  a\nb"],
    ["half of a character", "“e\u0301”\n", '"e'],
    ["what goes on where the quote had blanks to the line end", "return x + 1\n", "return x   "],
    ["numbers that do not follow each other", "alpha\nbeta\n", "1\talpha\n3\tbeta"],
    ["numbered text in the midst of a line", "an alpha\n", "1\talpha"],
  ])("%s", (_, text, oldText) => {
    expect(edited(text, oldText, "NEW")[0]).toStartWith("oldText was not found");
  });

  test("two places, and names their lines", () => {
    expect(edited("a  \nb\n\n  a\n  b\n", "a\nb ", "x")).toEqual([
      "oldText is not there to the letter and resembles 2 places (lines 1, 4): quote more lines around the one that is meant, just as read shows them",
    ]);
    expect(edited("‘a’ ‘a’\n", "'a'", "x")).toEqual([
      "oldText is not there to the letter and resembles 2 places (line 1): quote more lines around the one that is meant, just as read shows them",
    ]);
  });

  test("new text of which only some lines are numbered, or indented as nothing explains", () => {
    expect(edited("a\nb\n", "1\ta\n2\tb", "1\ta\nnew")[0]).toStartWith(
      "oldText carries the line numbers",
    );
    expect(edited("  a\n", "        a", "    b")[0]).toStartWith(
      "oldText fits but for its indentation",
    );
  });

  test("a quote of blank lines alone", () => {
    expect(edited("a\n \nb\n", "\n\n\n", "NEW")[0]).toStartWith("oldText is only blank lines");
  });

  test("to replace all where nothing is there to the letter", () => {
    const result = editText("a  \n", [{ oldText: "a\n", newText: "b\n", all: true }]);
    expect(result.ok).toBe(false);
  });

  test("everything but the letter where the settings say exact", () => {
    const edit = { oldText: "a\nb", newText: "x" };
    expect([editText("a \nb\n", [edit]).ok, editText("a \nb\n", [edit], true).ok]).toEqual([
      true,
      false,
    ]);
  });
});

test("an exact place goes before all that resemble it", () => {
  expect(edited("a\nb\n a\n b\n a\n b\n", "a\nb\n a", "x")).toEqual(["x\n b\n a\n b\n"]);
});

test("of several edits each says what it needed", () => {
  const edits: Edit[] = [
    { oldText: "one", newText: "1" },
    { oldText: '"two"', newText: "2" },
  ];
  const result = editText("one\n“two”\n", edits);
  expect(result.ok && result.value).toEqual({
    result: "1\n2\n",
    replacements: 2,
    remarks: ["edit 2 of 2: tolerated typographic quotes"],
  });
});

describe("answers in time", () => {
  const many = "    }\n".repeat(100_000);
  test.each<[string, string, string]>([
    ["lines that repeat", many, `${"  }\n".repeat(20_000)}x`],
    ["lines that repeat and never fit", `${many}  }\n`, `${"  }\n".repeat(20_000)} }`],
    ["a line of blanks", `${" ".repeat(500_000)}x`, "y  \nz"],
    ["a long line that almost fits everywhere", "“a”".repeat(300_000), `${'"a"'.repeat(3000)}b`],
    ["places inside a line without end", "é".repeat(1_000_000), "e\u0301"],
  ])("%s", (_, text, oldText) => {
    expect(edited(text, oldText, "NEW")[0]).not.toContain("NEW");
  });
});

type Want = string | { b64: string } | { refuse: string[] };
type Case = { id: string; want: "gen" | { fuzzy: Want | Want[] } };
type Got = { ok: boolean; bytes: Buffer };
type Kit = {
  cases: Case[];
  fileBytes(one: Case): Buffer;
  editsOf(one: Case): { old: string; new: string; all?: boolean }[];
  check(one: Case, engine: "fuzzy" | "eol", got: Got): string | null;
};

const CASES = join(import.meta.dir, "..", "..", "..", "shared", "cases", "edits", "run.mjs");

unless(!existsSync(CASES) && "the shared cases are not beside this checkout").each([
  "fuzzy",
  "eol",
] as const)("the shared edit cases hold for the %s engine", async (engine) => {
  const kit: Kit = await import(CASES);
  for (const one of kit.cases) {
    const bytes = kit.fileBytes(one);
    const edits = kit
      .editsOf(one)
      .map(({ old: oldText, new: newText, all }) => ({ oldText, newText, all }));
    const result = editBytes(bytes, edits, engine === "eol");
    const got = { ok: result.ok, bytes: result.ok ? Buffer.from(result.value.result) : bytes };
    expect({ id: one.id, complaint: kit.check(one, engine, got) }).toEqual({
      id: one.id,
      complaint: null,
    });
  }
});
