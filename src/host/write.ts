// Writing a file so that it is always the old one or the new one: temp file, fsync, rename; in place where a rename would harm.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { broken, invalid, ok, type Result } from "../base/failure.ts";
import { writeAll } from "./append.ts";
import { errorCode, fault } from "./fault.ts";
import { holdFile, holdFolder } from "./hold.ts";
import { realPath } from "./paths.ts";
import { holds } from "./same.ts";

const PERMISSION_BITS = 0o7777;
/** These say that the folder takes no new name; the file in it may still be writable. */
const FOLDER_CLOSED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
/** File systems without hard links. */
const LINK_REFUSED: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);
const FOLDER_SYNC_REFUSED: ReadonlySet<string> = new Set(["EACCES", "EINVAL", "EPERM", "ENOTSUP"]);

/** What the writer took for granted: where the path leads, and what is there; `before` null: nothing. */
export type Expected = { real: string; before: Uint8Array | null };

/**
 * Replaces or creates a file; missing folders are made, and go again where that fails. Links are resolved part by part
 * just before the write, so a link stays a link. Nothing is written where something else than `expected` is found then:
 * another program may exchange a folder for a link, or save the file, at any moment. Mode and owner are kept. Gives the
 * real path that was written.
 */
export function writeFile(path: string, bytes: Uint8Array, expected: Expected): Result<string> {
  const resolved = realPath(path);
  if (!resolved.ok) return resolved;
  const real = resolved.value;
  if (real !== expected.real) return movedAway(path);
  const made: string[] = [];
  try {
    const old = lstatSync(real, { throwIfNoEntry: false });
    if (old !== undefined && !old.isFile())
      return invalid(`${path} is not a regular file; nothing was changed`);
    if (old === undefined && expected.before === null) made.push(...makeFolder(dirname(real)));
    const written = writeHeld({ path, real }, bytes, expected.before);
    if (!written.ok) removeFolders(made);
    return written;
  } catch (error) {
    removeFolders(made);
    return broken(`${path} could not be written: ${fault(error)}; nothing was changed`);
  }
}

/** Gives the folders that were made, the outermost first. */
function makeFolder(folder: string): string[] {
  const first = mkdirSync(folder, { recursive: true });
  const made: string[] = [];
  if (first === undefined) return made;
  for (let at = folder; at.length >= first.length; at = dirname(at)) made.unshift(at);
  return made;
}

/** Only empty ones: another program may have put something there. */
function removeFolders(made: readonly string[]): void {
  try {
    for (const folder of made.toReversed()) rmdirSync(folder);
  } catch {
    // Not empty, or gone already: nothing of ours is left in it.
  }
}

type Named = { path: string; real: string };

function writeHeld(named: Named, bytes: Uint8Array, before: Uint8Array | null): Result<string> {
  using folder = holdFolder(dirname(named.real));
  if (folder === null) return movedAway(named.path);
  const held = { real: named.real, at: join(folder.path, basename(named.real)) };
  if (before === null) return create(named.path, held, bytes);
  using file = holdFile(held.at);
  if (file === null) return movedAway(named.path);
  if (!holds(file.fd, before)) return changedMeanwhile(named.path);
  return change(held, bytes, file.stat);
}

function movedAway(path: string): Result<string> {
  return invalid(`${path} leads elsewhere than a moment ago; nothing was changed`);
}

function changedMeanwhile(path: string): Result<string> {
  return invalid(
    `${path} was changed by another program at this moment: read it again; nothing was changed`,
  );
}

/** `at` is the file's path through its held folder, `real` what people call it. */
type Held = { real: string; at: string };

function create(path: string, { real, at }: Held, bytes: Uint8Array): Result<string> {
  return replace(at, bytes, undefined) ? ok(real) : changedMeanwhile(path);
}

function change({ real, at }: Held, bytes: Uint8Array, old: Stats): Result<string> {
  // A rename would get around the write protection of the file itself.
  accessSync(at, constants.W_OK);
  // It would also cut a hard link: the other names would keep the old content.
  const isReplaced = old.nlink === 1 && replace(at, bytes, old);
  return isReplaced ? ok(real) : overwrite({ real, at }, bytes);
}

/**
 * False where the folder takes no new file, the owner could not be kept, or a file to be created is there by now: then
 * nothing has happened.
 */
function replace(real: string, bytes: Uint8Array, old: Stats | undefined): boolean {
  const temp = join(dirname(real), `.burin-${crypto.randomUUID()}.tmp`);
  let fd: number;
  try {
    fd = openSync(temp, "wx", old === undefined ? 0o666 : 0o600);
  } catch (error) {
    if (old !== undefined && FOLDER_CLOSED.has(errorCode(error) ?? "")) return false;
    throw error;
  }
  try {
    if (old !== undefined && !keepOwnerAndMode(fd, old)) {
      unlinkSync(temp);
      return false;
    }
    writeAll(fd, bytes);
    fsyncSync(fd);
    return place(temp, real, old);
  } catch (error) {
    removeIfThere(temp);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function place(temp: string, real: string, old: Stats | undefined): boolean {
  const isPlaced = old === undefined ? placeNew(temp, real) : placeOver(temp, real);
  if (isPlaced) syncFolder(dirname(real));
  return isPlaced;
}

function placeOver(temp: string, real: string): true {
  renameSync(temp, real);
  return true;
}

/** A rename would take the place of a file that another program has just created; a second name does not. */
function placeNew(temp: string, real: string): boolean {
  try {
    linkSync(temp, real);
    unlinkSync(temp);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code !== "EEXIST" && !LINK_REFUSED.has(code)) throw error;
    if (code === "EEXIST" || !claim(real)) {
      unlinkSync(temp);
      return false;
    }
    return placeOver(temp, real);
  }
}

/** Where there are no second names: an empty file first, that fails if there is one. */
function claim(real: string): boolean {
  try {
    closeSync(openSync(real, "wx", 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function keepOwnerAndMode(fd: number, old: Stats): boolean {
  try {
    // The owner first: a change of owner clears the set-uid bits of the mode.
    if (old.uid !== process.getuid?.() || old.gid !== process.getgid?.())
      fchownSync(fd, old.uid, old.gid);
    fchmodSync(fd, old.mode & PERMISSION_BITS);
    return true;
  } catch {
    return false;
  }
}

/** Makes the rename last through a power cut; not every file system can. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!FOLDER_SYNC_REFUSED.has(errorCode(error) ?? "")) throw error;
  }
}

/** In place, with a copy of the old content on disk until the new one is there. */
function overwrite({ real, at }: Held, bytes: Uint8Array): Result<string> {
  const old = readFileSync(at);
  const backup = writeBackup(real, old);
  try {
    fill(at, bytes);
  } catch (error) {
    try {
      fill(at, old);
    } catch (second) {
      return broken(
        `${real} could not be written: ${fault(error)}, nor put back: ${fault(second)}; what it held is in ${backup}`,
      );
    }
    removeIfThere(backup);
    throw error;
  }
  removeIfThere(backup);
  return ok(real);
}

function writeBackup(real: string, old: Uint8Array): string {
  const name = `.burin-${crypto.randomUUID()}.bak`;
  const beside = join(dirname(real), name);
  const elsewhere = join(tmpdir(), name);
  const backup = canCreate(beside) ? beside : elsewhere;
  try {
    writeFileSync(backup, old, { mode: 0o600, flush: true });
    return backup;
  } catch (error) {
    removeIfThere(backup);
    throw error;
  }
}

function canCreate(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch {
    return false;
  }
}

function fill(real: string, bytes: Uint8Array): void {
  const fd = openSync(real, "r+");
  try {
    writeAll(fd, bytes);
    ftruncateSync(fd, bytes.length);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function removeIfThere(path: string): void {
  rmSync(path, { force: true });
}
