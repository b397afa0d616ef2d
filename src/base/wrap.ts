// Wraps styled text at words into rows of a given width; styles and links are closed and reopened at each break.
import { pieces, width } from "./cells.ts";

const LINK_END = "\u001b]8;;\u001b\\";
const RESET = "\u001b[0m";
const SPACE = 32;

/** The escapes in force at some point of a text. */
type Pen = { styles: readonly string[]; link: string };
/** `isBlankAtEnd` is kept apart: looking at the end of a text that is still growing copies all of it. */
type Word = { text: string; cells: number; pen: Pen; isBlankAtEnd: boolean };
type Wrap = {
  /** Breaks words longer than a row; without it they stay whole, so that URLs can be copied. */
  hard: boolean;
  /** Cells taken from the first row, for a marker before it. */
  first?: number;
};

const PLAIN: Pen = { styles: [], link: "" };
/** Which opening codes a closing code ends. */
const CLOSES: Readonly<Record<string, RegExp>> = {
  "22": /^[12]$/,
  "23": /^3$/,
  "24": /^4$/,
  "27": /^7$/,
  "29": /^9$/,
  "39": /^(?:3[0-8]|9[0-7])/,
  "49": /^(?:4[0-8]|10[0-7])/,
};

/** Rows of at most `columns` cells. Newlines in `text` are kept as breaks. */
export function wrap(text: string, columns: number, how: Wrap = { hard: true }): string[] {
  const room = Math.max(1, columns);
  const taken = how.first ?? 0;
  if (!text.includes("\n") && width(text) <= room - taken) return [text];
  const rows: string[] = [];
  let pen = PLAIN;
  for (const [index, line] of text.split("\n").entries()) {
    const { words, pen: next } = split(line, pen, how.hard ? room : Infinity);
    const filling: Filling = { rows: [], row: open(pen), pen, used: index === 0 ? taken : 0 };
    for (const word of words) fill(filling, word, room);
    rows.push(...filling.rows, filling.row + close(filling.pen));
    pen = next;
  }
  return rows;
}

type Filling = { rows: string[]; row: string; pen: Pen; used: number };

function fill(filling: Filling, word: Word, room: number): void {
  const isSpace = isBlank(word);
  const overflows = word.cells > 0 && filling.used > 0 && filling.used + word.cells > room;
  if (overflows && !isSpace) {
    filling.rows.push(trimmedEnd(filling.row) + close(filling.pen));
    filling.row = open(word.pen);
    filling.pen = word.pen;
    filling.used = 0;
  }
  // A space at a break is the break.
  if (isSpace && (overflows || (filling.used === 0 && filling.rows.length > 0))) {
    filling.used = overflows ? room : 0;
    return;
  }
  filling.row += word.text;
  filling.used += word.cells;
  filling.pen = after(filling.pen, word.text);
}

/** By hand: a pattern would begin anew at each space of a long run. */
function trimmedEnd(row: string): string {
  let end = row.length;
  while (row.charCodeAt(end - 1) === SPACE) end -= 1;
  return row.slice(0, end);
}

function isBlank(word: Word): boolean {
  return word.cells > 0 && word.text.trim() === "";
}

/** Words, runs of spaces and escapes, each with the pen before it; no word is wider than `limit`. */
function split(line: string, start: Pen, limit: number): { words: Word[]; pen: Pen } {
  const words: Word[] = [];
  let pen = start;
  let word: Word | null = null;
  for (const piece of pieces(line)) {
    if (piece.escape) {
      word ??= newWord(pen);
      word.text += piece.text;
      word.isBlankAtEnd = false;
      pen = apply(pen, piece.text);
      continue;
    }
    const cells = width(piece.text);
    if (word && splits(word, piece.text, cells + word.cells > limit)) {
      words.push(word);
      word = null;
    }
    word ??= newWord(pen);
    word.text += piece.text;
    word.cells += cells;
    word.isBlankAtEnd = piece.text.endsWith(" ");
  }
  if (word) words.push(word);
  return { words, pen };
}

function newWord(pen: Pen): Word {
  return { text: "", cells: 0, pen, isBlankAtEnd: false };
}

/** Whether a break is allowed (or, when too wide, forced) between `word` and the next grapheme. */
function splits(word: Word, next: string, isTooWide: boolean): boolean {
  if (word.cells === 0) return false;
  if (isTooWide) return true;
  if (word.isBlankAtEnd !== (next === " ")) return true;
  return isWide(next) && !isClosing(next);
}

/** Ideographs and kana may be broken anywhere. */
function isWide(text: string): boolean {
  return /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef\u{20000}-\u{3ffff}]/u.test(text);
}

function isClosing(text: string): boolean {
  return /^[、。,.!?:;)」』】〉》・ー)]/u.test(text);
}

function after(pen: Pen, text: string): Pen {
  if (!text.includes("\u001b")) return pen;
  let next = pen;
  for (const piece of pieces(text)) if (piece.escape) next = apply(next, piece.text);
  return next;
}

function apply(pen: Pen, escape: string): Pen {
  if (escape.startsWith("\u001b]8;")) {
    return { ...pen, link: escape === LINK_END ? "" : escape };
  }
  if (!escape.startsWith("\u001b[") || !escape.endsWith("m")) return pen;
  const code = escape.slice(2, -1);
  if (code === "" || code === "0") return { ...pen, styles: [] };
  const closed = CLOSES[code];
  if (!closed) return { ...pen, styles: [...pen.styles, escape] };
  return { ...pen, styles: pen.styles.filter((style) => !closed.test(style.slice(2, -1))) };
}

function open(pen: Pen): string {
  return pen.styles.join("") + pen.link;
}

function close(pen: Pen): string {
  return (pen.link === "" ? "" : LINK_END) + (pen.styles.length > 0 ? RESET : "");
}
