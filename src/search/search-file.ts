// Searches one file: reads it in blocks into a buffer that all files share, and stops early where it can.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { errorCode } from "../host/fault.ts";
import { onDisk, type Bytes } from "./bytes.ts";
import type { FoundLine } from "./found-line.ts";
import type { Matcher } from "./match.ts";
import type { Pace } from "./pace.ts";
import { joinPieces, scanLines } from "./scan.ts";
import { newScan, type Scan, type Wanted } from "./scan-state.ts";
import { scanMultiline } from "./scan-multiline.ts";
import { seekIn } from "./seek.ts";

export type FileSearch = {
  matcher: Matcher;
  wanted: Wanted;
  /** Files that were asked for by name are searched even when they hold NUL bytes. */
  binary: "leave out" | "search";
};

export type FileResult = {
  lines: FoundLine[];
  /** All matches, also those beyond the limit for one file. */
  matches: number;
  kept: number;
  /** How the search of this file ended; `binary`: at the first NUL byte; `stopped`: by the signal. */
  end: "whole" | "binary" | "slow" | "too large" | "unreadable" | "stopped";
  longLines: number;
};

/** The buffer that files are read into; it grows with the longest line. */
export type Scratch = { buffer: Buffer };

const FIRST_BLOCK = 64 << 10;
const BLOCK = 1 << 20;
/** A longer line is searched in pieces. */
const MAX_LINE = 16 << 20;
/** Files that must be in memory as a whole: UTF-16, and matches over several lines. */
const MAX_WHOLE = 64 << 20;

export function newScratch(): Scratch {
  return { buffer: Buffer.allocUnsafeSlow(BLOCK + FIRST_BLOCK) };
}

export type Run = { scratch: Scratch; pace: Pace; signal: AbortSignal };

/** `path` is absolute. Most files are small and answered at once; a large one rests now and then. */
export function searchFile(
  path: Bytes,
  search: FileSearch,
  run: Run,
): FileResult | Promise<FileResult> {
  let file: number;
  try {
    // Not to wait: what was a file may be a pipe by now.
    file = openSync(onDisk(path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return nothing("unreadable");
  }
  let first: FileResult | Going;
  try {
    first = searchFirst(file, path, search, run);
  } catch (error) {
    closeSync(file);
    return unreadable(error);
  }
  if (!("filled" in first)) {
    closeSync(file);
    return first;
  }
  return searchRest(file, first);
}

/** A file that changes or fails while it is read; anything else is a bug. */
function unreadable(error: unknown): FileResult {
  if (errorCode(error) === null) throw error;
  return nothing("unreadable");
}

function nothing(end: FileResult["end"]): FileResult {
  return { lines: [], matches: 0, kept: 0, longLines: 0, end };
}

function resultOf(
  { lines, matches, kept, longLines, stop }: Scan,
  end: FileResult["end"],
): FileResult {
  return { lines, matches, kept, longLines, end: stop === "slow" ? "slow" : end };
}

/** A search that has read the first block and needs more. */
type Going = { filled: number; wide: Wide | null; scan: Scan; search: FileSearch; run: Run };

/** The first block decides whether a file is binary, and is most files' last. */
function searchFirst(file: number, path: Bytes, search: FileSearch, run: Run): FileResult | Going {
  const { matcher } = search;
  const { buffer } = run.scratch;
  const filled = readSync(file, buffer, 0, FIRST_BLOCK, null);
  const wide = wideEncoding(buffer, filled);
  const view = buffer.subarray(0, filled);
  if (wide === null && search.binary === "leave out" && view.includes(0)) return nothing("binary");
  const isWhole = filled < FIRST_BLOCK && wide === null && !givesPieces(path);
  if (isWhole && !mayMatch(matcher, view)) return nothing("whole");
  const scan = newScan(matcher, search.wanted);
  if (!isWhole || matcher.multiline) return { filled, wide, scan, search, run };
  scanLines(scan, { buffer, from: bomLength(view), to: filled, isLast: true });
  return resultOf(scan, "whole");
}

/** Files that the kernel makes up give less than was asked for before they end. */
function givesPieces(path: Bytes): boolean {
  return path.startsWith("/proc/") || path.startsWith("/sys/");
}

function mayMatch({ prefilter }: Matcher, view: Buffer): boolean {
  return prefilter.kind === "none" || seekIn(prefilter, view)(0) >= 0;
}

async function searchRest(file: number, going: Going): Promise<FileResult> {
  try {
    const isWhole = going.wide !== null || going.scan.matcher.multiline;
    const end = await (isWhole ? searchWhole(file, going) : searchBlocks(file, going));
    return resultOf(going.scan, end);
  } catch (error) {
    return unreadable(error);
  } finally {
    closeSync(file);
  }
}

async function searchWhole(
  file: number,
  { filled, wide, scan, search, run }: Going,
): Promise<FileResult["end"]> {
  const whole = await readWhole(file, run.scratch.buffer.subarray(0, filled), run);
  if (whole === null) return "too large";
  const content = wide === null ? whole.subarray(bomLength(whole)) : fromWide(whole, wide);
  if (search.binary === "leave out" && wide === null && content.includes(0)) return "binary";
  if (scan.matcher.multiline) scanMultiline(scan, content);
  else scanLines(scan, { buffer: content, from: 0, to: content.length, isLast: true });
  return "whole";
}

/** What the scratch buffer holds: lines kept for context before `from`, new bytes up to `filled`. */
type Window = { from: number; filled: number; isLast: boolean; isBinary: boolean };

async function searchBlocks(file: number, going: Going): Promise<FileResult["end"]> {
  const { filled, scan, run } = going;
  const from = bomLength(run.scratch.buffer.subarray(0, filled));
  const window: Window = { from, filled, isLast: filled === 0, isBinary: false };
  for (;;) {
    scanWindow(window, scan, run.scratch.buffer);
    if (window.isLast || scan.stop !== "no") return window.isBinary ? "binary" : "whole";
    if (run.signal.aborted) return "stopped";
    if (run.pace.isDue()) await run.pace.rest();
    readMore(file, window, going);
  }
}

/** Scans the whole lines, and moves what must be kept to the front. */
function scanWindow(window: Window, scan: Scan, buffer: Buffer): void {
  const to = endOfLines(window, buffer);
  if (to <= window.from) return;
  const stretch = { buffer, from: window.from, to, isLast: window.isLast };
  const before = { line: scan.line, lines: scan.lines.length };
  scanLines(scan, stretch);
  joinPieces(scan, stretch, before);
  // Of a line in pieces nothing is kept: it may be longer than memory.
  const keepFrom = scan.begun > 0 ? to : contextStart(buffer, to, scan.wanted.context);
  buffer.copyWithin(0, keepFrom, window.filled);
  window.filled -= keepFrom;
  window.from = to - keepFrom;
}

function endOfLines({ from, filled, isLast }: Window, buffer: Buffer): number {
  if (isLast) return filled;
  const end = buffer.lastIndexOf(NEWLINE, filled - 1) + 1;
  return end <= from && filled - from >= MAX_LINE ? filled : end;
}

function readMore(file: number, window: Window, { search, run }: Going): void {
  grow(run.scratch, window.filled);
  const { buffer } = run.scratch;
  const count = readSync(file, buffer, window.filled, buffer.length - window.filled, null);
  window.isLast = count === 0;
  const nul = buffer.subarray(window.filled, window.filled + count).indexOf(0);
  if (search.binary === "search" || nul < 0) {
    window.filled += count;
    return;
  }
  // What lies before the first NUL is still text.
  window.filled += nul;
  window.isLast = true;
  window.isBinary = true;
}

const NEWLINE = 10;

/** Start of the last `count` lines before a position that follows a line. */
function contextStart(buffer: Buffer, to: number, count: number): number {
  let start = to;
  for (let left = count; left > 0 && start > 0; left--) {
    start = start === 1 ? 0 : buffer.lastIndexOf(NEWLINE, start - 2) + 1;
  }
  return start;
}

function grow(scratch: Scratch, filled: number): void {
  if (scratch.buffer.length - filled >= FIRST_BLOCK) return;
  const larger = Buffer.allocUnsafeSlow(scratch.buffer.length * 2);
  scratch.buffer.copy(larger, 0, 0, filled);
  scratch.buffer = larger;
}

type Wide = "utf-16le" | "utf-16be";

function wideEncoding(buffer: Buffer, filled: number): Wide | null {
  if (filled < 2) return null;
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return "utf-16le";
  return buffer[0] === 0xfe && buffer[1] === 0xff ? "utf-16be" : null;
}

function fromWide(content: Buffer, encoding: Wide): Buffer {
  return Buffer.from(new TextDecoder(encoding).decode(content), "utf8");
}

function bomLength(buffer: Buffer): number {
  return buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
}

/** Null when the file is larger than may be held. */
async function readWhole(file: number, head: Buffer, run: Run): Promise<Buffer | null> {
  const parts = [Buffer.from(head)];
  let size = head.length;
  for (;;) {
    const count = readSync(file, run.scratch.buffer, 0, BLOCK, null);
    if (count === 0 || run.signal.aborted) return Buffer.concat(parts);
    size += count;
    if (size > MAX_WHOLE) return null;
    parts.push(Buffer.from(run.scratch.buffer.subarray(0, count)));
    if (run.pace.isDue()) await run.pace.rest();
  }
}
