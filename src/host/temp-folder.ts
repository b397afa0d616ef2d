// A temporary folder for the commands of one session: made when it is first needed, gone with the session; what crashed runs left is swept.
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "./flock.ts";

export type TempFolder = {
  /** Made again where a command removed it. */
  path(): string;
  remove(): void;
};

const NAME = /^burin-[0-9a-f]{12}$/;
/** Held for as long as the folder is in use: the kernel drops the lock with its process. */
const LOCK = ".lock";
/** A younger one may not have its lock yet. */
const MIN_AGE_MS = 60_000;

/** Null where there is no place for one: commands then use the system's own. */
export function makeTempFolder(parent: string): TempFolder | null {
  const path = join(parent, `burin-${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    return null;
  }
  const attempt = takeLock(join(path, LOCK));
  return {
    path() {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      return path;
    },
    remove() {
      removeTree(path);
      if (attempt.kind === "locked") attempt.lock.release();
    },
  };
}

/** Removes the folders of runs that are over: only the user's own, never through a link, never one whose lock is held. */
export function sweepTempFolders(parent: string): void {
  for (const name of namesIn(parent)) {
    const path = join(parent, name);
    if (!NAME.test(name) || !isOld(path)) continue;
    const attempt = takeLock(join(path, LOCK));
    if (attempt.kind !== "locked") continue;
    removeTree(path);
    attempt.lock.release();
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that may be entered but not listed holds nothing that could be told apart.
    return [];
  }
}

/** Whoever owns it is asked first: another user's folder may not be looked into, and is none of our business. */
function isOld(path: string): boolean {
  try {
    const folder = lstatSync(path, { throwIfNoEntry: false });
    if (folder?.isDirectory() !== true || folder.uid !== process.getuid?.()) return false;
    const lock = lstatSync(join(path, LOCK), { throwIfNoEntry: false });
    return lock?.isFile() === true && Date.now() - lock.mtimeMs >= MIN_AGE_MS;
  } catch {
    // Closed even to its owner: it stays for the system's own sweep.
    return false;
  }
}

/** A command may have left what its user cannot remove; then the system's own sweep must. */
function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Nothing more can be done here.
  }
}
