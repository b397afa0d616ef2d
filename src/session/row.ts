// What a list of sessions shows of one: read from its log, and later only from what was added to it.
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { basename } from "node:path";
import { idTime } from "../base/ids.ts";
import { fault } from "../host/fault.ts";
import type { EventData, SessionEvent } from "./event.ts";
import { linesOf } from "./lines.ts";
import { nameIn } from "./load.ts";
import { parseLine } from "./parse.ts";

const FIRST_PROMPT_CHARS = 200;

export type Row = {
  id: string;
  path: string;
  /** ISO 8601, as all times of a log. */
  created: string;
  lastActivity: string;
  cwd: string | null;
  name: string | null;
  /** One line, cut. */
  firstPrompt: string | null;
  /** Why the log cannot be read; such a session is shown all the same. */
  problem: string | null;
  /** How much of the log this row is made of; the rest is read when it is next listed. */
  bytes: number;
};

/** The row of a log, continued from `before` where the log only grew since. */
export function rowOf(path: string, before: Row | null): Row {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return unreadable(path, "it is not a regular file");
      const grew = before !== null && before.problem === null && before.bytes <= stat.size;
      const row = grew ? { ...before, path } : blank(path, stat.mtime);
      return readOn(fd, row);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return unreadable(path, fault(error));
  }
}

function readOn(fd: number, start: Row): Row {
  const row = { ...start };
  for (const line of linesOf(fd, start.bytes)) {
    const parsed = parseLine(line.text);
    if (parsed.ok) note(row, parsed.value);
    if (line.isWhole) row.bytes = line.offset + line.length + 1;
  }
  return row;
}

function note(row: Row, event: SessionEvent): void {
  if (event.parentId === null) row.created = event.time;
  row.lastActivity = event.time;
  row.name = nameIn(event) ?? row.name;
  if (event.type === "session.started") row.cwd = event.data.cwd;
  if (event.type === "message.user") row.firstPrompt ??= promptLine(event.data);
}

function promptLine({ content }: EventData["message.user"]): string {
  const text = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`));
  return text.join(" ").replace(/\s+/g, " ").trim().slice(0, FIRST_PROMPT_CHARS).toWellFormed();
}

function blank(path: string, changed: Date): Row {
  const id = basename(path, ".jsonl");
  const made = idTime(id);
  const time = (made === null ? changed : new Date(made)).toISOString();
  return {
    id,
    path,
    created: time,
    lastActivity: time,
    cwd: null,
    name: null,
    firstPrompt: null,
    problem: null,
    bytes: 0,
  };
}

function unreadable(path: string, problem: string): Row {
  return { ...blank(path, new Date(0)), problem };
}
