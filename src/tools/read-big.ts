// A page of a file too big to be held in memory: looked through from the start in pieces of a few megabytes.
import { decodeText } from "../base/encoding.ts";
import { invalid, ok, type Result } from "../base/failure.ts";
import { byteSize, count } from "../base/text.ts";
import { type FileBytes, readBytes } from "../host/files.ts";
import { type Limits, linesOf, pageOf, type Piece, type Target } from "./page.ts";

const STEP_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

/** `start` is the beginning of the file, which tells text from binary. */
export function bigFilePage(target: Target, start: FileBytes, limits: Limits): Result<Piece> {
  const { path, offset } = target;
  const from = lineStart(target);
  if (!from.ok) return from;
  const part = readBytes(path, STEP_BYTES, from.value);
  if (!part.ok) return part;
  if (part.value.bytes.length === 0) return pastEnd(target, offset - 1);
  const decoded = decodeText(part.value.bytes, false);
  const size = byteSize(start.size);
  if (decoded === null) {
    const text = `[a binary file, not shown: ${size}]`;
    return ok({ text, bytes: text.length, lines: 0, leftLines: 0, summary: `binary, ${size}` });
  }
  const held = linesOf(decoded.text);
  const page = pageOf(held, offset, limits);
  const lines = page.last - page.first + 1;
  const isEnd = lines === held.length && from.value + part.value.bytes.length >= part.value.size;
  const next = isEnd ? "" : `; go on with offset=${page.last + 1}, or search it with grep`;
  const text = `${page.text}\n[lines ${page.first}–${page.last} of a file of ${size}${next}]`;
  // How many lines follow is not known without reading all of it: at least one.
  const leftLines = isEnd ? 0 : 1;
  return ok({ text, bytes: page.bytes, lines, leftLines, summary: count(lines, "line") });
}

function pastEnd({ path, offset }: Target, lines: number): ReturnType<typeof invalid> {
  return invalid(`${path} has only ${count(lines, "line")}: offset ${offset} is past its end`);
}

/** The byte where the line asked for starts. */
function lineStart(target: Target): Result<number> {
  const { path, offset: line } = target;
  let passed = 1;
  for (let at = 0; passed < line;) {
    const part = readBytes(path, STEP_BYTES, at);
    if (!part.ok) return part;
    const { bytes } = part.value;
    if (bytes.length === 0) return pastEnd(target, passed);
    for (let hit = bytes.indexOf(NEWLINE); hit >= 0; hit = bytes.indexOf(NEWLINE, hit + 1)) {
      passed += 1;
      if (passed === line) return ok(at + hit + 1);
    }
    at += bytes.length;
  }
  return ok(0);
}
