// A file as it is now, with its version; and whether a session may replace what it holds.
import { invalid, type Result } from "../base/failure.ts";
import { type FileBytes, readBytes } from "../host/files.ts";
import type { Seen, Version } from "./seen.ts";

/** More than this is not held in memory. */
export const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

/** `file.bytes` is the whole file where `size` is not above `MAX_WHOLE_BYTES`. */
export function versionOf(file: FileBytes): Version {
  const isWhole = file.bytes.length === file.size;
  const hash = isWhole ? Bun.hash(file.bytes).toString(36) : null;
  return { mtimeMs: file.mtimeMs, size: file.size, hash };
}

/** The whole file, if this session has read it and it is still the same; `seen` null asks for neither. */
export function readForChange(path: string, real: string, seen: Seen | null): Result<FileBytes> {
  const file = readBytes(real, MAX_WHOLE_BYTES);
  if (!file.ok) return file;
  if (file.value.bytes.length < file.value.size)
    return invalid(`${path} is larger than 64 MB: change it with a command. Nothing was changed`);
  const freshness = seen?.check(real, versionOf(file.value)) ?? "fresh";
  switch (freshness) {
    case "fresh":
      return file;
    case "unread":
      return invalid(`${path} was not read in this session: read it first. Nothing was changed`);
    case "changed":
      return invalid(`${path} has changed since it was read: read it again. Nothing was changed`);
  }
}
