// The difference of two texts as unified hunks, quick also where two large files differ in a few lines.
import { cutLine } from "./text.ts";
import { type LineChange, lineChanges } from "./line-changes.ts";

export type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each begins with a space, `-`, `+` or `\`. */
  lines: string[];
};
export type Diff = { hunks: Hunk[]; added: number; removed: number };

const CONTEXT_LINES = 3;
/** Compared at once while looking for the first and last difference. */
const STRIDE = 1 << 16;
const MAX_LINE_CHARS = 500;

export function diffTexts(before: string, after: string): Diff {
  const frame = differingPart(before, after);
  const old = linesOf(before.slice(frame.from, before.length - frame.tail));
  const now = linesOf(after.slice(frame.from, after.length - frame.tail));
  const changes = lineChanges(old, now);
  const first = newlinesBefore(before, frame.from);
  const hunks = grouped(changes).map((group) => hunkOf(group, old, now, first));
  return {
    hunks,
    added: changes.reduce((sum, change) => sum + change.newTo - change.newFrom, 0),
    removed: changes.reduce((sum, change) => sum + change.oldTo - change.oldFrom, 0),
  };
}

/** `+3 -1`. */
export function diffSummary(diff: Diff): string {
  return `+${diff.added} -${diff.removed}`;
}

/** As `diff -u` writes it; after `maxLines` lines it says how many follow. `before` false: the file is new. */
export function formatDiff(
  diff: Diff,
  path: string,
  { before = true, maxLines = Infinity }: { before?: boolean; maxLines?: number } = {},
): string {
  if (diff.hunks.length === 0) return "";
  const body = diff.hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines]);
  const shown = body.slice(0, maxLines);
  const left = body.length - shown.length;
  const more = left > 0 ? [`… ${left} more lines of this diff`] : [];
  const head = [before ? `--- a/${path}` : "--- /dev/null", `+++ b/${path}`];
  return [...head, ...shown, ...more].join("\n");
}

function headOf(hunk: Hunk): string {
  const old = `${hunk.oldStart},${hunk.oldLines}`;
  return `@@ -${old} +${hunk.newStart},${hunk.newLines} @@`;
}

/** The same text before and after is cut off at whole lines, but for the lines of context. */
function differingPart(before: string, after: string): { from: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && sameSlice(before, after, from, from)) from = Math.min(most, from + STRIDE);
  while (from < most && before[from] === after[from]) from += 1;
  let tail = 0;
  const room = most - from;
  const tailIsSame = (): boolean =>
    before.slice(-tail - STRIDE, before.length - tail) ===
    after.slice(-tail - STRIDE, after.length - tail);
  while (tail + STRIDE <= room && tailIsSame()) tail += STRIDE;
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from: linesBack(before, from), tail: linesOn(before, after, tail) };
}

function sameSlice(before: string, after: string, one: number, other: number): boolean {
  return before.slice(one, one + STRIDE) === after.slice(other, other + STRIDE);
}

/** The start of the line at `at`, and of as many lines before it as a hunk shows. */
function linesBack(text: string, at: number): number {
  let start = at;
  for (let line = 0; line <= CONTEXT_LINES; line += 1) {
    if (start === 0) return 0;
    start = text.lastIndexOf("\n", start - (line === 0 ? 1 : 2)) + 1;
  }
  return start;
}

function linesOn(before: string, after: string, tail: number): number {
  // A tail that begins inside a line belongs to the change; the same for both, or the lines would not pair.
  let end = before.length - tail;
  const isInside = [before, after].some((text) => {
    const at = text.length - tail;
    return at > 0 && text[at - 1] !== "\n";
  });
  for (let line = isInside ? 0 : 1; line <= CONTEXT_LINES; line += 1) {
    const next = before.indexOf("\n", end);
    if (next < 0) return 0;
    end = next + 1;
  }
  return before.length - end;
}

/** Lines with their ends: a line that lost its newline is another line. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline + 1;
    lines.push(text.slice(from, to));
    from = to;
  }
  return lines;
}

function newlinesBefore(text: string, end: number): number {
  let found = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1))
    found += 1;
  return found;
}

/** Changes so near to each other that their context would touch go into one hunk. */
function grouped(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (
      group !== undefined &&
      last !== undefined &&
      change.oldFrom - last.oldTo <= 2 * CONTEXT_LINES
    )
      group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(
  group: readonly LineChange[],
  old: readonly string[],
  now: readonly string[],
  first: number,
): Hunk {
  const [start] = group;
  const end = group.at(-1);
  if (start === undefined || end === undefined) throw new Error("a hunk needs a change");
  const oldFrom = Math.max(0, start.oldFrom - CONTEXT_LINES);
  const newFrom = start.newFrom - (start.oldFrom - oldFrom);
  const oldTo = Math.min(old.length, end.oldTo + CONTEXT_LINES);
  const newTo = end.newTo + (oldTo - end.oldTo);
  const rows: [string, string][] = [];
  let at = oldFrom;
  for (const change of group) {
    for (const line of old.slice(at, change.oldFrom)) rows.push([" ", line]);
    for (const line of old.slice(change.oldFrom, change.oldTo)) rows.push(["-", line]);
    for (const line of now.slice(change.newFrom, change.newTo)) rows.push(["+", line]);
    at = change.oldTo;
  }
  for (const line of old.slice(at, oldTo)) rows.push([" ", line]);
  return {
    // An empty side is given by the line before it, as `diff` does.
    oldStart: first + oldFrom + (oldTo > oldFrom ? 1 : 0),
    oldLines: oldTo - oldFrom,
    newStart: first + newFrom + (newTo > newFrom ? 1 : 0),
    newLines: newTo - newFrom,
    lines: rendered(rows),
  };
}

/** Carriage returns are shown only where lines with and without one stand side by side. */
function rendered(rows: readonly [string, string][]): string[] {
  const isMixed =
    rows.some(([, line]) => line.endsWith("\r\n")) &&
    rows.some(([, line]) => !line.endsWith("\r\n"));
  return rows.flatMap(([sign, line]) => {
    const bare = line.endsWith("\r\n")
      ? line.slice(0, -2) + (isMixed ? "␍" : "")
      : line.replace(/\n$/, "");
    const text = `${sign}${cutLine(bare, MAX_LINE_CHARS)}`;
    return line.endsWith("\n") ? [text] : [text, "\\ No newline at end of file"];
  });
}
