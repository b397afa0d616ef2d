// Regular expressions in JavaScript's and ripgrep's spellings, parsed to a tree.
import { invalid, ok, type Result } from "../base/failure.ts";
import { readClass } from "./regex-class.ts";
import { cursorOver, eat, fault, isAtEnd, peek, take, until, type Cursor } from "./regex-cursor.ts";
import { readEscape } from "./regex-escape.ts";
import type { Anchor, Node } from "./regex-tree.ts";

/** i, m, s, U and x as in ripgrep, where `m` is on at the start. */
type Flags = { fold: boolean; lines: boolean; dotAll: boolean; lazy: boolean; spaced: boolean };

const MAX_DEPTH = 200;
const MAX_REPEAT = 1000;

export function parseRegex(pattern: string, ignoreCase: boolean): Result<Node> {
  const cursor = cursorOver(pattern);
  const flags: Flags = { fold: ignoreCase, lines: true, dotAll: false, lazy: false, spaced: false };
  const node = choice(cursor, flags, 0);
  if (!isAtEnd(cursor)) fault(cursor, "unopened ); write \\) for a parenthesis");
  if (cursor.fault === null) return ok(node);
  return invalid(
    `the regex ${JSON.stringify(pattern)} is not valid: ${cursor.fault}; without regex: true the pattern is plain text`,
  );
}

/** Options up to a closing parenthesis or the end. */
function choice(cursor: Cursor, outer: Flags, depth: number): Node {
  const options: Node[] = [];
  // A flag group holds to the end of the group around it, across `|`.
  const flags = { ...outer };
  if (depth > MAX_DEPTH) fault(cursor, "groups are nested too deeply");
  do options.push(sequence(cursor, flags, depth));
  while (eat(cursor, "|"));
  return options.length === 1 && options[0] ? options[0] : { kind: "choice", options };
}

function sequence(cursor: Cursor, flags: Flags, depth: number): Node {
  const parts: Node[] = [];
  for (;;) {
    if (flags.spaced) skipSpace(cursor);
    if (isAtEnd(cursor) || peek(cursor) === "|" || peek(cursor) === ")") break;
    if (readFlags(cursor, flags)) continue;
    parts.push(repeated(cursor, atom(cursor, flags, depth), flags));
  }
  return parts.length === 1 && parts[0] ? parts[0] : { kind: "sequence", parts };
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    if (/^\s$/.test(peek(cursor))) cursor.at++;
    else if (peek(cursor) !== "#") return;
    else if (until(cursor, "\n") === null) cursor.at = cursor.points.length;
  }
}

/** `(?flags)`: changes the flags for the rest of the group. */
function readFlags(cursor: Cursor, flags: Flags): boolean {
  const start = cursor.at;
  if (eat(cursor, "(?")) {
    const changed = flagsNamed(cursor, flags);
    if (changed !== null && eat(cursor, ")")) {
      Object.assign(flags, changed);
      return true;
    }
  }
  if (cursor.fault === null) cursor.at = start;
  return false;
}

const FLAGS: ReadonlyMap<string, keyof Flags | null> = new Map([
  ["i", "fold"],
  ["m", "lines"],
  ["s", "dotAll"],
  ["U", "lazy"],
  ["x", "spaced"],
  ["u", null],
  ["R", null],
]);

/** Null when what comes is no run of flag letters. */
function flagsNamed(cursor: Cursor, flags: Flags): Flags | null {
  const changed = { ...flags };
  let isOn = true;
  let count = 0;
  for (; peek(cursor) !== ")" && peek(cursor) !== ":"; count++) {
    const letter = take(cursor);
    const flag = FLAGS.get(letter);
    if (letter === "-" && isOn) isOn = false;
    else if (flag === undefined) return null;
    else if (flag !== null) changed[flag] = isOn;
  }
  return count > 0 ? changed : null;
}

function atom(cursor: Cursor, flags: Flags, depth: number): Node {
  const point = take(cursor);
  switch (point) {
    case "(":
      return group(cursor, flags, depth + 1);
    case "[":
      return { kind: "set", source: readClass(cursor), fold: flags.fold };
    case ".":
      return { kind: "set", source: flags.dotAll ? "[^]" : "[^\\n]", fold: false };
    case "^":
      return { kind: "anchor", at: flags.lines ? "line start" : "text start" };
    case "$":
      return { kind: "anchor", at: flags.lines ? "line end" : "text end" };
    case "\\":
      return escaped(cursor, flags);
    case "*":
    case "+":
    case "?":
    case "{":
      fault(cursor, `nothing to repeat before ${point}; write \\${point} for the character`);
      return { kind: "empty" };
    default:
      return { kind: "char", code: point.codePointAt(0) ?? 0, fold: flags.fold };
  }
}

const LOOKS = [
  ["?=", "ahead", false],
  ["?!", "ahead", true],
  ["?<=", "behind", false],
  ["?<!", "behind", true],
] as const;

/** Reads on after the opening parenthesis, to the closing one. */
function group(cursor: Cursor, flags: Flags, depth: number): Node {
  const look = LOOKS.find(([sign]) => eat(cursor, sign));
  if (look) {
    const node = closed(cursor, flags, depth);
    return { kind: "look", node, direction: look[1], isNegated: look[2] };
  }
  if (eat(cursor, "?P=")) return { kind: "back", to: until(cursor, ")") ?? "" };
  if (eat(cursor, "?P<") || eat(cursor, "?<")) return namedGroup(cursor, flags, depth);
  if (eat(cursor, "?")) return flagGroup(cursor, flags, depth);
  return { kind: "group", node: closed(cursor, flags, depth), name: null };
}

function namedGroup(cursor: Cursor, flags: Flags, depth: number): Node {
  const name = until(cursor, ">") ?? "";
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    fault(cursor, "a group's name is letters, digits and _, as in (?<name>…)");
  }
  return { kind: "group", node: closed(cursor, flags, depth), name };
}

/** `(?:…)`, and with flags that hold inside alone `(?i:…)`. */
function flagGroup(cursor: Cursor, flags: Flags, depth: number): Node {
  const inner = peek(cursor) === ":" ? flags : flagsNamed(cursor, flags);
  if (inner === null || !eat(cursor, ":")) fault(cursor, "unknown kind of group after (?");
  return closed(cursor, inner ?? flags, depth);
}

function closed(cursor: Cursor, flags: Flags, depth: number): Node {
  const node = choice(cursor, flags, depth);
  if (!eat(cursor, ")")) fault(cursor, "unclosed (; write \\( for a parenthesis");
  return node;
}

const ANCHORS: ReadonlyMap<string, Anchor> = new Map([
  ["b", "boundary"],
  ["B", "no boundary"],
  ["<", "word start"],
  [">", "word end"],
  ["A", "text start"],
  ["z", "text end"],
  ["Z", "text end"],
]);

function escaped(cursor: Cursor, flags: Flags): Node {
  const anchor = ANCHORS.get(peek(cursor));
  if (anchor !== undefined) {
    cursor.at++;
    return { kind: "anchor", at: anchor };
  }
  if (/^[1-9]$/.test(peek(cursor))) return { kind: "back", to: take(cursor) };
  if (eat(cursor, "k<")) return { kind: "back", to: until(cursor, ">") ?? "" };
  const escape = readEscape(cursor);
  return escape.kind === "char"
    ? { kind: "char", code: escape.code, fold: flags.fold }
    : { kind: "set", source: escape.source, fold: flags.fold };
}

/** The operators that follow; ripgrep allows several. */
function repeated(cursor: Cursor, first: Node, flags: Flags): Node {
  let node = first;
  for (;;) {
    if (flags.spaced) skipSpace(cursor);
    const times = readTimes(cursor);
    if (times === null) return node;
    const isLazy = eat(cursor, "?") !== flags.lazy;
    node = { kind: "repeat", node, ...times, isLazy };
  }
}

type Times = { min: number; max: number };

function readTimes(cursor: Cursor): Times | null {
  if (eat(cursor, "*")) return { min: 0, max: Infinity };
  if (eat(cursor, "+")) return { min: 1, max: Infinity };
  if (eat(cursor, "?")) return { min: 0, max: 1 };
  return eat(cursor, "{") ? readCounts(cursor) : null;
}

/** `{2}`, `{2,}`, `{,5}` or `{2,5}`, after the brace. */
function readCounts(cursor: Cursor): Times {
  const counts = COUNTS.exec(until(cursor, "}") ?? "");
  if (!counts) {
    fault(cursor, "{ starts a repetition such as {2,5}; write \\{ for the character");
    return { min: 0, max: 0 };
  }
  const [, exactly, least = "0", most] = counts;
  const min = Number(exactly ?? least);
  const max = Number(exactly ?? most ?? Infinity);
  const largest = max === Infinity ? min : max;
  if (min <= max && largest <= MAX_REPEAT) return { min, max };
  fault(cursor, `a repetition goes from a lower to a higher number, at most ${MAX_REPEAT}`);
  return { min: 0, max: 0 };
}

/** One number, or two of which one may be missing. */
const COUNTS = /^\s*(?:(\d+)|(?=.*\d)(\d+)?\s*,\s*(\d+)?)\s*$/;
