// Standard output and error, written whole: process.stdout would cost 15 ms at start and cut long output at exit.
import { writeSync } from "node:fs";
import { errorCode } from "./fault.ts";

/** `closed`: the reader is gone, nothing more can be said there; `failed`: a full disk, for example. */
export type Written = "ok" | "closed" | "failed";

export const OUTPUT_LOST =
  "burin: standard output could not be written: is the disk it goes to full or read-only?\n";
const RETRY_MS = 2;

export function out(text: string): Written {
  return write(1, Buffer.from(text));
}

export function outBytes(bytes: Uint8Array): Written {
  return write(1, bytes);
}

export function err(text: string): Written {
  return write(2, Buffer.from(text));
}

/** Waits for a slow reader (a pipe that was made non-blocking answers EAGAIN) and sees one that went away. */
function write(fd: 1 | 2, bytes: Uint8Array): Written {
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done, bytes.length - done);
    } catch (error) {
      const code = errorCode(error);
      if (code !== "EAGAIN") return code === "EPIPE" ? "closed" : "failed";
      Bun.sleepSync(RETRY_MS);
    }
  }
  return "ok";
}
