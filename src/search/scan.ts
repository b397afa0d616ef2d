// Finds the matching lines in a stretch of bytes that holds whole lines, with their numbers and context.
import { copyLine, type FoundLine } from "./found-line.ts";
import type { Matcher } from "./match.ts";
import type { Span } from "./regex-spans.ts";

export type Wanted = {
  /** `first`: only whether there is a match. */
  what: "lines" | "count" | "first";
  /** Matches kept in one file; the others are counted. */
  perFile: number;
  /** Lines of context on either side. */
  context: number;
  /** Bytes kept of one line. */
  lineCap: number;
};

/** What is known of one file so far. */
export type Scan = {
  matcher: Matcher;
  wanted: Wanted;
  lines: FoundLine[];
  matches: number;
  kept: number;
  /** Number of the line at the start of the next stretch. */
  line: number;
  /** Lines of context still owed to the last match. */
  owed: number;
  /** Time spent in an engine that must be watched. */
  engineMs: number;
  /** Lines that were left out because such an engine could run away on them. */
  longLines: number;
  stop: "no" | "done" | "slow";
};

export function newScan(matcher: Matcher, wanted: Wanted): Scan {
  return {
    matcher,
    wanted,
    lines: [],
    matches: 0,
    kept: 0,
    line: 1,
    owed: 0,
    engineMs: 0,
    longLines: 0,
    stop: "no",
  };
}

/** Bytes `from` to `to` are new; whole lines before `from` are there for context. */
export type Stretch = { buffer: Buffer; from: number; to: number };

const NEWLINE = 10;
const MAX_ENGINE_MS = 2_000;
/** Where an engine may need more than linear time. */
const MAX_BOUNDED_LINE = 10_000;

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
  scan.line = done.line + newlines(stretch.buffer, done.at, stretch.to);
}

type Hit = { start: number; end: number; match: Span };
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
  while (scan.owed > 0 && done.at < limit) {
    const end = lineEnd(stretch, done.at);
    const line = { number: done.line, kind: "context" as const, start: done.at, end };
    scan.lines.push(copyLine(stretch.buffer, line, null, scan.wanted.lineCap));
    scan.owed--;
    done.at = Math.min(end + 1, stretch.to);
    done.line++;
  }
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

/** The next matching line from a position on. */
function finderIn(scan: Scan, stretch: Stretch): (from: number) => Hit | null {
  const next = candidates(scan.matcher, stretch);
  return (from) => {
    for (let at = from; at < stretch.to && scan.stop === "no";) {
      const spot = next(at);
      if (spot === null) return null;
      // Bytes before `at` were looked at: the line begins there at the latest.
      const start =
        spot === 0 ? 0 : Math.max(at, stretch.buffer.lastIndexOf(NEWLINE, spot - 1) + 1);
      const end = lineEnd(stretch, spot);
      const match = matchIn(scan, stretch.buffer, { start, end, spot });
      if (match !== null) return { start, end, match };
      at = end + 1;
    }
    return null;
  };
}

/** Where the next line to look at is, by any of its bytes. */
function candidates({ prefilter }: Matcher, stretch: Stretch): (from: number) => number | null {
  switch (prefilter.kind) {
    case "none":
      return (from) => from;
    case "bytes": {
      const view = stretch.buffer.subarray(0, stretch.to);
      return (from) => nonNegative(view.indexOf(prefilter.needle, from));
    }
    case "choice": {
      const text = stretch.buffer.toString("latin1", stretch.from, stretch.to);
      return (from) => {
        prefilter.regex.lastIndex = from - stretch.from;
        const found = prefilter.regex.exec(text);
        return found === null ? null : found.index + stretch.from;
      };
    }
  }
}

function nonNegative(at: number): number | null {
  return at < 0 ? null : at;
}

type Candidate = { start: number; end: number; spot: number };

function matchIn(scan: Scan, buffer: Buffer, { start, end, spot }: Candidate): Span | null {
  const { matcher, wanted } = scan;
  if (matcher.prefilter.kind === "bytes" && matcher.prefilter.isMatch) {
    return { start: spot - start, end: spot - start + matcher.prefilter.needle.length };
  }
  if (matcher.isBounded && end - start > MAX_BOUNDED_LINE) {
    scan.longLines++;
    return null;
  }
  const since = matcher.isBounded ? performance.now() : 0;
  const line = buffer.toString("latin1", start, end);
  const isMatch = matcher.matches(line);
  if (matcher.isBounded) scan.engineMs += performance.now() - since;
  if (scan.engineMs > MAX_ENGINE_MS) scan.stop = "slow";
  if (!isMatch) return null;
  const isShown = wanted.what === "lines" && scan.kept < wanted.perFile;
  return isShown ? matcher.find(line, 0) : { start: 0, end: 0 };
}
