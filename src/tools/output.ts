// The output of a command within bounds: the model gets its head and its tail, a file gets everything, memory stays flat.
import { createRing } from "../base/ring.ts";
import { plainText } from "../base/plain.ts";
import { byteSize, count, cutLine } from "../base/text.ts";
import { MAX_SPILL_BYTES, type Spill, type Spilled } from "./spill.ts";

const MAX_SHOWN_BYTES = 50 * 1024;
const HEAD_SHARE = 0.2;
const MAX_LINE_CHARS = 2000;
/** Kept raw while the command runs: escapes and progress lines may shrink to a small part of it. */
const RAW_HEAD_BYTES = 64 * 1024;
const RAW_TAIL_BYTES = 256 * 1024;
const NEWLINE = 10;
const MIN_BINARY_BYTES = 32;
const BINARY_SHARE = 0.1;

export type Captured = {
  /** Plain text: no escapes, whole lines, with a note where something was left out. */
  text: string;
  /** Of the raw output. */
  bytes: number;
  invalidSequences: number;
  /** Zero bytes, shown as line breaks: they end names and variables in lists of such. */
  nuls: number;
  truncated: { bytes: number; lines: number; file: string | null } | null;
};

export type Capture = {
  add(chunk: Uint8Array): void;
  /** Ends the capture and closes its file. */
  finish(): Captured;
};

/** `spill` gets everything once it is more than the model is shown. */
export function createCapture(spill: Spill): Capture {
  const head = Buffer.allocUnsafe(RAW_HEAD_BYTES);
  const tail = createRing(RAW_TAIL_BYTES);
  let headLength = 0;
  let total = 0;
  let newlines = 0;
  return {
    add(chunk) {
      const before = total;
      total += chunk.length;
      newlines += countNewlines(chunk);
      const toHead = chunk.subarray(0, RAW_HEAD_BYTES - headLength);
      if (before <= MAX_SHOWN_BYTES && total > MAX_SHOWN_BYTES)
        spill.write(head.subarray(0, headLength));
      head.set(toHead, headLength);
      headLength += toHead.length;
      tail.add(chunk.subarray(toHead.length));
      if (total > MAX_SHOWN_BYTES) spill.write(chunk);
    },
    finish() {
      const first = head.subarray(0, headLength);
      const last = tail.bytes();
      const lost = total - first.length - last.length;
      spill.close();
      const captured = present({ first, last, lost, total, newlines, file: spill.where() });
      if (captured.truncated === null) spill.discard();
      return captured;
    },
  };
}

type Raw = {
  first: Uint8Array;
  last: Uint8Array;
  /** Bytes between the two that are no longer held. */
  lost: number;
  total: number;
  newlines: number;
  file: Spilled;
};

function present(raw: Raw): Captured {
  const isWhole = raw.lost === 0;
  const parts = isWhole
    ? [decode(Buffer.concat([raw.first, raw.last]))]
    : [decode(wholeLines(raw.first, "from the start")), decode(wholeLines(raw.last, "to the end"))];
  const invalidSequences = parts.reduce((sum, part) => sum + part.invalid, 0);
  const nuls = parts.reduce((sum, part) => sum + part.text.split("\0").length - 1, 0);
  const chars = parts.reduce((sum, part) => sum + part.text.length, 0);
  if (isBinary(invalidSequences + nuls, chars)) return binary(raw);
  const facts = { bytes: raw.total, invalidSequences, nuls };
  const [first = [], last = []] = parts.map((part) =>
    linesOf(plainText(part.text.replaceAll("\0", "\n"))),
  );
  if (isWhole && byteLength(first) <= MAX_SHOWN_BYTES)
    return { ...facts, text: first.join("\n"), truncated: null };
  const [start, end] = headAndTail(first, isWhole ? first : last);
  const left = {
    bytes: Math.max(0, raw.total - byteLength(start) - byteLength(end)),
    lines: Math.max(0, lineCount(raw, isWhole ? first.length : null) - start.length - end.length),
    file: raw.file.kind === "kept" ? raw.file.path : null,
  };
  return { ...facts, text: [...start, note(left, raw.file), ...end].join("\n"), truncated: left };
}

/** A few odd bytes are in many texts; of what is mostly such, nobody can make anything. */
function isBinary(odd: number, chars: number): boolean {
  return odd >= MIN_BINARY_BYTES && odd > chars * BINARY_SHARE;
}

function binary({ total, file }: Raw): Captured {
  const where = total > MAX_SHOWN_BYTES ? `; ${whereabouts(file)}` : "";
  return {
    bytes: total,
    invalidSequences: 0,
    nuls: 0,
    text: `[binary output (${byteSize(total)}), not shown${where}: use file, strings or xxd to look at it]`,
    truncated: { bytes: total, lines: 0, file: file.kind === "kept" ? file.path : null },
  };
}

/** Without the file's last, empty line; with long lines cut. */
function linesOf(text: string): string[] {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  return body.split("\n").map((line) => cutLine(line, MAX_LINE_CHARS));
}

function lineCount(raw: Raw, known: number | null): number {
  if (known !== null) return known;
  return raw.newlines + (raw.last.at(-1) === NEWLINE ? 0 : 1);
}

/** The beginning of the one and the end of the other; where they are the same, no line twice. */
function headAndTail(first: readonly string[], last: readonly string[]): [string[], string[]] {
  const head = fitting(first, MAX_SHOWN_BYTES * HEAD_SHARE);
  const rest = first === last ? last.slice(head.length) : last;
  const tail = fitting(rest.toReversed(), MAX_SHOWN_BYTES * (1 - HEAD_SHARE)).toReversed();
  return [head, tail];
}

function fitting(lines: readonly string[], bytes: number): string[] {
  let room = bytes;
  const end = lines.findIndex((line) => {
    room -= Buffer.byteLength(line) + 1;
    return room < 0;
  });
  return end < 0 ? [...lines] : lines.slice(0, end);
}

function byteLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function note(left: { bytes: number; lines: number }, file: Spilled): string {
  return `[… ${count(left.lines, "line")} (${byteSize(left.bytes)}) left out; ${whereabouts(file)} …]`;
}

function whereabouts(file: Spilled): string {
  if (file.kind === "lost") return `the full output could not be kept: ${file.because}`;
  if (file.isCut) return `the first ${byteSize(MAX_SPILL_BYTES)} are in ${file.path}`;
  return `the full output is in ${file.path}`;
}

/** Cut at a newline, so that no line appears with its end or its beginning missing; one endless line is cut anywhere. */
function wholeLines(bytes: Uint8Array, side: "from the start" | "to the end"): Uint8Array {
  if (side === "from the start") {
    const end = bytes.lastIndexOf(NEWLINE);
    return end < 0 ? bytes : bytes.subarray(0, end + 1);
  }
  const start = bytes.indexOf(NEWLINE);
  return start < 0 || start === bytes.length - 1 ? bytes : bytes.subarray(start + 1);
}

function decode(bytes: Uint8Array): { text: string; invalid: number } {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!text.includes("\ufffd")) return { text, invalid: 0 };
  // The program may have printed the replacement character itself.
  const printed =
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      .toString("latin1")
      .split("\xef\xbf\xbd").length - 1;
  return { text, invalid: text.split("\ufffd").length - 1 - printed };
}

function countNewlines(chunk: Uint8Array): number {
  let found = 0;
  // Of `yes` every second byte is one: looking for the next newline again and again takes ten times as long.
  for (let at = 0; at < chunk.length; at += 1) if (chunk[at] === NEWLINE) found += 1;
  return found;
}
