// Finds matches that go over several lines in the bytes of a whole file.
import type { Bytes } from "./bytes.ts";
import { copyLine, type LineAt } from "./found-line.ts";
import type { Scan } from "./scan-state.ts";
import type { Span } from "./regex-spans.ts";
import { seekIn } from "./seek.ts";

const NEWLINE = 10;
const MAX_ENGINE_MS = 2_000;

export function scanMultiline(scan: Scan, content: Buffer): void {
  const { prefilter } = scan.matcher;
  if (prefilter.kind === "needles" && seekIn(prefilter, content)(0) < 0) return;
  const text = content.toString("latin1");
  if (!scan.matcher.matches(text, false)) return;
  const lines = lineFinder(content);
  for (const block of blocks(scan, text, lines)) {
    keepBlock(scan, content, block, lines);
    if (scan.stop !== "no") return;
  }
}

/** Matches on the same or neighbouring lines are one hit, as in ripgrep. */
function* blocks(scan: Scan, text: Bytes, lines: Lines): Generator<Block> {
  const since = performance.now();
  let block: Block | null = null;
  for (const match of scan.matcher.findAll(text)) {
    const range = lines.rangeOf(match);
    if (block !== null && range.first <= block.last + 1)
      block.last = Math.max(block.last, range.last);
    else {
      if (block !== null) yield block;
      block = { ...range, match };
    }
    if (performance.now() - since < MAX_ENGINE_MS) continue;
    scan.stop = "slow";
    break;
  }
  if (block !== null) yield block;
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
