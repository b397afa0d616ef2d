// Finds matches that go over several lines in the bytes of a whole file.
import { copyLine, type LineAt } from "./found-line.ts";
import type { Scan } from "./scan.ts";
import type { Span } from "./regex-spans.ts";

const NEWLINE = 10;
const MAX_ENGINE_MS = 2_000;

export function scanMultiline(scan: Scan, content: Buffer): void {
  if (!mayMatch(scan, content)) return;
  const text = content.toString("latin1");
  const since = performance.now();
  if (!scan.matcher.matches(text, false)) return;
  const lines = lineFinder(content);
  let block: Block | null = null;
  for (let from = 0; from <= text.length;) {
    const match = scan.matcher.find(text, from);
    if (match === null) break;
    from = match.end > match.start ? match.end : match.end + 1;
    const range = lines.rangeOf(match);
    // Matches on the same or neighbouring lines are one hit, as in ripgrep.
    if (block !== null && range.first <= block.last + 1)
      block.last = Math.max(block.last, range.last);
    else {
      if (block !== null) keepBlock(scan, content, block, lines);
      block = { ...range, match };
    }
    if (performance.now() - since > MAX_ENGINE_MS) scan.stop = "slow";
    if (scan.stop !== "no") break;
  }
  if (block !== null) keepBlock(scan, content, block, lines);
}

function mayMatch(scan: Scan, content: Buffer): boolean {
  const { prefilter } = scan.matcher;
  switch (prefilter.kind) {
    case "none":
      return true;
    case "bytes":
      return content.includes(prefilter.needle);
    case "choice":
      prefilter.regex.lastIndex = 0;
      return prefilter.regex.test(content.toString("latin1"));
  }
}

/** Line numbers from 1. */
type Block = { first: number; last: number; match: Span };

type Lines = {
  rangeOf(match: Span): { first: number; last: number };
  start(line: number): number;
  end(line: number): number;
  count: number;
};

function lineFinder(content: Buffer): Lines {
  const starts = [0];
  for (let at = content.indexOf(NEWLINE); at >= 0 && at + 1 < content.length;) {
    starts.push(at + 1);
    at = content.indexOf(NEWLINE, at + 1);
  }
  const start = (line: number): number => starts[line - 1] ?? content.length;
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  return {
    rangeOf: ({ start: from, end }) => ({
      first: lineOf(from),
      last: lineOf(Math.max(from, end - 1)),
    }),
    start,
    end(line) {
      const next = starts[line];
      if (next !== undefined) return next - 1;
      return content[content.length - 1] === NEWLINE ? content.length - 1 : content.length;
    },
    count: starts.length,
  };
}

function keepBlock(scan: Scan, content: Buffer, block: Block, lines: Lines): void {
  const { wanted } = scan;
  scan.matches++;
  if (wanted.what === "first") scan.stop = "done";
  if (wanted.what !== "lines" || scan.kept >= wanted.perFile) return;
  scan.kept++;
  const shown = scan.lines[scan.lines.length - 1]?.number ?? 0;
  const first = Math.max(shown + 1, block.first - wanted.context);
  const last = Math.min(lines.count, block.last + wanted.context);
  for (let number = first; number <= last; number++) {
    const line = {
      number,
      kind: kindOf(number, block),
      start: lines.start(number),
      end: lines.end(number),
    };
    scan.lines.push(copyLine(content, line, matchOn(block, line), wanted.lineCap));
  }
}

function kindOf(number: number, block: Block): LineAt["kind"] {
  if (number === block.first) return "match";
  return number > block.first && number <= block.last ? "more" : "context";
}

function matchOn(block: Block, line: LineAt): Span | null {
  if (line.kind !== "match") return null;
  return {
    start: block.match.start - line.start,
    end: Math.min(block.match.end, line.end) - line.start,
  };
}
