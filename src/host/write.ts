// Writing a file so that it is always the old one or the new one: temp file, fsync, rename; in place where a rename would harm.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
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
import { realPath } from "./paths.ts";

const PERMISSION_BITS = 0o7777;
/** These say that the folder takes no new name; the file in it may still be writable. */
const FOLDER_CLOSED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);
const FOLDER_SYNC_REFUSED: ReadonlySet<string> = new Set(["EACCES", "EINVAL", "EPERM", "ENOTSUP"]);

/**
 * Replaces or creates a file; missing folders are made. Links are resolved part by part just before the write, so a link
 * stays a link. Where `expected` is given, nothing is written but there: another program may exchange a folder for a link
 * at any moment. Mode and owner are kept. Gives the real path that was written.
 */
export function writeFile(
  path: string,
  bytes: Uint8Array,
  expected: string | null = null,
): Result<string> {
  const resolved = realPath(path);
  if (!resolved.ok) return resolved;
  const real = resolved.value;
  if (expected !== null && real !== expected) return movedAway(path);
  try {
    const old = lstatSync(real, { throwIfNoEntry: false });
    if (old !== undefined && !old.isFile())
      return invalid(`${path} is not a regular file; nothing was changed`);
    return writeHeld(real, bytes, old) ?? movedAway(path);
  } catch (error) {
    return broken(`${path} could not be written: ${fault(error)}; nothing was changed`);
  }
}

/** Null where the folder was exchanged meanwhile. */
function writeHeld(real: string, bytes: Uint8Array, old: Stats | undefined): Result<string> | null {
  if (old === undefined) mkdirSync(dirname(real), { recursive: true });
  using folder = holdFolder(dirname(real));
  if (folder === null) return null;
  const held = { real, at: join(folder.path, basename(real)) };
  return old === undefined ? create(held, bytes) : change(held, bytes, old);
}

function movedAway(path: string): Result<string> {
  return invalid(`${path} leads elsewhere than a moment ago; nothing was changed`);
}

/**
 * The folder, held open: on Linux a path through the descriptor stays in it whatever its name leads to by then. Null where
 * the name was exchanged already. Elsewhere the name itself has to do.
 */
function holdFolder(folder: string): ({ path: string } & Disposable) | null {
  if (process.platform !== "linux") return { path: folder, [Symbol.dispose]: () => undefined };
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const path = `/proc/self/fd/${fd}`;
  if (readlinkSync(path) === folder) return { path, [Symbol.dispose]: () => closeSync(fd) };
  closeSync(fd);
  return null;
}

/** `at` is the file's path through its held folder, `real` what people call it. */
type Held = { real: string; at: string };

function create({ real, at }: Held, bytes: Uint8Array): Result<string> {
  replace(at, bytes, undefined);
  return ok(real);
}

function change({ real, at }: Held, bytes: Uint8Array, old: Stats): Result<string> {
  // A rename would get around the write protection of the file itself.
  accessSync(at, constants.W_OK);
  // It would also cut a hard link: the other names would keep the old content.
  const isReplaced = old.nlink === 1 && replace(at, bytes, old);
  return isReplaced ? ok(real) : overwrite({ real, at }, bytes);
}

/** False where the folder takes no new file, or the owner could not be kept: then nothing has happened. */
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
    renameSync(temp, real);
    syncFolder(dirname(real));
    return true;
  } catch (error) {
    removeIfThere(temp);
    throw error;
  } finally {
    closeSync(fd);
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
