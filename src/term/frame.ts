// The live tail on a plain scrollback: rows in, one minimal synchronized write out; printed lines are never touched again.
import { cut, pieces, width } from "../base/cells.ts";

export type Cursor = { row: number; column: number };

/** What the last frame left on the screen; `null` columns mean nothing is there yet. */
export type Shown = { rows: readonly string[]; cursor: Cursor; columns: number };

export type Tail = { rows: readonly string[]; cursor: Cursor };

/**
 * What the terminal does with rows when it becomes narrower: `all` are wrapped again; `xterm.js` wraps all but the
 * cursor's own and moves its cursor down for every row it gains, even below the cursor; `none` means they are cut
 * (xterm, the Linux console).
 */
export type Reflow = "all" | "xterm.js" | "none";

export type Size = { columns: number; rows: number; reflow: Reflow };

export const NOTHING: Shown = { rows: [], cursor: { row: 0, column: 0 }, columns: 0 };

const BEGIN = "\u001b[?2026h\u001b[?25l";
const END = "\u001b[?25h\u001b[?2026l";
const CLEAR_ROW = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** The write that shows `tail` below `above`, text that goes into the scrollback (lines ended by a newline). */
export function draw(
  shown: Shown,
  next: { above: string; tail: Tail },
  size: Size,
): { shown: Shown; output: string } {
  // The last column stays free: writing it leaves terminals in different states.
  const rows = next.tail.rows.map((row) => cut(row, size.columns - 1));
  const { row, column } = next.tail.cursor;
  const cursor = { row, column: Math.min(column, size.columns - 1) };
  const now: Shown = { rows, cursor, columns: size.columns };
  const isSame = shown.columns === size.columns && next.above === "" && shown.rows.length > 0;
  const body = isSame ? patch(shown, now) : repaint(shown, { now, above: next.above }, size);
  return { shown: now, output: body === "" ? "" : BEGIN + body + END };
}

/** The write that takes the tail off the screen and leaves the cursor where it began. */
export function erase(shown: Shown, size: Size): string {
  return shown.columns === 0 ? "" : `${toTop(shown, size)}${CLEAR_BELOW}`;
}

function repaint(shown: Shown, next: { now: Shown; above: string }, size: Size): string {
  const { rows, cursor } = next.now;
  const above = next.above.replaceAll("\n", "\r\n");
  const tail = rows.join("\r\n");
  return `${erase(shown, size)}${above}${tail}${go(rows.length - 1, cursor)}`;
}

/** Only the rows that changed, at an unchanged width with nothing printed above. */
function patch(shown: Shown, now: Shown): string {
  let output = "";
  let at = shown.cursor.row;
  for (const [index, row] of now.rows.entries()) {
    if (row === shown.rows[index]) continue;
    output += toRow(at, index, shown.rows.length) + row + CLEAR_ROW;
    at = index;
  }
  if (now.rows.length < shown.rows.length) {
    const last = now.rows.length - 1;
    output += `${toRow(at, last, shown.rows.length)}${vertical(1)}\r${CLEAR_BELOW}${vertical(-1)}`;
    at = last;
  }
  const isStill = at === now.cursor.row && shown.cursor.column === now.cursor.column;
  return output === "" && isStill ? "" : output + go(at, now.cursor);
}

/** From row `from` to the start of row `to`; rows beyond `count` do not exist yet and are opened by newlines. */
function toRow(from: number, to: number, count: number): string {
  if (to < count) return `${vertical(to - from)}\r`;
  const last = Math.max(from, count - 1);
  return `${vertical(last - from)}${"\r\n".repeat(to - last)}`;
}

function toTop(shown: Shown, size: Size): string {
  return `${vertical(-Math.min(rowsAbove(shown, size), size.rows - 1))}\r`;
}

/** Screen rows between the tail's top and the cursor, after the terminal has wrapped them to its width. */
function rowsAbove(shown: Shown, size: Size): number {
  const { row, column } = shown.cursor;
  if (size.columns >= shown.columns || size.reflow === "none") return row;
  const gained = shown.rows.map((text) => rowCount(text, size.columns) - 1);
  if (size.reflow === "xterm.js") return asXtermJs(gained, row);
  const above = gained.slice(0, row).reduce((sum, more) => sum + more, row);
  return above + Math.floor(column / size.columns);
}

/** From the last row up, every row pushes the cursor down by what it gains; the row it then stands on is passed over. */
function asXtermJs(gained: readonly number[], row: number): number {
  return gained.reduceRight(
    (cursor, more, index) => (cursor === index ? cursor : cursor + more),
    row,
  );
}

/** Rows that a terminal of this width needs for `text`; a wide character does not stand on the edge. */
function rowCount(text: string, columns: number): number {
  if (width(text) <= columns) return 1;
  let rows = 1;
  let used = 0;
  for (const piece of pieces(text)) {
    const cells = piece.escape ? 0 : width(piece.text);
    const isOver = used + cells > columns;
    rows += isOver ? 1 : 0;
    used = isOver ? cells : used + cells;
  }
  return rows;
}

function vertical(by: number): string {
  if (by === 0) return "";
  return by < 0 ? `\u001b[${-by}A` : `\u001b[${by}B`;
}

function go(from: number, cursor: Cursor): string {
  const right = cursor.column > 0 ? `\u001b[${cursor.column}C` : "";
  return `${vertical(cursor.row - from)}\r${right}`;
}
