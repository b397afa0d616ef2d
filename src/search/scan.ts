// Finds the matching lines in a stretch of bytes that holds whole lines, with their numbers and context.
import { copyLine } from "./found-line.ts";
import { finderIn, type Hit } from "./line-finder.ts";
import type { Scan, Stretch } from "./scan-state.ts";

const NEWLINE = 10;

export function scanLines(scan: Scan, stretch: Stretch): void {
  const find = finderIn(scan, stretch);
  // How far lines were counted and shown.
  const done = { at: stretch.from, line: scan.line };
  for (let at = stretch.from; at < stretch.to && scan.stop === "no";) {
    const hit = find(at);
    if (hit === null) break;
    scan.matches++;
    if (scan.wanted.what === "first") scan.stop = "done";
    if (scan.wanted.what === "lines" && scan.kept < scan.wanted.perFile)
      keep(scan, stretch, hit, done);
    at = hit.end + 1;
  }
  if (scan.wanted.what !== "lines") return;
  showOwed(scan, stretch, done, stretch.to);
  if (stretch.isLast) return;
  scan.line = done.line + newlines(stretch.buffer, done.at, stretch.to);
}

type Done = { at: number; line: number };

function keep(scan: Scan, stretch: Stretch, hit: Hit, done: Done): void {
  const { buffer } = stretch;
  const { context, lineCap } = scan.wanted;
  showOwed(scan, stretch, done, hit.start);
  const line = done.line + newlines(buffer, done.at, hit.start);
  const last = scan.lines[scan.lines.length - 1]?.number ?? 0;
  const before: { start: number; end: number }[] = [];
  for (let end = hit.start - 1; before.length < Math.min(context, line - last - 1) && end >= 0;) {
    const start = end === 0 ? 0 : buffer.lastIndexOf(NEWLINE, end - 1) + 1;
    before.unshift({ start, end });
    end = start - 1;
  }
  for (const [index, each] of before.entries()) {
    const number = line - before.length + index;
    scan.lines.push(copyLine(buffer, { number, kind: "context", ...each }, null, lineCap));
  }
  scan.lines.push(
    copyLine(
      buffer,
      { number: line, kind: "match", start: hit.start, end: hit.end },
      hit.match,
      lineCap,
    ),
  );
  scan.kept++;
  scan.owed = context;
  done.at = Math.min(hit.end + 1, stretch.to);
  // A line cut into pieces goes on in the next stretch.
  done.line = line + (hit.end < stretch.to ? 1 : 0);
}

/** Lines after the last match, up to the next one. */
function showOwed(scan: Scan, stretch: Stretch, done: Done, limit: number): void {
  // The rest of a line that was shown is no line of its own.
  const isWithin = scan.begun > 0 && done.at === stretch.from;
  if (isWithin && scan.owed > 0 && done.at < limit) pass(stretch, done);
  while (scan.owed > 0 && done.at < limit) {
    const end = lineEnd(stretch, done.at);
    const line = { number: done.line, kind: "context" as const, start: done.at, end };
    scan.lines.push(copyLine(stretch.buffer, line, null, scan.wanted.lineCap));
    scan.owed--;
    pass(stretch, done);
  }
}

/** Goes on behind the line that begins here, of which the stretch may hold only a piece. */
function pass(stretch: Stretch, done: Done): void {
  const end = lineEnd(stretch, done.at);
  done.at = Math.min(end + 1, stretch.to);
  done.line += end < stretch.to ? 1 : 0;
}

/** Cuts of a line that is searched in pieces tell of the whole line; to be called after each stretch. */
export function joinPieces(
  scan: Scan,
  stretch: Stretch,
  before: { line: number; lines: number },
): void {
  const end = lineEnd(stretch, stretch.from);
  for (const [at, line] of scan.lines.entries()) {
    if (scan.begun === 0) break;
    if (line.number !== before.line) continue;
    if (at < before.lines) line.cut.after += end - stretch.from;
    else line.cut.before += scan.begun;
  }
  scan.begun = end < stretch.to ? 0 : scan.begun + (stretch.to - stretch.from);
}

function newlines(buffer: Buffer, from: number, to: number): number {
  let count = 0;
  for (
    let at = buffer.indexOf(NEWLINE, from);
    at >= 0 && at < to;
    at = buffer.indexOf(NEWLINE, at + 1)
  )
    count++;
  return count;
}

function lineEnd(stretch: Stretch, from: number): number {
  const end = stretch.buffer.indexOf(NEWLINE, from);
  return end < 0 || end > stretch.to ? stretch.to : end;
}
