// Small files read and written whole: a reader sees the old text or the new one, never a part. No wait for the disk.
import { closeSync, constants, openSync, readFileSync, renameSync, statSync } from "node:fs";
import type { Failure } from "../base/failure.ts";
import { writeAll } from "./append.ts";
import { fault } from "./fault.ts";

/** A link under the name of the draft must not lead elsewhere. */
const DRAFT_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Null where the text is in place (0600). */
export function writeWhole(path: string, text: string): Failure | null {
  const draft = `${path}.new`;
  try {
    const fd = openSync(draft, DRAFT_FLAGS, 0o600);
    try {
      writeAll(fd, Buffer.from(text));
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
    return null;
  } catch (error) {
    return { kind: "broken", what: `could not write ${path}: ${fault(error)}` };
  }
}

/** Null where there is no regular file that may be read. */
export function readWhole(path: string): string | null {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}
