// An advisory lock on a name: flock(2) on a lock file that also tells who holds it; where flock fails, the file itself.
import { read } from "bun:ffi";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { renameSync, statSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ensureFolder } from "./append.ts";
import { startOf } from "./birth.ts";
import { errorCode, fault } from "./fault.ts";
import { openLibc } from "./libc.ts";

/** The holder's line in the lock file. `started` tells a process from a later one with the same pid. */
export type Holder = { pid: number; started: string | null; host: string };

export type Lock = { release(): void };

export type Attempt =
  | { kind: "locked"; lock: Lock }
  /** `by` is null where the lock file does not say. */
  | { kind: "busy"; by: Holder | null }
  | { kind: "failed"; what: string };

type Flock = (fd: number) => "locked" | "busy" | "unsupported";

const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
const LOCK_EXCLUSIVE_NOW = 2 | 4;
/** EWOULDBLOCK on Linux and macOS. */
const WOULD_BLOCK: ReadonlySet<number> = new Set([11, 35]);
/** A lock file that names nobody after this time was left by a process that died while it wrote it. */
const UNNAMED_MS = 5000;
const MAX_TRIES = 5;

/** Asked for as it is needed: node:os takes time to load. */
function hostname(): string {
  return process.getBuiltinModule("node:os").hostname();
}

/** Takes the lock at once or says who has it. The kernel drops it when the process ends, however it ends. */
export function takeLock(path: string, flock: Flock = systemFlock): Attempt {
  try {
    ensureFolder(dirname(path));
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const attempt = tryFlock(path, flock);
      if (attempt === "unsupported") return takeFile(path);
      if (attempt !== "replaced") return attempt;
    }
    return { kind: "busy", by: holderIn(path) };
  } catch (error) {
    return { kind: "failed", what: `could not lock ${path}: ${fault(error)}` };
  }
}

function tryFlock(path: string, flock: Flock): Attempt | "unsupported" | "replaced" {
  const { fd, isNew } = openLockFile(path);
  const got = flock(fd);
  if (got === "locked" && isAt(fd, path)) {
    try {
      ftruncateSync(fd, 0);
      writeSync(fd, `${JSON.stringify(myself())}\n`, 0);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    return { kind: "locked", lock: { release: () => release(path, fd) } };
  }
  closeSync(fd);
  // The holder removed its file between our open and our lock: ours is the lock of a file that is gone.
  if (got === "locked") return "replaced";
  if (got === "busy") return { kind: "busy", by: holderIn(path) };
  // Created only to be locked; whoever takes the lock by creating the file must not find it there.
  if (isNew) removeFile(path);
  return "unsupported";
}

function openLockFile(path: string): { fd: number; isNew: boolean } {
  try {
    return { fd: openSync(path, OPEN_FLAGS | constants.O_EXCL, 0o600), isNew: true };
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return { fd: openSync(path, OPEN_FLAGS, 0o600), isNew: false };
  }
}

/** Removed while still locked, so that nobody can lock the file that is about to go. */
function release(path: string, fd: number): void {
  removeFile(path);
  closeSync(fd);
}

function isAt(fd: number, path: string): boolean {
  const mine = fstatSync(fd);
  const there = statSync(path, { throwIfNoEntry: false });
  return there?.ino === mine.ino && there.dev === mine.dev;
}

/** The way without flock: whoever creates the file has the lock; a dead holder's file is taken away. */
function takeFile(path: string): Attempt {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (createFile(path)) return { kind: "locked", lock: { release: () => removeFile(path) } };
    const holder = holderIn(path);
    if (holder === null ? !isUnnamed(path) : isAlive(holder)) return { kind: "busy", by: holder };
    takeAway(path, holder);
  }
  return { kind: "busy", by: holderIn(path) };
}

function createFile(path: string): boolean {
  try {
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, `${JSON.stringify(myself())}\n`);
    closeSync(fd);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Renamed first: of two processes that find the same dead holder only one gets the file, and a new holder's goes back. */
function takeAway(path: string, holder: Holder | null): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const got = holderIn(aside);
  if (got !== null && (got.pid !== holder?.pid || got.started !== holder.started)) {
    renameSync(aside, path);
    return;
  }
  removeFile(aside);
}

function isUnnamed(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || Date.now() - stat.mtimeMs > UNNAMED_MS;
}

/** A holder on another machine cannot be asked, so it counts as alive. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  const started = startOf(holder.pid);
  return started !== null && (holder.started === null || started === holder.started);
}

function myself(): Holder {
  return { pid: process.pid, started: startOf(process.pid), host: hostname() };
}

function holderIn(path: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isHolder(value) ? value : null;
  } catch {
    // Gone, or not written yet: nobody is named.
    return null;
  }
}

function isHolder(value: unknown): value is Holder {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isInteger(value.pid) &&
    "host" in value &&
    typeof value.host === "string" &&
    "started" in value &&
    (value.started === null || typeof value.started === "string")
  );
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** flock(2) through the C library; where there is none (Windows), the lock file alone must do. */
export function systemFlock(fd: number): "locked" | "busy" | "unsupported" {
  const errnoName = process.platform === "darwin" ? "__error" : "__errno_location";
  const libc = openLibc({
    flock: { args: ["i32", "i32"], returns: "i32" },
    [errnoName]: { args: [], returns: "ptr" },
  });
  if (libc === null) return "unsupported";
  const { flock, [errnoName]: errnoAt } = libc.symbols;
  if (flock(fd, LOCK_EXCLUSIVE_NOW) === 0) return "locked";
  const at = errnoAt?.() ?? null;
  return at !== null && WOULD_BLOCK.has(read.i32(at)) ? "busy" : "unsupported";
}
