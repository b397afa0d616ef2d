// The status line: segments by priority; when the row is narrow, the least important go first.
import { cut, width } from "../base/cells.ts";

/** A higher `priority` stays longer. Segments keep their order on the row. */
export type Segment = { text: string; priority: number };

const GAP = " · ";

export function statusLine(segments: readonly Segment[], columns: number): string {
  let shown = segments.filter((segment) => segment.text !== "");
  while (shown.length > 1 && width(join(shown)) > columns) {
    const lowest = Math.min(...shown.map((segment) => segment.priority));
    const index = shown.findLastIndex((segment) => segment.priority === lowest);
    shown = shown.filter((_, at) => at !== index);
  }
  return cut(join(shown), columns);
}

function join(segments: readonly Segment[]): string {
  return segments.map((segment) => segment.text).join(GAP);
}
