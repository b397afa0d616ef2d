// Writing a file so that it is always the old one or the new one: temp file, fsync, rename; in place where a rename would harm.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
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
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { broken, invalid, ok, type Result } from "../base/failure.ts";
import { writeAll } from "./append.ts";
import { errorCode, fault } from "./fault.ts";
import { hasAttributes } from "./attributes.ts";
import { holdFile, holdFolder, type HeldFile } from "./hold.ts";
import { realPath } from "./paths.ts";
import { holds } from "./same.ts";

const PERMISSION_BITS = 0o7777;
/** These say that the folder takes no new name; the file in it may still be writable. */
const FOLDER_CLOSED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
/** File systems without hard links. */
const LINK_REFUSED: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);
const FOLDER_SYNC_REFUSED: ReadonlySet<string> = new Set(["EACCES", "EINVAL", "EPERM", "ENOTSUP"]);

/** Linux: a path to what a descriptor is open on, whatever its name leads to by now. */
const OWN_FILES = "/proc/self/fd/";

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
  const at = join(folder.path, basename(named.real));
  if (before === null) {
    const placed = replace(at, bytes, null);
    return placed === "placed" ? lasting(named, at) : changedMeanwhile(named.path);
  }
  using file = holdFile(at);
  if (file === null) return movedAway(named.path);
  return change({ ...named, at }, bytes, oldFile(at, file, before));
}

/** The file that is replaced: open, so that it is the same one to the end, whatever its name leads to meanwhile. */
type Old = {
  stat: Stats;
  content: Uint8Array;
  /** A path to the file itself. */
  own: string;
  /** It still has its name, and holds what the writer took for granted. */
  isSame(): boolean;
  /** What it holds by now; null where that is what it held before. */
  saved(): Uint8Array | null;
};

function oldFile(at: string, { fd, stat }: HeldFile, before: Uint8Array): Old {
  const own = process.platform === "linux" ? `${OWN_FILES}${fd}` : at;
  return {
    stat,
    content: before,
    own,
    isSame() {
      const now = lstatSync(at, { throwIfNoEntry: false });
      return now?.ino === stat.ino && now.dev === stat.dev && holds(fd, before);
    },
    saved: () => (holds(fd, before) || own === at ? null : readFileSync(own)),
  };
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
type Held = Named & { at: string };

function change(held: Held, bytes: Uint8Array, old: Old): Result<string> {
  if (!old.isSame()) return changedMeanwhile(held.path);
  // A rename would get around the write protection of the file itself.
  accessSync(old.own, constants.W_OK);
  // It would also cut a hard link, whose other names would keep the old content, and drop what a new file does not inherit.
  const isReplaced = old.stat.nlink === 1 && !hasAttributes(old.own);
  const placed = isReplaced ? replace(held.at, bytes, old) : "impossible";
  if (placed === "changed") return changedMeanwhile(held.path);
  return placed === "placed" ? keepingSaved(held, old) : overwrite(held, bytes, old);
}

/**
 * Between the last look and the rename another program may have saved the file: then that is what the old one holds now,
 * which has no name any more.
 */
function keepingSaved(held: Held, old: Old): Result<string> {
  const saved = old.saved();
  if (saved === null) return lasting(held, held.at);
  const copy = writeBackup(held.real, saved);
  return broken(
    `${held.path} was written, but another program saved it at the same moment: what that one saved is in ${copy}`,
  );
}

function lasting({ path, real }: Named, at: string): Result<string> {
  try {
    syncFolder(dirname(at));
    return ok(real);
  } catch (error) {
    return broken(`${path} was written, but may not survive a power cut: ${fault(error)}`);
  }
}

/**
 * Impossible: the folder takes no new file, or the owner could not be kept. Changed: by another program, or it was to be
 * created and is there by now. In both cases nothing has happened.
 */
type Placed = "placed" | "impossible" | "changed";

function replace(at: string, bytes: Uint8Array, old: Old | null): Placed {
  const temp = join(dirname(at), `.burin-${crypto.randomUUID()}.tmp`);
  let fd: number;
  try {
    fd = openSync(temp, "wx", old === null ? 0o666 : 0o600);
  } catch (error) {
    if (old !== null && FOLDER_CLOSED.has(errorCode(error) ?? "")) return "impossible";
    throw error;
  }
  try {
    if (old !== null && !keepOwnerAndMode(fd, old.stat)) return dropped(temp, "impossible");
    writeAll(fd, bytes);
    fsyncSync(fd);
    return old === null ? placeNew(temp, at) : placeOver(temp, at, old);
  } catch (error) {
    removeIfThere(temp);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Writing took its time: looked at once more, as late as can be. */
function placeOver(temp: string, at: string, old: Old): Placed {
  if (!old.isSame()) return dropped(temp, "changed");
  renameSync(temp, at);
  return "placed";
}

function dropped(temp: string, why: Placed): Placed {
  removeIfThere(temp);
  return why;
}

/** A rename would take the place of a file that another program has just created; a second name does not. */
function placeNew(temp: string, at: string): Placed {
  try {
    linkSync(temp, at);
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code !== "EEXIST" && !LINK_REFUSED.has(code)) throw error;
    if (code === "EEXIST" || !claim(at)) return dropped(temp, "changed");
    renameSync(temp, at);
    return "placed";
  }
  try {
    removeIfThere(temp);
  } catch {
    // The file is there; its other name can only be left behind.
  }
  return "placed";
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
function overwrite({ path, real }: Held, bytes: Uint8Array, old: Old): Result<string> {
  const backup = writeBackup(real, old.content);
  if (!old.isSame()) {
    removeIfThere(backup);
    return changedMeanwhile(path);
  }
  try {
    fill(old, bytes);
  } catch (error) {
    try {
      fill(old, old.content);
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

/** Through the file itself: its name may lead elsewhere by now. */
function fill({ own, stat }: Old, bytes: Uint8Array): void {
  const isLink = own.startsWith(OWN_FILES);
  const fd = openSync(own, constants.O_RDWR | (isLink ? 0 : constants.O_NOFOLLOW));
  try {
    const now = fstatSync(fd);
    if (now.ino !== stat.ino || now.dev !== stat.dev) throw new Error("it is another file by now");
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
