// A log file to its live branch: every readable line counts, whatever stands between.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Result } from "../base/failure.ts";
import { broken, missing, ok, sentence } from "../base/failure.ts";
import { errorCode, fault } from "../host/fault.ts";
import type { SessionEvent } from "./event.ts";
import { linesOf } from "./lines.ts";
import type { Skipped } from "./log.ts";
import { parseLine } from "./parse.ts";
import { growTree, type Spot, type Tree } from "./tree.ts";

export type Loaded = {
  tree: Tree;
  skipped: Skipped[];
  /** All lines that hold an event, on whatever branch. */
  count: number;
  /** Names belong to the session, not to a branch: the last one given. */
  name: string | null;
};

export function loadLog(path: string): Result<Loaded> {
  try {
    const fd = openFile(path);
    if (fd === null) return broken(`${path} is not a regular file: give the path of a session log`);
    try {
      return ok(read(fd, path));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      return missing(`there is no session log at ${path}`);
    return broken(`could not read ${path}: ${fault(error)}`);
  }
}

/** Does not wait on a pipe; null where the path is no regular file. */
function openFile(path: string): number | null {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return null;
}

function read(fd: number, path: string): Loaded {
  const tree = growTree((spot) => eventAt(path, spot));
  const skipped: Skipped[] = [];
  let name: string | null = null;
  let count = 0;
  for (const line of linesOf(fd)) {
    const parsed = parseLine(line.text);
    if (!parsed.ok) {
      skipped.push({ line: line.number, why: sentence(parsed.failure) });
      continue;
    }
    const event = parsed.value;
    if (!tree.add(event, { kind: "file", offset: line.offset, length: line.length })) {
      skipped.push({ line: line.number, why: `its id ${event.id} is taken by a line before` });
      continue;
    }
    count += 1;
    name = nameIn(event) ?? name;
  }
  return { tree, skipped, count, name };
}

/** The name an event gives its session. */
export function nameIn(event: SessionEvent): string | null {
  const names = event.type === "session.started" || event.type === "session.renamed";
  return names ? event.data.name : null;
}

function eventAt(path: string, spot: Spot): SessionEvent | null {
  if (spot.kind === "memory") return spot.event;
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(spot.length);
    readSync(fd, bytes, 0, spot.length, spot.offset);
    const parsed = parseLine(bytes.toString("utf8"));
    return parsed.ok ? parsed.value : null;
  } finally {
    closeSync(fd);
  }
}
