// The file that takes the whole of an output too long for the model.
import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder, writeAll } from "../host/append.ts";
import { fault } from "../host/fault.ts";

/** `yes` would fill the disk. */
export const MAX_SPILL_BYTES = 100 * 1024 * 1024;

export type Spilled =
  | { kind: "kept"; path: string; isCut: boolean }
  | { kind: "lost"; because: string };

export type Spill = {
  path: string;
  write(bytes: Uint8Array): void;
  where(): Spilled;
  close(): void;
  /** Closes and removes it: everything fitted after all. */
  discard(): void;
};

/** Made at the first write: file and folder for the user alone. */
export function createSpill(folder: string, name: string): Spill {
  const path = join(folder, `${name}-${crypto.randomUUID().slice(0, 8)}.txt`);
  let fd: number | null = null;
  let room = MAX_SPILL_BYTES;
  let isCut = false;
  let because = "nothing was written";
  let hasFailed = false;
  const close = (): void => {
    if (fd !== null) closeSync(fd);
    fd = null;
  };
  return {
    path,
    write(bytes) {
      if (hasFailed) return;
      try {
        if (fd === null) {
          ensureFolder(folder);
          fd = openSync(path, "wx", 0o600);
          because = "";
        }
        writeAll(fd, bytes.subarray(0, room));
        isCut ||= bytes.length > room;
        room = Math.max(0, room - bytes.length);
      } catch (error) {
        hasFailed = true;
        because = fault(error);
      }
    },
    where: () => (because === "" ? { kind: "kept", path, isCut } : { kind: "lost", because }),
    close,
    discard() {
      close();
      rmSync(path, { force: true });
    },
  };
}
