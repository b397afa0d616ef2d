// The lines of a file with their places in it, read in chunks: memory does not grow with the file.
import { fstatSync, readSync } from "node:fs";

const MAX_CHUNK_BYTES = 1 << 20;
/** Room to see that a file grew while it was read. */
const SPARE_BYTES = 512;
const NEWLINE = 10;

export type Line = {
  text: string;
  /** From 1, where the reading began at the start of the file. */
  number: number;
  /** In bytes from the start of the file. */
  offset: number;
  length: number;
  /** False for a last line without its newline: torn, or still being written. */
  isWhole: boolean;
};

/** Every line from `start` on, a last one without newline included, empty ones left out. */
export function* linesOf(fd: number, start = 0): Generator<Line> {
  let held = Buffer.alloc(0);
  let offset = start;
  let number = 0;
  for (;;) {
    const from = offset + held.length;
    const left = fstatSync(fd).size - from;
    const wanted = Math.min(Math.max(left, 0) + SPARE_BYTES, MAX_CHUNK_BYTES);
    // A line longer than a chunk is read in doubling steps, so that it is not copied once for each chunk.
    const chunk = Buffer.allocUnsafe(Math.max(wanted, held.length));
    const size = readSync(fd, chunk, 0, chunk.length, from);
    if (size === 0) break;
    const bytes =
      held.length === 0 ? chunk.subarray(0, size) : Buffer.concat([held, chunk.subarray(0, size)]);
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, at)) {
      number += 1;
      if (end > at) {
        const text = bytes.toString("utf8", at, end);
        yield { text, number, offset: offset + at, length: end - at, isWhole: true };
      }
      at = end + 1;
    }
    held = bytes.subarray(at);
    offset += at;
  }
  if (held.length > 0) {
    const text = held.toString("utf8");
    yield { text, number: number + 1, offset, length: held.length, isWhole: false };
  }
}
