// Cells: widths, cutting and wrapping.
import { expect, test } from "bun:test";
import { cut, expandTabs, graphemes, width } from "../../src/base/cells.ts";
import { wrap } from "../../src/base/wrap.ts";
import { forSeeds } from "../support/random.ts";

const WORDS = [
  "a",
  "of",
  "word",
  "漢字",
  "かな",
  "👨‍👩‍👧",
  "🇩🇪",
  "é",
  "long-word-here",
  "\u001b[1mbold\u001b[22m",
];

test("a family, a flag and a letter with its accent are one grapheme each", () => {
  expect(graphemes("👨‍👩‍👧🇩🇪é漢")).toEqual(["👨‍👩‍👧", "🇩🇪", "é", "漢"]);
});

test("a cut text is never wider than asked, and says that it was cut", () => {
  expect([cut("hello", 5), cut("hello", 4), cut("漢字漢字", 4), cut("x", 0)]).toEqual([
    "hello",
    "hel…",
    "漢…",
    "",
  ]);
});

test("a cut keeps the escapes behind it, so that styles are closed", () => {
  expect(cut("\u001b[1mhello\u001b[22m", 3)).toBe("\u001b[1mhe…\u001b[22m");
});

test("tabs reach to the next stop of their own line", () => {
  expect(expandTabs("a\tb\n\tc")).toBe("a   b\n    c");
});

test("words longer than a row stay whole where they must be copyable", () => {
  const text = "see https://example.com/a/very/long/path now";
  expect(wrap(text, 10, { hard: false })).toEqual([
    "see",
    "https://example.com/a/very/long/path",
    "now",
  ]);
});

test("a style that goes over a break is closed and opened again", () => {
  expect(wrap("\u001b[1mone two\u001b[22m x", 4)).toEqual([
    "\u001b[1mone\u001b[0m",
    "\u001b[1mtwo\u001b[22m",
    "x",
  ]);
});

test("a link that goes over a break is a link in both rows", () => {
  const link = "\u001b]8;;http://a.b\u001b\\";
  const end = "\u001b]8;;\u001b\\";
  expect(wrap(`${link}one two${end}`, 4)).toEqual([`${link}one${end}`, `${link}two${end}`]);
});

test("closing a colour leaves italics on", () => {
  const rows = wrap("\u001b[3m\u001b[31mone\u001b[39m two\u001b[23m", 4);
  expect(rows[1]).toBe("\u001b[3mtwo\u001b[23m");
});

test("a word of a million letters is wrapped, whole or not", () => {
  const word = "A".repeat(1_000_000);
  expect(wrap(word, 80, { hard: false })).toEqual([word]);
  expect(wrap(word, 80).join("")).toBe(word);
  const blank = " ".repeat(1_000_000);
  expect(wrap(`${blank}\u001b[0m x`, 80, { hard: false })).toEqual([`${blank}\u001b[0m`, "x"]);
});

test("words stay whole at any width, and only the blanks at a break are lost", () => {
  const parts = ["a", "bb ", "   ", "long-word", "é", "👨‍👩‍👧", "\u001b[1m", "\u001b[22m"];
  forSeeds(500, (random) => {
    const text = Array.from({ length: random.int(30) }, () => random.pick(parts)).join("");
    const rows = wrap(text, 1 + random.int(12), { hard: false }).map((row) => Bun.stripANSI(row));
    const words = (line: string): string[] => line.split(" ").filter((word) => word !== "");
    expect(rows.flatMap(words)).toEqual(words(Bun.stripANSI(text)));
  });
});

test("no wrapped row is too wide, and no character is lost", () => {
  forSeeds(300, (random) => {
    const words = Array.from({ length: random.int(30) }, () => random.pick(WORDS));
    const text = words.join(" ");
    const columns = 4 + random.int(30);
    const rows = wrap(text, columns);
    const plain = (styled: string): string => Bun.stripANSI(styled).replaceAll(" ", "");
    expect(rows.filter((row) => width(row) > columns)).toEqual([]);
    expect(plain(rows.join(""))).toBe(plain(text));
  });
});
