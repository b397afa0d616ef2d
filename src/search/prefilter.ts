// What to look for in the bytes before any engine runs: texts of which every line that matches holds one.
import { isAscii, type Bytes } from "./bytes.ts";
import { needlesOf } from "./regex-literal.ts";
import type { Node } from "./regex-tree.ts";

/** A text, by the part of it that is looked for. */
export type Needle = {
  /** The part as it may stand there: in any case when letters are folded. */
  forms: readonly Buffer[];
  /** What must stand around the part, in lower case; empty when the part is all. */
  before: Bytes;
  after: Bytes;
};

export type Prefilter =
  /** `isMatch`: there is one, with one form, and to find it is to match. */
  { kind: "needles"; needles: readonly [Needle, ...Needle[]]; isMatch: boolean } | { kind: "none" };

const NONE: Prefilter = { kind: "none" };

/** Each form is one pass over the bytes: with more, an engine is as fast. */
const MAX_FORMS = 48;

/** `isPlain`: the pattern is nothing but a text. */
export function prefilterOf(tree: Node, isPlain: boolean): Prefilter {
  const known = needlesOf(tree);
  if (known === null) return NONE;
  const all = known.texts.flatMap(encodings).map(known.fold ? foldedNeedle : plainNeedle);
  const needles = all.filter((needle) => needle !== null);
  const [first, ...others] = needles;
  const forms = needles.reduce((sum, needle) => sum + needle.forms.length, 0);
  if (first === undefined || needles.length < all.length || forms > MAX_FORMS) return NONE;
  return {
    kind: "needles",
    needles: [first, ...others],
    isMatch: isPlain && !known.fold && forms === 1,
  };
}

/** As UTF-8, and as Latin-1 where that differs. */
function encodings(text: string): Bytes[] {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  return isAscii(text) || /[^\0-\xff]/.test(text) ? [bytes] : [bytes, text];
}

function plainNeedle(text: Bytes): Needle {
  return { forms: [Buffer.from(text, "latin1")], before: "", after: "" };
}

/** Longer parts have more forms than they are rarer. */
const MAX_PART = 3;

/** By the part that costs least to look for; null when every part has a letter with a third form. */
function foldedNeedle(text: Bytes): Needle | null {
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let best: { start: number; end: number; cost: number } | null = null;
  for (let start = 0; start < lower.length; start++) {
    for (let end = start + 1; end <= Math.min(lower.length, start + MAX_PART); end++) {
      const cost = costOf(lower.slice(start, end));
      if (cost < (best?.cost ?? Infinity)) best = { start, end, cost };
    }
  }
  if (best === null) return null;
  return {
    forms: formsOf(lower.slice(best.start, best.end)).map((form) => Buffer.from(form, "latin1")),
    before: lower.slice(0, best.start),
    after: lower.slice(best.end),
  };
}

/** For one byte of text, in nanoseconds: a pass for each form, and a closer look at each place found. */
const PASS_NS = 0.1;
const LOOK_NS = 60;

/** The Kelvin sign and the long s are other cases of these letters, and longer. */
const THREE_FORMS = /[ks]/;

function costOf(part: Bytes): number {
  if (THREE_FORMS.test(part)) return Infinity;
  let share = 1;
  for (const byte of part) share *= shareOf(byte);
  return formsOf(part).length * PASS_NS + share * LOOK_NS;
}

/** How many of 10,000 bytes of source code are this letter, in either case: a to z. */
const LETTERS = [
  386, 82, 247, 217, 735, 138, 107, 122, 405, 23, 50, 235, 149, 440, 397, 204, 11, 431, 430, 559,
  184, 57, 47, 59, 89, 34,
] as const;
const OTHER = 60;
const BLANK = 2_000;

function shareOf(byte: Bytes): number {
  const letter = LETTERS[byte.charCodeAt(0) - 97];
  return (letter ?? (byte === " " ? BLANK : OTHER)) / 10_000;
}

function formsOf(part: Bytes): Bytes[] {
  let forms = [""];
  for (const byte of part) {
    const cases = /[a-z]/.test(byte) ? [byte, byte.toUpperCase()] : [byte];
    forms = forms.flatMap((form) => cases.map((each) => form + each));
  }
  return forms;
}
