// Contents kept outside the logs, each once, named by its hash: `<data>/blobs/ab/abcd…`, 0600.
import { closeSync, openSync, renameSync, statSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { broken, ok, type Result } from "../base/failure.ts";
import { newId } from "../base/ids.ts";
import { ensureFolder, writeAll } from "../host/append.ts";
import { fault } from "../host/fault.ts";

export function contentHash(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** The reference of a content in a log: its path below the folder of blobs. */
export function blobName(hash: string): string {
  return join(hash.slice(0, 2), hash);
}

/**
 * Gives the reference. Whole or not there at all, also when the process is killed; like the log it is left to the system
 * when the bytes reach the disk.
 */
export function storeBlob(folder: string, bytes: Uint8Array, hash: string): Result<string> {
  const name = blobName(hash);
  const path = join(folder, name);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) return ok(name);
    ensureFolder(dirname(path));
    place(path, bytes);
    return ok(name);
  } catch (error) {
    return broken(`${path} could not be written: ${fault(error)}`);
  }
}

function place(path: string, bytes: Uint8Array): void {
  const draft = `${path}.${newId()}.new`;
  const fd = openSync(draft, "wx", 0o600);
  try {
    writeAll(fd, bytes);
    renameSync(draft, path);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  } finally {
    closeSync(fd);
  }
}
