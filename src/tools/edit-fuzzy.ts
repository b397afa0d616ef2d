// The bounded fuzzy search, for a quote that is not there to the letter: the same lines in a row but for tolerated spellings.
import { foldLine, toleratedIn, unfoldedColumn } from "./edit-fold.ts";
import { indentOf, isSame, reindented, shiftOf, type Shift } from "./edit-indent.ts";
import { newWithoutNumbers, withoutNumbers } from "./edit-numbers.ts";
import { runsOf } from "./edit-runs.ts";

export type Fuzzy =
  /** The only place there is, what to put there, and what was tolerated to find it. */
  | { kind: "one"; from: number; to: number; newText: string; tolerated: string[] }
  /** The line of each place that could be meant: none of them is changed. */
  | { kind: "several"; lines: number[] }
  | { kind: "none" }
  /** Found, but the new text cannot be brought to the place. */
  | { kind: "unclear"; what: string };

/** More places than this are not counted: the quote says too little. */
const MAX_PLACES = 50;
/** Characters and lines that are looked at more closely; a quote that needs more is given up, for time must stay bounded. */
const MAX_EFFORT = 20_000_000;

const MIXED_NUMBERS =
  "oldText carries the line numbers that read shows, and of newText only some lines: write both without them";
const OTHER_INDENT =
  "oldText fits but for its indentation, and a line of newText is indented less than that allows: quote and write the lines as read shows them";

/** Texts with plain newlines. `oldText` does not occur in `text`. */
export function fuzzyPlace(text: string, oldText: string, newText: string): Fuzzy {
  const bare = withoutNumbers(oldText);
  const quote = createQuote(bare ?? oldText, bare !== null);
  if (quote.keys.every((key) => key === "")) return { kind: "none" };
  const file = createFile(text);
  const effort = { left: MAX_EFFORT };
  const parts = placesInside(file, quote, effort);
  const whole = placesOfLines(file, quote, effort).filter(
    (place) => !parts.some(({ line }) => line === place.line),
  );
  const places = [...parts, ...whole];
  const [place] = places;
  // Where it was given up, what was found may not be the only place.
  if (place === undefined || effort.left < 0) return { kind: "none" };
  if (places.length > 1) {
    const lines = places.map(({ line }) => line + 1);
    return { kind: "several", lines: lines.toSorted((one, other) => one - other) };
  }
  return settled(file, quote, place, newText);
}

type Quote = {
  text: string;
  /** Line numbers were taken off, so it begins where a line begins. */
  isNumbered: boolean;
  lines: string[];
  /** What the lines must hold, whatever their indentation. */
  keys: string[];
  folded: string;
  /** Its last line goes to the end of that line, for whitespace stood after it. */
  isToLineEnd: boolean;
  /** It ends with a newline. */
  hasNewline: boolean;
};

function createQuote(text: string, isNumbered: boolean): Quote {
  const all = text.split("\n");
  const hasNewline = all.length > 1 && all.at(-1) === "";
  const lines = hasNewline ? all.slice(0, -1) : all;
  const last = all.at(-1) ?? "";
  const folded = all.map(foldLine);
  return {
    text,
    isNumbered,
    lines,
    keys: lines.map((line) => keyOf(foldLine(line))),
    folded: folded.join("\n"),
    isToLineEnd: /[\s\u00a0]$/.test(last),
    hasNewline,
  };
}

function keyOf(folded: string): string {
  return folded.slice(indentOf(folded).length);
}

type File = { text: string; lines: string[]; folded: string[] };
type Effort = { left: number };

function createFile(text: string): File {
  const lines = text.split("\n");
  return { text, lines, folded: lines.map(foldLine) };
}

/** `line` and `lastLine` count from 0; `shift` null: found with its indentation. */
type Place = {
  line: number;
  from: number;
  to: number;
  shift: Shift | null;
  /** The quote ends with a newline, and the file without one. */
  isCutShort: boolean;
};

/** Places where the folded quote stands in the folded file, from anywhere in a line to anywhere in a line. */
function placesInside(file: File, quote: Quote, effort: Effort): Place[] {
  const folded = file.folded.join("\n");
  const places: Place[] = [];
  // Where folding changes neither, the exact search has looked already.
  if (!quote.isNumbered && folded === file.text && quote.folded === quote.text) return places;
  const cursor = createCursor(file, folded, effort);
  let at = folded.indexOf(quote.folded);
  while (at >= 0 && effort.left >= 0 && places.length < MAX_PLACES) {
    const place = placeAt(cursor, at, quote);
    if (place !== null) places.push(place);
    at = folded.indexOf(quote.folded, at + 1);
  }
  return places;
}

function placeAt(cursor: Cursor, at: number, quote: Quote): Place | null {
  const start = cursor.spot(at);
  const end = cursor.spot(at + quote.folded.length);
  if (start === null || end === null) return null;
  if (quote.isNumbered && start.column > 0) return null;
  if (quote.isToLineEnd && !end.isLineEnd) return null;
  const to = quote.isToLineEnd ? end.lineEnd : end.offset;
  return { line: start.line, from: start.offset, to, shift: null, isCutShort: false };
}

type Spot = {
  line: number;
  column: number;
  offset: number;
  /** Nothing but tolerated whitespace follows in the line. */
  isLineEnd: boolean;
  lineEnd: number;
};
/** From a place in the folded text to the line and the place in the file. Null: inside a character. */
type Cursor = { spot(foldedAt: number): Spot | null };

function createCursor(file: File, folded: string, effort: Effort): Cursor {
  const starts = lineStarts(file.lines);
  const foldedStarts = lineStarts(file.folded);
  return {
    spot(foldedAt) {
      const line = lastAtMost(foldedStarts, foldedAt);
      const text = file.lines[line] ?? "";
      effort.left -= text.length;
      const column = unfoldedColumn(text, foldedAt - (foldedStarts[line] ?? 0));
      if (column === null) return null;
      const isLineEnd = foldedAt === folded.length || folded[foldedAt] === "\n";
      const start = starts[line] ?? 0;
      return { line, column, offset: start + column, isLineEnd, lineEnd: start + text.length };
    },
  };
}

function lineStarts(lines: readonly string[]): number[] {
  let next = 0;
  return lines.map((line) => {
    const start = next;
    next += line.length + 1;
    return start;
  });
}

/** The place of the last of the rising numbers that is not above the limit. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Places where whole lines hold what the lines of the quote hold, under one uniform shift of the indentation. */
function placesOfLines(file: File, quote: Quote, effort: Effort): Place[] {
  const places: Place[] = [];
  const starts = lineStarts(file.lines);
  for (const line of runsOf(file.folded.map(keyOf), quote.keys)) {
    effort.left -= quote.lines.length;
    if (effort.left < 0 || places.length >= MAX_PLACES) break;
    const place = placeOfLines({ ...file, starts }, quote, line);
    if (place !== null) places.push(place);
  }
  return places;
}

/** Null where the indentation does not fit. */
function placeOfLines(
  { lines, starts }: File & { starts: readonly number[] },
  quote: Quote,
  line: number,
): Place | null {
  const next = line + quote.lines.length;
  const shift = shiftOf(quote.lines, lines.slice(line, next));
  if (shift === null) return null;
  const isCutShort = quote.hasNewline && next === lines.length;
  const end = (starts[next - 1] ?? 0) + (lines[next - 1]?.length ?? 0);
  const to = quote.hasNewline && !isCutShort ? end + 1 : end;
  return { line, from: starts[line] ?? 0, to, shift, isCutShort };
}

function settled(file: File, quote: Quote, place: Place, newText: string): Fuzzy {
  const { from, to, shift, isCutShort } = place;
  const bare = quote.isNumbered ? newWithoutNumbers(newText) : newText;
  if (bare === null) return { kind: "unclear", what: MIXED_NUMBERS };
  const indented = shift === null ? bare : reindented(bare, shift);
  if (indented === null) return { kind: "unclear", what: OTHER_INDENT };
  return {
    kind: "one",
    from,
    to,
    newText: isCutShort ? indented.replace(/\n$/, "") : indented,
    tolerated: toleratedAt(file.text.slice(from, to), quote, place),
  };
}

function toleratedAt(found: string, quote: Quote, { shift, isCutShort }: Place): string[] {
  const quoted = isCutShort ? quote.text.slice(0, -1) : quote.text;
  const spelling =
    shift === null
      ? toleratedIn(found, quoted)
      : toleratedIn(unindented(found), unindented(quoted));
  return [
    ...(quote.isNumbered ? ["line numbers from read"] : []),
    ...(shift === null || isSame(shift) ? [] : ["another indentation, given to newText too"]),
    ...spelling,
    ...(isCutShort ? ["a newline that is missing at the end of the file"] : []),
  ];
}

function unindented(text: string): string {
  return text
    .split("\n")
    .map((line) => line.slice(indentOf(line).length))
    .join("\n");
}
