// Small files of git and ignore files, as byte strings.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { onDisk, type Bytes } from "./bytes.ts";

/** An ignore file above this is not one. */
const MAX_BYTES = 16 << 20;

/** Null when there is no such regular file, or it cannot be read. */
export function readBytes(path: Bytes, links: "follow" | "refuse" = "follow"): Bytes | null {
  return readRaw(path, links)?.toString("latin1") ?? null;
}

/** The same as a buffer, for binary formats, without the cap. */
export function readRaw(path: Bytes, links: "follow" | "refuse", cap = MAX_BYTES): Buffer | null {
  const noLinks = links === "refuse" ? constants.O_NOFOLLOW : 0;
  try {
    // Not to wait: a pipe under this name must not hang the walk.
    const file = openSync(onDisk(path), constants.O_RDONLY | constants.O_NONBLOCK | noLinks);
    try {
      const stat = fstatSync(file);
      return stat.isFile() && stat.size <= cap ? readFileSync(file) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
