// Lays out a table: right widths for every script, cells wrapped, folded to records where the row is too narrow.
import { pad, width } from "../base/cells.ts";
import { wrap } from "../base/wrap.ts";
import type { Style } from "./style.ts";

export type Table = {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  align: readonly ("center" | "left" | "right" | null)[];
};

const GAP = "  ";
/** Below this a column is unreadable. */
const MIN_COLUMN = 8;

export function tableLines(table: Table, columns: number, style: Style): string[] {
  const natural = table.header.map((head, index) =>
    Math.max(...[head, ...table.rows.map((row) => row[index] ?? "")].map(longestLine)),
  );
  const widths = fit(natural, columns - GAP.length * (natural.length - 1));
  if (widths === null) return records(table, columns, style);
  const lines = (cells: readonly string[]): string[] => rowLines(cells, widths, table.align);
  const rule = widths.map((cells) => "─".repeat(cells)).join(GAP);
  return [
    ...lines(table.header.map((head) => style.paint("strong", head))),
    style.paint("dim", rule),
    ...table.rows.flatMap(lines),
  ];
}

function longestLine(text: string): number {
  return Math.max(...text.split("\n").map(width));
}

/** Widths that fit into `room`: wide columns give way first; null where none would be readable. */
function fit(natural: readonly number[], room: number): number[] | null {
  const sum = natural.reduce((total, cells) => total + cells, 0);
  if (sum <= room) return [...natural];
  let low = 0;
  let high = room;
  const total = (limit: number): number =>
    natural.reduce((used, cells) => used + Math.min(cells, limit), 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (total(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return low < MIN_COLUMN ? null : natural.map((cells) => Math.min(cells, low));
}

function rowLines(
  cells: readonly string[],
  widths: readonly number[],
  align: Table["align"],
): string[] {
  const wrapped = widths.map((room, index) => wrap(cells[index] ?? "", room));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    wrapped
      .map((lines, index) => aligned(lines[row] ?? "", widths[index] ?? 0, align[index] ?? null))
      .join(GAP)
      .trimEnd(),
  );
}

function aligned(text: string, room: number, align: Table["align"][number]): string {
  const free = Math.max(0, room - width(text));
  if (align === "right") return " ".repeat(free) + text;
  if (align === "center") return pad(" ".repeat(Math.floor(free / 2)) + text, room);
  return pad(text, room);
}

/** One record below the other: `header: cell`. */
function records(table: Table, columns: number, style: Style): string[] {
  return table.rows.flatMap((row, index) => [
    ...(index > 0 ? [style.paint("dim", "─".repeat(Math.min(columns, 20)))] : []),
    ...row.flatMap((cell, at) => {
      const head = table.header[at] ?? "";
      return wrap(head === "" ? cell : `${style.paint("strong", head)}: ${cell}`, columns);
    }),
  ]);
}
