// From a pattern to a matcher for lines of bytes: what to look for first, and the engine that decides about a line.
import { invalid, ok, type Result } from "../base/failure.ts";
import { isAscii, type Bytes } from "./bytes.ts";
import { byteOffset, isUtf8, textOf } from "./line-text.ts";
import { automatonOf } from "./regex-automaton.ts";
import { finderOf, type Finder } from "./regex-javascript.ts";
import { needlesOf, type Needles } from "./regex-literal.ts";
import { parseRegex } from "./regex-parse.ts";
import { programOf } from "./regex-program.ts";
import { spanFrom, type Span } from "./regex-spans.ts";
import { hasTextAnchor, isIrregular, matchesNewline, type Node } from "./regex-tree.ts";

export type Query = {
  pattern: string;
  /** Otherwise the pattern is plain text. */
  regex: boolean;
  ignoreCase: boolean;
  /** A match may go over several lines. */
  multiline: boolean;
};

/** What to look for in the bytes before any engine runs. */
export type Prefilter =
  /** `isMatch`: to find these bytes is to match. */
  | { kind: "bytes"; needle: Buffer; isMatch: boolean }
  /** A plain choice of texts, over the bytes as a latin1 string. */
  | { kind: "choice"; regex: RegExp }
  | { kind: "none" };

export type Matcher = {
  multiline: boolean;
  prefilter: Prefilter;
  /** Whether the engine could need more than linear time: then its time is watched and long lines are left out. */
  isBounded: boolean;
  /** `isAscii`: the line is known to be. */
  matches(line: Bytes, isAscii: boolean): boolean;
  /** The first match from a byte on, as bytes from the start of the line; for `multiline` the line is a whole file. */
  find(line: Bytes, from: number): Span | null;
};

export function matcherOf(query: Query): Result<Matcher> {
  if (query.pattern === "") return invalid("the pattern is empty; give the text to look for");
  const parsed = query.regex ? parseRegex(query.pattern, query.ignoreCase) : ok(literalTree(query));
  if (!parsed.ok) return parsed;
  const crosses = matchesNewline(parsed.value, "anything");
  // Plain text with a line break can only be meant as such.
  const multiline = query.multiline
    ? crosses || hasTextAnchor(parsed.value)
    : crosses && !query.regex;
  if (!multiline && query.regex && matchesNewline(parsed.value, "newline only")) {
    return invalid(
      "the regex names a line break but lines are searched one by one; set multiline: true",
    );
  }
  const engine = engineOf(parsed.value, query.pattern);
  if (!engine.ok) return engine;
  const { matches, find } = overBytes(engine.value, !query.regex && !isAscii(query.pattern));
  const prefilter = prefilterOf(parsed.value);
  return ok({ multiline, prefilter, isBounded: engine.value.isBounded, matches, find });
}

function literalTree(query: Query): Node {
  const parts = Array.from(query.pattern, (point) => ({
    kind: "char" as const,
    code: point.codePointAt(0) ?? 0,
    fold: query.ignoreCase,
  }));
  return { kind: "sequence", parts };
}

type Engine = { isBounded: boolean; matches(text: string): boolean; find: Finder };

function engineOf(tree: Node, pattern: string): Result<Engine> {
  const literal = plainText(tree);
  if (literal !== null) {
    const find: Finder = (text, from) => {
      const start = text.indexOf(literal, from);
      return start < 0 ? null : { start, end: start + literal.length };
    };
    return ok({ isBounded: false, matches: (text) => text.includes(literal), find });
  }
  const program = isIrregular(tree) ? null : programOf(tree);
  if (program !== null) {
    const automaton = automatonOf(program);
    const find: Finder = (text, from) => spanFrom(program, text, from);
    return ok({ isBounded: false, matches: (text) => automaton.matches(text), find });
  }
  const finder = finderOf(tree, pattern);
  if (!finder.ok) return finder;
  return ok({
    isBounded: true,
    matches: (text) => finder.value(text, 0) !== null,
    find: finder.value,
  });
}

/** The text of a tree that is nothing else. */
function plainText(tree: Node): string | null {
  const parts = tree.kind === "sequence" ? tree.parts : [tree];
  let text = "";
  for (const part of parts) {
    if (part.kind !== "char" || part.fold) return null;
    text += String.fromCodePoint(part.code);
  }
  return text;
}

/** `tryLatin`: bytes that are not UTF-8 are also read as Latin-1, so that `café` is found in either encoding. */
function overBytes(engine: Engine, tryLatin: boolean): Pick<Matcher, "matches" | "find"> {
  return {
    matches(line, isPlain) {
      if (isPlain) return engine.matches(line);
      const text = textOf(line);
      return engine.matches(text) || (tryLatin && !isUtf8(text) && engine.matches(line));
    },
    find(line, from) {
      const text = textOf(line);
      if (text === line) return engine.find(text, from);
      const span = engine.find(text, textOf(line.slice(0, from)).length);
      if (span !== null)
        return { start: byteOffset(text, span.start), end: byteOffset(text, span.end) };
      return tryLatin && !isUtf8(text) ? engine.find(line, from) : null;
    },
  };
}

function prefilterOf(tree: Node): Prefilter {
  const needles = needlesOf(tree);
  if (needles === null) return { kind: "none" };
  const all = needles.texts.flatMap(encodings);
  const [one] = all;
  if (!needles.fold && all.length === 1 && one !== undefined) {
    return { kind: "bytes", needle: Buffer.from(one, "latin1"), isMatch: plainText(tree) !== null };
  }
  return { kind: "choice", regex: choiceOf(needles, all) };
}

/** As UTF-8, and as Latin-1 where that differs. */
function encodings(text: string): Bytes[] {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  return isAscii(text) || /[^\0-\xff]/.test(text) ? [bytes] : [bytes, text];
}

function choiceOf(needles: Needles, all: readonly Bytes[]): RegExp {
  const sources = all.map((bytes) =>
    bytes
      .replaceAll(
        /[^A-Za-z0-9]/g,
        (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`,
      )
      // Two letters have another case outside ASCII: the Kelvin sign and the long s.
      .replaceAll(
        /(\\x..)|([kK])|([sS])/g,
        (part, escape: string | undefined, k: string | undefined) => {
          if (escape !== undefined || !needles.fold) return part;
          return k === undefined ? "(?:s|\\xc5\\xbf)" : "(?:k|\\xe2\\x84\\xaa)";
        },
      ),
  );
  return RegExp(sources.join("|"), needles.fold ? "gi" : "g");
}
