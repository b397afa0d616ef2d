// Checkpoints: what a file held before a tool changes it, stored before the change, so that undo can put it back.
import { type Result, sentence } from "../base/failure.ts";
import { byteSize } from "../base/text.ts";
import { contentHash, storeBlob } from "./blobs.ts";
import type { SessionLog } from "./log.ts";

/** A larger file is changed without a copy. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** More than this a session does not keep: a copy of each version of a few large files would fill the disk. */
const MAX_SESSION_BYTES = 256 * 1024 * 1024;

export type Limits = { fileBytes: number; sessionBytes: number };

/** `before` null: the file does not exist yet. The remark says why no copy was kept, where one should have been. */
export type Keeper = (
  path: string,
  before: Uint8Array | null,
  after: Uint8Array,
) => { checkpoint: string | null; remark: string | null };

/**
 * A copy that cannot be kept does not stop the change: the person asked for that, and a full disk stops it by itself. But
 * it is said in the result, and the checkpoint is stored without a copy, so that undo can name the file it leaves alone.
 */
export function keeperOf(
  log: SessionLog,
  folder: string,
  limits: Limits = { fileBytes: MAX_FILE_BYTES, sessionBytes: MAX_SESSION_BYTES },
): Keeper {
  const kept = keptIn(log);
  return (path, before, after) => {
    if (log.path() === null) return { checkpoint: null, remark: null };
    const { copy, remark } = before === null ? NO_FILE : copyOf(before);
    const file = { path, ...copy, after: contentHash(after) };
    const { id } = log.append({ type: "checkpoint", data: { files: [file] } });
    return { checkpoint: log.path() === null ? null : id, remark };
  };

  function copyOf(content: Uint8Array): Copied {
    const before = contentHash(content);
    const stored = storedCopy(content, before);
    const copy = { before, bytes: content.length };
    if (stored.ok) return { copy: { ...copy, blob: stored.value }, remark: null };
    const remark = `undo cannot bring it back: ${sentence(stored.failure)}`;
    return { copy: { ...copy, blob: null }, remark };
  }

  function storedCopy(bytes: Uint8Array, hash: string): Result<string> {
    const isKept = kept.hashes.has(hash);
    if (bytes.length > limits.fileBytes) return tooMuch(`files over ${byteSize(limits.fileBytes)}`);
    if (!isKept && kept.bytes + bytes.length > limits.sessionBytes)
      return tooMuch(`more than ${byteSize(limits.sessionBytes)} in a session`);
    const stored = storeBlob(folder, bytes, hash);
    if (!stored.ok || isKept) return stored;
    kept.hashes.add(hash);
    kept.bytes += bytes.length;
    return stored;
  }
}

type Copied = {
  copy: { before: string | null; bytes: number; blob: string | null };
  remark: string | null;
};
const NO_FILE: Copied = { copy: { before: null, bytes: 0, blob: null }, remark: null };

function tooMuch(what: string): Result<never> {
  return { ok: false, failure: { kind: "invalid", what: `no copies are kept of ${what}` } };
}

/** What the session has kept up to now, in this process or an earlier one. */
function keptIn(log: SessionLog): { hashes: Set<string>; bytes: number } {
  const kept = { hashes: new Set<string>(), bytes: 0 };
  for (const event of log.events()) {
    if (event.type !== "checkpoint") continue;
    for (const { before, bytes, blob } of event.data.files) {
      if (before === null || blob === null || kept.hashes.has(before)) continue;
      kept.hashes.add(before);
      kept.bytes += bytes;
    }
  }
  return kept;
}
