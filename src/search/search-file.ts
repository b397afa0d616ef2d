// Searches one file: reads it in blocks into a buffer that all files share, and stops early where it can.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { errorCode } from "../host/fault.ts";
import { onDisk, type Bytes } from "./bytes.ts";
import type { FoundLine } from "./found-line.ts";
import type { Matcher } from "./match.ts";
import type { Pace } from "./pace.ts";
import { newScan, scanLines, type Scan, type Wanted } from "./scan.ts";
import { scanMultiline } from "./scan-multiline.ts";

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
  /** How the search of this file ended; `binary`: at the first NUL byte. */
  end: "whole" | "binary" | "slow" | "too large" | "unreadable";
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

/** `path` is absolute. Rests now and then in a large file. */
export async function searchFile(path: Bytes, search: FileSearch, run: Run): Promise<FileResult> {
  const scan = newScan(search.matcher, search.wanted);
  let file: number;
  try {
    // Not to wait: what was a file may be a pipe by now.
    file = openSync(onDisk(path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return resultOf(scan, "unreadable");
  }
  try {
    return resultOf(scan, await searchOpen(file, { scan, search, run }));
  } catch (error) {
    if (errorCode(error) !== null) return resultOf(scan, "unreadable");
    throw error;
  } finally {
    closeSync(file);
  }
}

function resultOf(
  { lines, matches, kept, longLines, stop }: Scan,
  end: FileResult["end"],
): FileResult {
  return { lines, matches, kept, longLines, end: stop === "slow" ? "slow" : end };
}

type Going = { scan: Scan; search: FileSearch; run: Run };

async function searchOpen(file: number, going: Going): Promise<FileResult["end"]> {
  const { buffer } = going.run.scratch;
  const filled = readSync(file, buffer, 0, FIRST_BLOCK, null);
  const wide = wideEncoding(buffer, filled);
  if (wide !== null) return searchWhole(file, filled, wide, going);
  if (going.search.binary === "leave out" && hasNul(buffer, 0, filled)) return "binary";
  if (going.scan.matcher.multiline) return searchWhole(file, filled, null, going);
  return searchBlocks(file, filled, going);
}

async function searchWhole(
  file: number,
  filled: number,
  wide: Wide | null,
  { scan, search, run }: Going,
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

async function searchBlocks(
  file: number,
  filled: number,
  going: Going,
): Promise<FileResult["end"]> {
  const { scan, run } = going;
  const from = bomLength(run.scratch.buffer.subarray(0, filled));
  const window: Window = { from, filled, isLast: filled < FIRST_BLOCK, isBinary: false };
  for (;;) {
    scanWindow(window, scan, run.scratch.buffer);
    if (window.isLast || scan.stop !== "no" || run.signal.aborted) {
      return window.isBinary ? "binary" : "whole";
    }
    if (run.pace.isDue()) await run.pace.rest();
    readMore(file, window, going);
  }
}

/** Scans the whole lines, and moves what must be kept to the front. */
function scanWindow(window: Window, scan: Scan, buffer: Buffer): void {
  const to = endOfLines(window, buffer);
  if (to <= window.from) return;
  scanLines(scan, { buffer, from: window.from, to, isLast: window.isLast });
  const keepFrom = contextStart(buffer, to, scan.wanted.context);
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
  const end = window.filled + count;
  if (search.binary === "search" || !hasNul(buffer, window.filled, end)) {
    window.filled = end;
    return;
  }
  // What lies before the first NUL is still text.
  window.filled = buffer.indexOf(0, window.filled);
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

function hasNul(buffer: Buffer, from: number, to: number): boolean {
  const at = buffer.indexOf(0, from);
  return at >= 0 && at < to;
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
