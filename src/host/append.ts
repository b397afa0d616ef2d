// Appends whole lines to a file: one write each on a kept descriptor, a torn tail healed first, failures as values.
import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Failure, Result } from "../base/failure.ts";
import { broken, ok } from "../base/failure.ts";
import { fault } from "./fault.ts";

const NEWLINE = 10;
/** Neither follows a link (a hostile folder could point it anywhere) nor waits for the other end of a pipe. */
const OPEN_FLAGS =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

export type Appender = {
  /** One line without its newline; null where all of it was written. */
  append(line: string): Failure | null;
  /** Waits until everything written is on the disk. */
  sync(): Failure | null;
  close(): void;
};

/** Opens or creates a file (0600, missing folders 0700) to append lines to it. */
export function openAppend(path: string): Result<Appender> {
  try {
    ensureFolder(dirname(path));
    const fd = openSync(path, OPEN_FLAGS, 0o600);
    if (!fstatSync(fd).isFile()) {
      closeSync(fd);
      return broken(`could not write ${path}: it is not a regular file`);
    }
    return ok(appender(fd, path));
  } catch (error) {
    return broken(`could not write ${path}: ${fault(error)}`);
  }
}

export function ensureFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

function appender(fd: number, path: string): Appender {
  let torn = !endsInNewline(fd);
  return {
    append(line) {
      const bytes = Buffer.from(torn ? `\n${line}\n` : `${line}\n`);
      try {
        writeAll(fd, bytes);
        torn = false;
        return null;
      } catch (error) {
        torn = !endsInNewline(fd);
        return { kind: "broken", what: `could not write ${path}: ${fault(error)}` };
      }
    },
    sync() {
      try {
        fsyncSync(fd);
        return null;
      } catch (error) {
        return { kind: "broken", what: `could not save ${path} to disk: ${fault(error)}` };
      }
    },
    close: () => closeSync(fd),
  };
}

/** A write may take only a part, on a nearly full disk for example: the rest follows, or the next write says why not. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(fd, bytes, at, bytes.length - at);
}

function endsInNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}
