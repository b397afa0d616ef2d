// From a pattern to a matcher for lines of bytes: what to look for first, and the engine that decides about a line.
import { invalid, ok, type Result } from "../base/failure.ts";
import { isAscii, type Bytes } from "./bytes.ts";
import { byteLength, isUtf8, textOf } from "./line-text.ts";
import { prefilterOf, type Prefilter } from "./prefilter.ts";
import { automatonOf, type Automaton } from "./regex-automaton.ts";
import { finderOf, type Finder } from "./regex-javascript.ts";
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

export type Matcher = {
  /** What it was made from, by which another thread makes its own. */
  query: Query;
  multiline: boolean;
  prefilter: Prefilter;
  /** Whether the engine could need more than linear time: then its time is watched and long lines are left out. */
  isBounded: boolean;
  /** The automaton over the bytes of many lines, from a line's start on; null when the engine is another. */
  skim: Automaton["skim"] | null;
  /** `isAscii`: the line is known to be. */
  matches(line: Bytes, isAscii: boolean): boolean;
  /** The first match in a line that matches, as bytes from its start. */
  find(line: Bytes): Span | null;
  /** All matches in a whole file, one after the other. */
  findAll(content: Bytes): Generator<Span>;
};

export function matcherOf(query: Query): Result<Matcher> {
  const tree = treeOf(query);
  if (!tree.ok) return tree;
  const engine = engineOf(tree.value, query.pattern);
  if (!engine.ok) return engine;
  const { isBounded, skim } = engine.value;
  const tryLatin = !query.regex && !isAscii(query.pattern);
  return ok({
    query,
    multiline: isMultiline(query, tree.value),
    prefilter: prefilterOf(tree.value, plainText(tree.value) !== null),
    isBounded,
    skim,
    ...overBytes(engine.value, tryLatin),
  });
}

function treeOf(query: Query): Result<Node> {
  if (query.pattern === "") return invalid("the pattern is empty; give the text to look for");
  if (!query.regex) return ok(literalTree(query));
  const tree = parseRegex(query.pattern, query.ignoreCase);
  if (!tree.ok || query.multiline || !matchesNewline(tree.value, "newline only")) return tree;
  return invalid(
    "the regex names a line break but lines are searched one by one; set multiline: true",
  );
}

/** Plain text with a line break can only be meant as such. */
function isMultiline(query: Query, tree: Node): boolean {
  const crosses = matchesNewline(tree, "anything");
  return query.multiline ? crosses || hasTextAnchor(tree) : crosses && !query.regex;
}

function literalTree(query: Query): Node {
  const parts = Array.from(query.pattern, (point) => ({
    kind: "char" as const,
    code: point.codePointAt(0) ?? 0,
    fold: query.ignoreCase,
  }));
  return { kind: "sequence", parts };
}

type Engine = Pick<Matcher, "isBounded" | "skim"> & {
  matches(text: string): boolean;
  find: Finder;
};

function engineOf(tree: Node, pattern: string): Result<Engine> {
  const literal = plainText(tree);
  if (literal !== null) {
    const find: Finder = (text, from) => {
      const start = text.indexOf(literal, from);
      return start < 0 ? null : { start, end: start + literal.length };
    };
    return ok({ isBounded: false, skim: null, matches: (text) => text.includes(literal), find });
  }
  const program = isIrregular(tree) ? null : programOf(tree);
  if (program !== null) {
    const automaton = automatonOf(program);
    const find: Finder = (text, from) => spanFrom(program, text, from);
    return ok({
      isBounded: false,
      // Line by line each line's start is the text's.
      skim: hasTextAnchor(tree) ? null : automaton.skim,
      matches: (text) => automaton.endOf(text) >= 0,
      find,
    });
  }
  const finder = finderOf(tree, pattern);
  if (!finder.ok) return finder;
  return ok({
    isBounded: true,
    skim: null,
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

type OverBytes = Pick<Matcher, "matches" | "find" | "findAll">;

/** `tryLatin`: bytes that are not UTF-8 are also read as Latin-1, so that `café` is found in either encoding. */
function overBytes(engine: Engine, tryLatin: boolean): OverBytes {
  return {
    matches(line, isPlain) {
      if (isPlain) return engine.matches(line);
      const text = textOf(line);
      return engine.matches(text) || (tryLatin && !isUtf8(text) && engine.matches(line));
    },
    find(line) {
      const [first] = spans(engine, textOf(line));
      return first ?? (tryLatin ? engine.find(line, 0) : null);
    },
    findAll: (content) => spans(engine, textOf(content)),
  };
}

/** Matches in code units, turned to bytes from one to the next. */
function* spans(engine: Engine, text: string): Generator<Span> {
  const isPlain = isAscii(text);
  let done = { units: 0, bytes: 0 };
  const bytesAt = (units: number): number => {
    const bytes = isPlain ? units : done.bytes + byteLength(text, done.units, units);
    done = { units, bytes };
    return bytes;
  };
  for (let from = 0; from <= text.length;) {
    const match = engine.find(text, from);
    if (match === null) return;
    yield { start: bytesAt(match.start), end: bytesAt(match.end) };
    from = match.end > match.start ? match.end : match.end + 1;
  }
}
