// git's index: which paths are tracked, read from the binary file (versions 2 to 4).
import type { Bytes } from "./bytes.ts";
import { readRaw } from "./read-bytes.ts";

/** Paths below the repository's root. */
export type Tracked = { hasFile(path: Bytes): boolean; hasBelow(folder: Bytes): boolean };

const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner and size come before the object name. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;
const FOLDER_MODE = 0o040000;
const KIND_MASK = 0o170000;

/** Nothing is tracked when the file is missing or cannot be understood. */
export function readIndex(gitDir: Bytes, hashBytes: 20 | 32): Tracked {
  const index = parseFile(`${gitDir}/index`, hashBytes);
  // A split index keeps most entries in a shared file that it names.
  const shared =
    index.shared === null ? null : parseFile(`${gitDir}/sharedindex.${index.shared}`, hashBytes);
  const paths = shared === null ? index.paths : [...shared.paths, ...index.paths].toSorted(byBytes);
  return {
    hasFile: (path) => paths[firstFrom(paths, path)] === path,
    hasBelow: (folder) => paths[firstFrom(paths, `${folder}/`)]?.startsWith(`${folder}/`) === true,
  };
}

function byBytes(one: Bytes, other: Bytes): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function firstFrom(paths: readonly Bytes[], wanted: Bytes): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Index = { paths: Bytes[]; shared: string | null };

function parseFile(path: Bytes, hashBytes: number): Index {
  const data = readRaw(path, "follow", Infinity);
  try {
    return data === null ? { paths: [], shared: null } : parseIndex(data, hashBytes);
  } catch {
    // Reads past the end: the file is damaged, and git itself would refuse it.
    return { paths: [], shared: null };
  }
}

export function parseIndex(data: Buffer, hashBytes: number): Index {
  const version = data.readUInt32BE(4);
  if (data.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4)
    return { paths: [], shared: null };
  const paths: Bytes[] = [];
  let at = HEADER_BYTES;
  let last = "";
  for (let left = data.readUInt32BE(8); left > 0; left--) {
    const mode = data.readUInt32BE(at + MODE_AT);
    const flags = data.readUInt16BE(at + STAT_BYTES + hashBytes);
    const nameAt = at + STAT_BYTES + hashBytes + ((flags & EXTENDED) === 0 ? 2 : 4);
    const entry = version === 4 ? packedName(data, nameAt, last) : paddedName(data, nameAt, at);
    last = entry.name;
    at = entry.next;
    // A sparse index keeps whole folders as one entry; a split one leaves names of replaced entries empty.
    if ((mode & KIND_MASK) !== FOLDER_MODE && last !== "") paths.push(last);
  }
  return { paths, shared: sharedName(data, at, hashBytes) };
}

type Name = { name: Bytes; next: number };

function paddedName(data: Buffer, nameAt: number, start: number): Name {
  const end = data.indexOf(0, nameAt);
  if (end < 0) throw new RangeError("no end of name");
  // Entries are padded with 1 to 8 NUL bytes to a multiple of eight.
  return { name: data.toString("latin1", nameAt, end), next: start + ((end - start + 8) & ~7) };
}

/** Version 4: how much of the last name to drop, then what to add. */
function packedName(data: Buffer, from: number, last: Bytes): Name {
  let at = from;
  let byte = data.readUInt8(at++);
  let drop = byte & 127;
  while ((byte & 128) !== 0) {
    byte = data.readUInt8(at++);
    drop = ((drop + 1) << 7) | (byte & 127);
  }
  const end = data.indexOf(0, at);
  if (end < 0) throw new RangeError("no end of name");
  return {
    name: last.slice(0, last.length - drop) + data.toString("latin1", at, end),
    next: end + 1,
  };
}

/** The object name in the `link` extension, in hex. */
function sharedName(data: Buffer, from: number, hashBytes: number): string | null {
  let at = from;
  while (at + 8 <= data.length - hashBytes) {
    const size = data.readUInt32BE(at + 4);
    if (data.toString("latin1", at, at + 4) === "link") {
      return size < hashBytes ? null : data.toString("hex", at + 8, at + 8 + hashBytes);
    }
    at += 8 + size;
  }
  return null;
}
