// Where a caret can go in a text: by grapheme, word, line and wrapped row.
import { graphemes, width } from "../base/cells.ts";
import { label } from "./paste.ts";

/** How far a grapheme may reach back: long enough for flags and families, short enough to stay fast. */
const WINDOW = 64;
const WORD_BEFORE = /[\p{L}\p{N}\p{M}_]+[^\p{L}\p{N}\p{M}_]*$/u;
const WORD_AFTER = /^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]+/u;

export function previous(text: string, caret: number): number {
  const from = Math.max(0, caret - WINDOW);
  const last = graphemes(text.slice(from, caret)).at(-1) ?? "";
  return caret - last.length;
}

export function next(text: string, caret: number): number {
  const first = graphemes(text.slice(caret, caret + WINDOW))[0] ?? "";
  return caret + first.length;
}

export function lineStart(text: string, caret: number): number {
  return caret === 0 ? 0 : text.lastIndexOf("\n", caret - 1) + 1;
}

export function lineEnd(text: string, caret: number): number {
  const end = text.indexOf("\n", caret);
  return end < 0 ? text.length : end;
}

export function wordStart(text: string, caret: number): number {
  const before = WORD_BEFORE.exec(text.slice(0, caret));
  return before === null ? 0 : before.index;
}

export function wordEnd(text: string, caret: number): number {
  const after = WORD_AFTER.exec(text.slice(caret));
  return after === null ? text.length : caret + after[0].length;
}

type Text = { readonly text: string; readonly caret: number; readonly pastes: readonly string[] };
/** One row on the screen: what it shows, and the offset of each of its columns' graphemes. */
type Row = { shown: string; stops: { offset: number; column: number }[] };
export type Layout = { rows: string[]; caret: { row: number; column: number } };

/** The text as rows of at most `columns` cells, with the caret's place. */
export function layout(text: Text, columns: number): Layout {
  const rows = rowsOf(text, columns);
  return { rows: rows.map((row) => row.shown), caret: place(rows, text.caret) };
}

/** The caret one row up or down, keeping `goal` as its column; null at the first or last row. */
export function vertical(
  text: Text & { readonly goal: number | null },
  by: -1 | 1,
  columns: number,
): { caret: number; goal: number } | null {
  const rows = rowsOf(text, columns);
  const here = place(rows, text.caret);
  const goal = text.goal ?? here.column;
  const row = rows[here.row + by];
  const stop = row?.stops.findLast((candidate) => candidate.column <= goal);
  return stop === undefined ? null : { caret: stop.offset, goal };
}

function place(rows: readonly Row[], caret: number): { row: number; column: number } {
  const row = rows.findLastIndex((candidate) => (candidate.stops[0]?.offset ?? 0) <= caret);
  const stop = rows[row]?.stops.findLast((candidate) => candidate.offset <= caret);
  return { row: Math.max(0, row), column: stop?.column ?? 0 };
}

function rowsOf(text: Text, columns: number): Row[] {
  const room = Math.max(2, columns);
  const rows: Row[] = [];
  let row: Row = { shown: "", stops: [] };
  let column = 0;
  let offset = 0;
  const breakRow = (): void => {
    rows.push(row);
    row = { shown: "", stops: [] };
    column = 0;
  };
  for (const grapheme of graphemes(text.text)) {
    if (grapheme === "\n") {
      row.stops.push({ offset, column });
      breakRow();
    } else {
      const shown = grapheme === "\t" ? "    " : label(grapheme, text.pastes);
      const cells = width(shown);
      if (column + cells > room && column > 0) breakRow();
      row.stops.push({ offset, column });
      row.shown += shown;
      column += cells;
    }
    offset += grapheme.length;
  }
  // The caret after the last character needs a cell of its own.
  if (column >= room) breakRow();
  row.stops.push({ offset, column });
  rows.push(row);
  return rows;
}
