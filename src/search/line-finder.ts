// Finds the next matching line in a stretch of bytes: a prefilter says where to look, the engine decides about the line.
import { isAscii, type Bytes } from "./bytes.ts";
import type { Span } from "./regex-spans.ts";
import type { Scan, Stretch } from "./scan-state.ts";
import { seekIn, type Seek } from "./seek.ts";

/** A line with its first match. */
export type Hit = { start: number; end: number; match: Span };

/** The first matching line at or after a position, where a line begins. */
export type Finder = (from: number) => Hit | null;

const NEWLINE = 10;
const MAX_ENGINE_MS = 2_000;
/** One line that takes longer was given up by JavaScript's engine, which then says that nothing matches. */
const MAX_LINE_MS = 100;
/** Where an engine may need more than linear time. */
const MAX_BOUNDED_LINE = 10_000;

export function finderIn(scan: Scan, stretch: Stretch): Finder {
  const seek = seekFor(scan, stretch);
  const lineAt = seek === null ? byText(stretch) : byBytes(stretch);
  return (from) => {
    for (let at = from; at < stretch.to && scan.stop === "no";) {
      const spot = seek === null ? at : seek(at);
      if (spot < 0) return null;
      const line = lineAt(spot, at);
      const match = matchIn(scan, line, spot);
      if (match !== null) return { start: line.start, end: line.end, match };
      at = line.end + 1;
    }
    return null;
  };
}

/** Where the next line to look at is, by a place in it; null when each line must be looked at. */
function seekFor({ matcher }: Scan, { buffer, to }: Stretch): Seek | null {
  const { prefilter, skim } = matcher;
  const view = buffer.subarray(0, to);
  if (prefilter.kind === "needles") return seekIn(prefilter, view);
  if (skim === null) return null;
  return (from) => {
    const at = skim(view, from);
    // After the last line break there is no line.
    return at === to && view[to - 1] === NEWLINE ? -1 : at;
  };
}

type Line = { start: number; end: number; bytes: Bytes; isAscii: boolean };

/** The line that holds a byte, or ends before it; what lies before `from` was looked at, so it begins there at the earliest. */
type LineAt = (spot: number, from: number) => Line;

/** For a few lines. */
function byBytes({ buffer, from: base, to }: Stretch): LineAt {
  return (spot, from) => {
    // From -1 on means from the end on.
    const before = spot === 0 ? -1 : buffer.lastIndexOf(NEWLINE, spot - 1);
    const start = Math.max(from, base, before + 1);
    const next = buffer.indexOf(NEWLINE, spot);
    const end = next < 0 || next > to ? to : next;
    const bytes = buffer.toString("latin1", start, end);
    return { start, end, bytes, isAscii: isAscii(bytes) };
  };
}

/** For every line: they are parts of one string. */
function byText({ buffer, from: base, to }: Stretch): LineAt {
  const all = buffer.toString("latin1", base, to);
  const isPlain = isAscii(all);
  return (_, from) => {
    const start = from - base;
    const next = all.indexOf("\n", start);
    const end = next < 0 ? all.length : next;
    return { start: from, end: end + base, bytes: all.slice(start, end), isAscii: isPlain };
  };
}

function matchIn(scan: Scan, line: Line, spot: number): Span | null {
  const { matcher, wanted } = scan;
  if (matcher.prefilter.kind === "needles" && matcher.prefilter.isMatch) {
    const [{ forms }] = matcher.prefilter.needles;
    const start = spot - line.start;
    return { start, end: start + (forms[0]?.length ?? 0) };
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
  const took = performance.now() - since;
  scan.engineMs += took;
  if (scan.engineMs > MAX_ENGINE_MS || (took > MAX_LINE_MS && !isMatch)) scan.stop = "slow";
  return isMatch;
}
