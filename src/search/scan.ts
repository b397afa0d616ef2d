// Finds the matching lines in a stretch of bytes that holds whole lines, with their numbers and context.
import { isAscii, type Bytes } from "./bytes.ts";
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

/** Bytes `from` to `to` are new; whole lines before `from` are there for context. `isLast`: nothing follows. */
export type Stretch = { buffer: Buffer; from: number; to: number; isLast: boolean };

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
  if (stretch.isLast) return;
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
  const content = contentOf(stretch);
  const next = candidates(scan.matcher, stretch, content);
  return (from) => {
    for (let at = from; at < stretch.to && scan.stop === "no";) {
      const spot = next(at);
      if (spot === null) return null;
      const line = content.lineAt(spot, at);
      const match = matchIn(scan, line, spot);
      if (match !== null) return { start: line.start, end: line.end, match };
      at = line.end + 1;
    }
    return null;
  };
}

type Line = { start: number; end: number; bytes: Bytes; isAscii: boolean };

/** The new bytes as a string, made when first needed. */
type Content = {
  text(): Bytes;
  /** The line that holds a byte; what lies before `from` was looked at, so it begins there at the earliest. */
  lineAt(spot: number, from: number): Line;
};

function contentOf({ buffer, from: base, to }: Stretch): Content {
  let text: Bytes | null = null;
  let isPlain: boolean | null = null;
  const read = (): Bytes => (text ??= buffer.toString("latin1", base, to));
  return {
    text: read,
    lineAt(spot, from) {
      const all = read();
      isPlain ??= isAscii(all);
      const end = all.indexOf("\n", spot - base);
      const last = end < 0 ? all.length : end;
      const start =
        spot === from
          ? from - base
          : Math.max(from - base, all.lastIndexOf("\n", spot - base - 1) + 1);
      return {
        start: start + base,
        end: last + base,
        bytes: all.slice(start, last),
        isAscii: isPlain,
      };
    },
  };
}

/** Where the next line to look at is, by any of its bytes. */
function candidates(
  { prefilter }: Matcher,
  stretch: Stretch,
  content: Content,
): (from: number) => number | null {
  switch (prefilter.kind) {
    case "none":
      return (from) => from;
    case "bytes": {
      const view = stretch.buffer.subarray(0, stretch.to);
      return (from) => nonNegative(view.indexOf(prefilter.needle, from));
    }
    case "choice":
      return (from) => {
        prefilter.regex.lastIndex = from - stretch.from;
        const found = prefilter.regex.exec(content.text());
        return found === null ? null : found.index + stretch.from;
      };
  }
}

function nonNegative(at: number): number | null {
  return at < 0 ? null : at;
}

function matchIn(scan: Scan, line: Line, spot: number): Span | null {
  const { matcher, wanted } = scan;
  if (matcher.prefilter.kind === "bytes" && matcher.prefilter.isMatch) {
    return { start: spot - line.start, end: spot - line.start + matcher.prefilter.needle.length };
  }
  if (!(matcher.isBounded ? boundedMatch(scan, line) : matcher.matches(line.bytes, line.isAscii)))
    return null;
  const isShown = wanted.what === "lines" && scan.kept < wanted.perFile;
  return isShown ? matcher.find(line.bytes) : { start: 0, end: 0 };
}

/** By an engine that must be watched. */
function boundedMatch(scan: Scan, line: Line): boolean {
  if (line.bytes.length > MAX_BOUNDED_LINE) {
    scan.longLines++;
    return false;
  }
  const since = performance.now();
  const isMatch = scan.matcher.matches(line.bytes, line.isAscii);
  scan.engineMs += performance.now() - since;
  if (scan.engineMs > MAX_ENGINE_MS) scan.stop = "slow";
  return isMatch;
}
