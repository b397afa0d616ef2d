// One line of a search's answer: its bytes, cut around the match when it is long.
import type { Bytes } from "./bytes.ts";

export type FoundLine = {
  number: number;
  /** `more`: a further line of a match over several lines. */
  kind: "match" | "more" | "context";
  bytes: Bytes;
  /** Bytes left out on either side. */
  cut: { before: number; after: number };
  /** Where the match lies in `bytes`; null when it is not a match line. */
  match: { start: number; end: number } | null;
};

export type LineAt = { number: number; kind: FoundLine["kind"]; start: number; end: number };

/** A copy of a line out of a buffer that will be reused; at most `cap` bytes with the match inside. */
export function copyLine(
  buffer: Buffer,
  line: LineAt,
  match: FoundLine["match"],
  cap: number,
): FoundLine {
  const length = line.end - line.start;
  const size = Math.min(cap, length);
  // A quarter of the room goes before the match.
  const wanted = (match?.start ?? 0) - Math.floor(size / 4);
  const from =
    length <= cap ? 0 : charStart(buffer, line, Math.max(0, Math.min(wanted, length - size)));
  const to = length <= cap ? length : charStart(buffer, line, from + size);
  const within = (at: number): number => Math.max(0, Math.min(at, to) - from);
  return {
    number: line.number,
    kind: line.kind,
    bytes: buffer.toString("latin1", line.start + from, line.start + to),
    cut: { before: from, after: length - to },
    match: match && { start: within(match.start), end: within(match.end) },
  };
}

/** Back from the middle of a UTF-8 character to its first byte. */
function charStart(buffer: Buffer, line: LineAt, offset: number): number {
  let at = offset;
  while (at > 0 && offset - at < 3 && ((buffer[line.start + at] ?? 0) & 0xc0) === 0x80) at--;
  return ((buffer[line.start + at] ?? 0) & 0xc0) === 0x80 ? offset : at;
}
