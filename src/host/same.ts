// Whether a file holds given bytes, read in pieces: a second copy of a large file would cost more than the reading.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const PIECE_BYTES = 256 * 1024;

/** Exactly these and no more. */
export function holds(fd: number, bytes: Uint8Array): boolean {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let at = 0;
  for (let got = readSync(fd, piece, 0, PIECE_BYTES, 0); got > 0;) {
    if (!piece.subarray(0, got).equals(bytes.subarray(at, at + got))) return false;
    at += got;
    got = readSync(fd, piece, 0, PIECE_BYTES, at);
  }
  return at === bytes.length;
}

/** When a file that holds exactly these bytes was last changed; null where it holds others, or cannot be read. */
export function heldSince(path: string, bytes: Uint8Array): number | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      return stat.isFile() && holds(fd, bytes) ? stat.mtimeMs : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    // Gone, or closed to us by now: not what was left there.
    return null;
  }
}
