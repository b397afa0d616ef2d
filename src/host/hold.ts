// Holding on to what is about to be written: a folder that no link can be put in the place of, a file locked against other burins.
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import type { Stats } from "node:fs";
import { systemFlock } from "./flock.ts";

/** Longer than a burin takes to write a file of the greatest size. */
const LOCK_WAIT_MS = 1000;
const LOCK_PAUSE_MS = 2;
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * The folder, held open: on Linux a path through the descriptor stays in it whatever its name leads to by then. Null where
 * the name was exchanged already. Elsewhere the name itself has to do.
 */
export function holdFolder(folder: string): ({ path: string } & Disposable) | null {
  if (process.platform !== "linux") return { path: folder, [Symbol.dispose]: () => undefined };
  const fd = openSync(folder, FOLDER_FLAGS);
  const path = `/proc/self/fd/${fd}`;
  if (readlinkSync(path) === folder) return { path, [Symbol.dispose]: () => closeSync(fd) };
  closeSync(fd);
  return null;
}

export type HeldFile = { fd: number; stat: Stats } & Disposable;

/**
 * The file, open and locked against other burins until it is replaced: what is read from it then is what gets replaced.
 * Null where something else has taken its place. Programs that lock it for longer than a write takes are no burins: those
 * are not waited for.
 */
export function holdFile(at: string): HeldFile | null {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const isLate = performance.now() >= until;
    const held = tryHold(at, isLate);
    if (held !== "busy") return held;
    if (isLate) return null;
    Bun.sleepSync(LOCK_PAUSE_MS);
  }
}

/** Busy: locked, or replaced between the look and the lock. */
function tryHold(at: string, isLate: boolean): HeldFile | null | "busy" {
  const fd = openSync(at, FILE_FLAGS);
  const stat = fstatSync(fd);
  const isLocked = stat.isFile() && systemFlock(fd) === "busy";
  const now = lstatSync(at, { throwIfNoEntry: false });
  const isThere = now?.ino === stat.ino && now.dev === stat.dev;
  if (stat.isFile() && isThere && (!isLocked || isLate))
    return { fd, stat, [Symbol.dispose]: () => closeSync(fd) };
  closeSync(fd);
  return stat.isFile() && now !== undefined ? "busy" : null;
}
