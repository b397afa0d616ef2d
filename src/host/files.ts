// Reading files without surprises: what a path is, and its bytes when it is a regular file, never more than asked for.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join, parse } from "node:path";
import { broken, type Failure, invalid, missing, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { errorCode, fault } from "./fault.ts";

export type Kind = "file" | "folder" | "link" | "pipe" | "socket" | "device";

export type FileBytes = {
  bytes: Uint8Array;
  /** Of the whole file, also where fewer bytes were read. */
  size: number;
  mtimeMs: number;
};

const MAX_SUGGESTIONS = 3;
const MAX_COMPARED = 2000;
/** Files of unknown size (in /proc) are read up to here. */
const SIZELESS_BYTES = 1024 * 1024;

/** What lies at the path itself; a link is a link. Null: nothing. */
export function kindAt(path: string): Kind | null {
  const stat = quietly(() => lstatSync(path, { throwIfNoEntry: false }));
  return stat === undefined ? null : kindOf(stat);
}

/** What the path leads to; a link that leads nowhere is nothing. */
export function kindBehind(path: string): Kind | null {
  const stat = quietly(() => statSync(path, { throwIfNoEntry: false }));
  return stat === undefined ? null : kindOf(stat);
}

function kindOf(stat: Stats): Kind {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "folder";
  if (stat.isSymbolicLink()) return "link";
  if (stat.isFIFO()) return "pipe";
  if (stat.isSocket()) return "socket";
  return "device";
}

/** The first `limit` bytes from `offset` of a regular file; opening never blocks on a pipe or a device. */
export function readBytes(path: string, limit: number, offset = 0): Result<FileBytes> {
  const kind = kindBehind(path);
  if (kind !== "file") return notAFile(path, kind);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return broken(`${path} cannot be read: ${fault(error)}`);
  }
  try {
    // Looked at again behind the open descriptor: the path may lead elsewhere by now.
    const stat = fstatSync(fd);
    if (!stat.isFile()) return notAFile(path, kindOf(stat));
    // Files in /proc say 0 and hold something.
    const expected = stat.size === 0 ? SIZELESS_BYTES : stat.size - offset;
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(limit, expected)));
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(fd, bytes, length, bytes.length - length, offset + length);
    return ok({
      bytes: bytes.subarray(0, length),
      // Files in /sys say more than they hold.
      size: length < bytes.length ? offset + length : Math.max(stat.size, length),
      mtimeMs: stat.mtimeMs,
    });
  } catch (error) {
    return broken(`${path} cannot be read: ${fault(error)}`);
  } finally {
    closeSync(fd);
  }
}

/** The failure for a path that does not exist, with names that are near it. */
export function missingPath(path: string): { ok: false; failure: Failure } {
  const link = deadLink(path);
  return missing(`${path} ${link ?? `does not exist${suggestion(path)}`}`);
}

/** What a link that leads nowhere is: `leads through a circle of links`, `is a link to x, which does not exist`; null: it is no such link. */
export function deadLink(path: string): string | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? danglingLink(path) : null;
  } catch (error) {
    return errorCode(error) === "ELOOP" ? "leads through a circle of links" : null;
  }
}

function danglingLink(path: string): string | null {
  const target = quietly(() => readlinkSync(path));
  return target === undefined ? null : `is a link to ${target}, which does not exist`;
}

function notAFile(path: string, kind: Kind | null): { ok: false; failure: Failure } {
  if (kind === null) return missingPath(path);
  return invalid(`${path} is a ${kind}, not a regular file`);
}

/** `; did you mean src/a.ts?`, or nothing: names in the nearest existing folder that resemble the missing one. */
function suggestion(path: string): string {
  const [, file, line] = /^(.+?):(\d+)(?:[-:]\d+)?$/.exec(path) ?? [];
  if (file !== undefined && kindAt(file) !== null) {
    return `; did you mean ${file}, from line ${line} (offset)?`;
  }
  const folder = nearestFolder(path);
  const wanted =
    path
      .slice(folder.length)
      .split("/")
      .find((part) => part !== "") ?? "";
  const names = quietly(() => readdirSync(folder)) ?? [];
  const near = similarNames(wanted, names);
  if (near.length === 0) return "";
  return `; did you mean ${near.map((name) => join(folder, name)).join(" or ")}?`;
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || kindBehind(parent) === "folder" ? parent : nearestFolder(parent);
}

/** The same stem or one name within the other first, then the nearest by letters. */
function similarNames(wanted: string, names: readonly string[]): string[] {
  const stem = parse(wanted).name.toLowerCase();
  const related = names.filter((name) => {
    const other = parse(name).name.toLowerCase();
    return other === stem || (stem.length >= 3 && other.includes(stem));
  });
  const near = nearest(wanted, names.slice(0, MAX_COMPARED));
  const all = near === null ? related : [near, ...related];
  return [...new Set(all)].slice(0, MAX_SUGGESTIONS);
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // Nothing to be seen there: a folder that may not be entered, or a part of the path that is a file.
    return undefined;
  }
}
