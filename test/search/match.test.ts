// Patterns to matching lines: literals, regexes in rg spelling, spans, and what must never hang.
import { expect, test } from "bun:test";
import { toBytes } from "../../src/search/bytes.ts";
import { matcherOf, type Matcher, type Query } from "../../src/search/match.ts";
import { seekIn } from "../../src/search/seek.ts";
import { forSeeds, type Random } from "../support/random.ts";

function matcher(pattern: string, changes: Partial<Query> = {}): Matcher {
  const query = { pattern, regex: true, ignoreCase: false, multiline: false, ...changes };
  const made = matcherOf(query);
  if (!made.ok) throw new Error(JSON.stringify(made.failure));
  return made.value;
}

/** The matched part of a text, or null. */
function found(pattern: string, text: string, changes: Partial<Query> = {}): string | null {
  const made = matcher(pattern, changes);
  const line = toBytes(text);
  const span = made.matches(line, false) ? made.find(line) : null;
  return span && Buffer.from(line, "latin1").subarray(span.start, span.end).toString("utf8");
}

function failure(pattern: string, changes: Partial<Query> = {}): string | null {
  const made = matcherOf({ pattern, regex: true, ignoreCase: false, multiline: false, ...changes });
  return made.ok || made.failure.kind !== "invalid" ? null : made.failure.what;
}

type Row = [pattern: string, text: string, part: string | null];

const TABLES: Record<string, Row[]> = {
  "the leftmost match is found, and of several the one a backtracking engine prefers": [
    ["a|ab", "xab", "a"],
    ["ab|a", "xab", "ab"],
    ["a+", "baaa", "aaa"],
    ["a+?", "baaa", "a"],
    ["a{2}", "aaa", "aa"],
    ["a{2,}?", "aaaa", "aa"],
    ["a{,2}b", "aaab", "aab"],
    ["(a|b)*c", "ababc", "ababc"],
    ["x*", "axx", ""],
    ["(?:a*)*b", "aab", "aab"],
    ["<.*?>", "<a><b>", "<a>"],
    ["a**", "aa", "aa"],
  ],
  "ripgrep's spellings are accepted": [
    ["(?i)needle", "a NEEDLE", "NEEDLE"],
    ["a(?i)b", "aB", "aB"],
    ["(?i:a)b", "Ab", "Ab"],
    ["(?i)a(?-i)b", "AB", null],
    ["(?P<year>\\d{4})-", "in 2024-", "2024-"],
    ["[[:alpha:]]+", "12ab3", "ab"],
    ["[^[:space:]]+", "  ab ", "ab"],
    ["[[:^digit:]]+", "1ab2", "ab"],
    ["\\Aab\\z", "ab", "ab"],
    ["\\h+x", "a \tx", " \tx"],
    ["(?x) a b # words\n c", "abc", "abc"],
    ["(?U)a+", "aaa", "a"],
    ["\\x41\\x{1F600}\\u0042", "A😀B", "A😀B"],
    ["\\pL\\p{Greek}\\p{Lu}", "xαA", "xαA"],
    ["\\P{L}", "a1", "1"],
    ["\\<foo\\>", "foobar foo", "foo"],
    ["[a-z&&[^aeiou]]+", "aeixyz", "xyz"],
    ["[a-z--[m-z]]+", "xyabc", "abc"],
    ["[]a]+", "x]a", "]a"],
    ["[^]]+", "]ab", "ab"],
    ["[a\\]\\-]+", "x-]a", "-]a"],
  ],
  "letters, digits, space and word boundaries are Unicode's": [
    ["\\w+", "-naïve-", "naïve"],
    ["\\bé", "aé é", "é"],
    ["\\d+", "a٣", "٣"],
    ["\\s", "a\u00a0b", "\u00a0"],
    ["^.$", "😀", "😀"],
    ["(?i)É", "é", "é"],
    ["(?i)k", "\u212a", "\u212a"],
    ["(?i)s", "ſ", "ſ"],
    ["[а-я]+", "да", "да"],
  ],
  "a carriage return belongs to the line": [
    ["foo$", "foo\r", null],
    ["foo\r$", "foo\r", "foo\r"],
    ["foo.$", "foo\r", "foo\r"],
  ],
  "lookaround and back-references work": [
    ["(?<!un)known", "unknown known", "known"],
    ["foo(?=bar)", "foo foobar", "foo"],
    ["(a|b)\\1", "abb", "bb"],
    ["(?<q>['\"]).*?\\k<q>", "a 'x\"' b", "'x\"'"],
    ["(?P<q>x)(?P=q)", "xx", "xx"],
    ["(?i)(?=é)\\w", "É", "É"],
    ["^(?!#)\\w+$", "abc", "abc"],
  ],
};

for (const [name, rows] of Object.entries(TABLES)) {
  test(name, () => {
    expect(rows.map(([pattern, text]) => [pattern, text, found(pattern, text)])).toEqual(rows);
  });
}

test("a pattern that is not a regex is told from one, with the place and the way out", () => {
  const wrong = [
    "foo(",
    "foo)",
    "*a",
    "a|*",
    "[a",
    "a{",
    "a{3,1}",
    "\\y",
    "(?<1>a)",
    "[z-a]",
    "[[:x:]]",
    "\\p{No}x{",
    "(?q)a",
    "a\\",
    "\\2(a",
    "a{2000}",
  ];
  for (const pattern of wrong) {
    expect([pattern, failure(pattern)]).toEqual([pattern, expect.stringContaining("is not valid")]);
    expect([pattern, failure(pattern, { regex: false })]).toEqual([pattern, null]);
  }
  expect(failure("foo(")).toBe(
    'the regex "foo(" is not valid: unclosed (; write \\( for a parenthesis (character 4); without regex: true the pattern is plain text',
  );
});

test("a named line break needs multiline, plain text with one does not", () => {
  expect(failure("a\\nb")).toContain("multiline: true");
  expect(matcher("a\nb", { regex: false }).multiline).toBe(true);
  expect(matcher("a[^x]b").multiline).toBe(false);
  expect(matcher("a[^x]b", { multiline: true }).multiline).toBe(true);
  expect(matcher("ab", { multiline: true }).multiline).toBe(false);
});

test("plain text is taken as it is", () => {
  expect(found("a.b(", "a.b(", { regex: false })).toBe("a.b(");
  expect(found("a.b", "axb", { regex: false })).toBeNull();
  expect(found("É(", "é(", { regex: false, ignoreCase: true })).toBe("é(");
  expect(found("ß", "ẞ", { regex: false, ignoreCase: true })).toBe("ẞ");
});

test("bytes that are not UTF-8 match nothing but plain text in Latin-1", () => {
  const line = "caf\xe9 end";
  const matches = (pattern: string, changes: Partial<Query> = {}): boolean =>
    matcher(pattern, changes).matches(line, false);
  const asked = ["caf.", "caf[^x]", "caf\\W", "caf"].map((pattern) => matches(pattern));
  expect(asked).toEqual([false, false, false, true]);
  expect(matcher("end").find(line)).toEqual({ start: 5, end: 8 });
  expect(matcher("café", { regex: false }).find(line)).toEqual({ start: 0, end: 4 });
});

test("a text that every match contains is looked for first", () => {
  const kinds: [string, string[] | null][] = [
    ["foo", ["foo"]],
    ["\\w+foo\\d", ["foo"]],
    ["ab(c|d)e", ["abce", "abde"]],
    ["(foo|ba)+x?", ["foo", "ba"]],
    ["x*longer|other", ["longer", "other"]],
    ["colou?r", ["colour", "color"]],
    ["\\w+", null],
    ["(foo)?", null],
    ["a|\\d", null],
  ];
  for (const [pattern, texts] of kinds) {
    expect([pattern, needles(matcher(pattern))]).toEqual([pattern, texts]);
  }
});

function needles({ prefilter }: Matcher): string[] | null {
  if (prefilter.kind === "none") return null;
  return prefilter.needles.map(
    ({ before, forms, after }) => before + (forms[0]?.toString() ?? "") + after,
  );
}

test("patterns that run away in other engines are decided in no time", () => {
  const line = "a".repeat(20_000);
  for (const pattern of [
    "(a+)+$b",
    "(a|aa)+b",
    "(a*)*b",
    "(.*)(.*)(.*)(.*)x",
    "(\\w+\\s?)+:",
    "a{1,50}{1,5}b",
  ]) {
    expect([pattern, matcher(pattern).matches(line, true)]).toEqual([pattern, false]);
  }
});

test("memory stays bounded where an automaton would grow without end", () => {
  const made = matcher("[ab]*a[ab]{14}c");
  let line = "";
  for (let at = 1; line.length < 60_000; at += 1)
    line += at.toString(2).replaceAll("0", "a").replaceAll("1", "b");
  expect(made.matches(line, true)).toBe(false);
  const matching = `${line}a${"b".repeat(14)}c`;
  expect(made.matches(matching, true)).toBe(true);
  expect([line, matching].map((text) => made.skim?.(Buffer.from(text), 0))).toEqual([
    -1,
    matching.length,
  ]);
});

const ATOMS = [
  "a",
  "b",
  "ab",
  ".",
  "[ab]",
  "[^a]",
  "\\w",
  "\\d",
  "\\s",
  "\\b",
  "^",
  "$",
  "(a|b)",
  "(?:ab|b)",
  "x",
];
const COUNTS = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}"];

function someRegex(chance: Random): string {
  const parts = Array.from({ length: 1 + chance.int(4) }, () => {
    const atom = chance.pick(ATOMS);
    return atom + (/^[\^$]$|^\\b$/.test(atom) ? "" : chance.pick(COUNTS));
  });
  return parts.join("") + (chance.chance(0.2) ? `|${chance.pick(ATOMS)}` : "");
}

test("on ASCII lines the engines say what JavaScript's own says", () => {
  forSeeds(600, (chance) => {
    const source = someRegex(chance);
    const made = matcher(source);
    for (let left = 6; left > 0; left -= 1) {
      const line = Array.from({ length: chance.int(9) }, () =>
        chance.pick(["a", "b", "x", " ", "1"]),
      ).join("");
      const match = RegExp(source).exec(line);
      const expected = match && { start: match.index, end: match.index + match[0].length };
      const actual = made.matches(line, true) ? made.find(line) : null;
      expect({ source, line, actual }).toEqual({ source, line, actual: expected });
      if (expected)
        expect({ source, line, passes: passes(made, line) }).toEqual({
          source,
          line,
          passes: true,
        });
    }
  });
});

/** Whether the prefilter lets a line through. */
function passes({ prefilter }: Matcher, line: string): boolean {
  return prefilter.kind === "none" || seekIn(prefilter, Buffer.from(line, "latin1"))(0) >= 0;
}

test("no pattern of any characters throws or hangs", () => {
  const pieces = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "+",
    "?",
    "|",
    "^",
    "$",
    ".",
    "\\",
    "a",
    "-",
    "&&",
    "--",
    ",",
    "2",
    "(?",
    "(?<",
    "P<n>",
    ":",
    "=",
    "!",
    "[:",
    ":]",
    "i",
    "x",
    "\\p",
    "\\x",
    "é",
    "\n",
    "😀",
    "\ud800",
  ];
  forSeeds(3_000, (chance) => {
    const source = Array.from({ length: 1 + chance.int(10) }, () => chance.pick(pieces)).join("");
    const made = matcherOf({
      pattern: source,
      regex: true,
      ignoreCase: chance.chance(0.5),
      multiline: chance.chance(0.5),
    });
    if (!made.ok) return;
    for (const line of ["", "a", "\xff\xe9a(", "aé".repeat(5)]) {
      if (made.value.matches(toBytes(line), false)) made.value.find(toBytes(line));
    }
  });
});
