// What runs on this machine: every process with its parent, group, session and burin's marker where it carries one.
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import type { Brand } from "./brand.ts";
import { MARKER } from "./env.ts";

export type ProcessEntry = {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** As the system abbreviates it: S sleeps, R runs, T is stopped. */
  state: string;
  name: string;
  /** Tells two processes with the same pid apart; ticks since boot on Linux, a date on macOS. */
  started: string;
  /** The value of the marker variable; null where there is none or it may not be read. */
  marker: string | null;
  /** Null where the process bears none. */
  brand: Brand | null;
};

/** What belongs together: the sessions of these leaders, whatever carries such a marker or brand, and members known before. */
export type Family = {
  leaders: readonly number[];
  /** The beginning of a marker. */
  marker: string;
  isBranded: (brand: Brand) => boolean;
  known: readonly ProcessEntry[];
};

/**
 * All living processes but zombies; this process is left out. With `younger`, on Linux, only those with a higher pid:
 * enough to find what a short command left, and ten times faster. Pids are given in order, so this holds until they
 * start over; the newest pid tells whether they have.
 */
export function listProcesses(younger: number | null = null): ProcessEntry[] {
  return process.platform === "linux" ? listLinux(younger, ownStart()) : listByPs();
}

/** The same with the signs of every process, also of one older than this: the watcher is younger than what it ends. */
export function listAllProcesses(): ProcessEntry[] {
  return process.platform === "linux" ? listLinux(null, "0") : listByPs();
}

function ownStart(): string {
  const own = parseStat(readSmall(`/proc/${process.pid}/stat`, Buffer.allocUnsafe(4096)));
  return own?.started ?? "0";
}

/** The members of a family with all their descendants, which may have shed all signs where there is no brand. */
export function membersOf(entries: readonly ProcessEntry[], family: Family): ProcessEntry[] {
  const leaders = new Set(family.leaders);
  // By pid and start time: once its parent is gone, a child without marker can be found by nothing else.
  const known = new Map(family.known.map((entry) => [entry.pid, entry.started]));
  const isOwn = (entry: ProcessEntry): boolean =>
    leaders.has(entry.group) ||
    leaders.has(entry.session) ||
    entry.marker?.startsWith(family.marker) === true ||
    (entry.brand !== null && family.isBranded(entry.brand)) ||
    known.get(entry.pid) === entry.started;
  const members = new Map(entries.filter(isOwn).map((entry) => [entry.pid, entry]));
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const entry of entries) if (members.has(entry.parent)) members.set(entry.pid, entry);
  }
  return [...members.values()];
}

function listLinux(younger: number | null, since: string): ProcessEntry[] {
  // One buffer for all files: the sweep after every command must stay a matter of a millisecond or two.
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const oldest = younger === null || newestPid(buffer) < younger ? 0 : younger;
  return readdirSync("/proc").flatMap((name) => {
    const isCandidate = Number(name) > oldest && name !== String(process.pid);
    const entry = isCandidate ? entryOf(name, since, buffer) : null;
    return entry ?? [];
  });
}

/** Null for what is gone or only waits to be collected. */
function entryOf(pid: string, since: string, buffer: Buffer): ProcessEntry | null {
  const entry = parseStat(readSmall(`/proc/${pid}/stat`, buffer));
  if (entry === null || entry.state === "Z" || entry.state === "X") return null;
  // What is older than burin cannot be burin's child: its signs need not be read.
  if (Number(entry.started) < Number(since)) return entry;
  const marker = markerIn(readSmall(`/proc/${pid}/environ`, buffer));
  const brand = brandIn(readSmall(`/proc/${pid}/limits`, buffer));
  return { ...entry, marker, brand };
}

/** The last field of loadavg; 0 where it cannot be read. */
function newestPid(buffer: Buffer): number {
  return Number(readSmall("/proc/loadavg", buffer).trim().split(" ").at(-1) ?? 0);
}

/** Up to the size of the buffer; empty where the process is gone or belongs to somebody else. */
function readSmall(path: string, buffer: Buffer): string {
  try {
    const fd = openSync(path, "r");
    try {
      let length = 0;
      for (let got = -1; got !== 0 && length < buffer.length; length += got)
        got = readSync(fd, buffer, length, buffer.length - length, null);
      return buffer.toString("latin1", 0, length);
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

/** `pid (name) state ppid pgrp session …`, field 22 is the start time; the name may hold spaces and parentheses. */
function parseStat(text: string): ProcessEntry | null {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return null;
  const fields = text.slice(close + 2).split(" ");
  return {
    pid: Number(text.slice(0, open)),
    state: fields[0] ?? "",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    name: text.slice(open + 1, close),
    started: fields[19] ?? "",
    marker: null,
    brand: null,
  };
}

function markerIn(environ: string): string | null {
  const at = `\0${environ}`.indexOf(`\0${MARKER}=`);
  if (at < 0) return null;
  const from = at + MARKER.length + 1;
  const end = environ.indexOf("\0", from);
  return environ.slice(from, end < 0 ? undefined : end);
}

/** The hard limit: `Max realtime timeout <soft> <hard> us`; "unlimited" is none. */
function brandIn(limits: string): Brand | null {
  const hard = /^Max realtime timeout\s+\S+\s+(\d+)/m.exec(limits)?.[1];
  return hard === undefined ? null : BigInt(hard);
}

/** macOS: `ps` with the environment behind the command line. The session of a process is not shown: its group stands in. */
function listByPs(): ProcessEntry[] {
  const columns = "pid=,ppid=,pgid=,state=,lstart=,command=";
  const run = Bun.spawnSync(["ps", "-axEww", "-o", columns], {
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    stdin: "ignore",
    stderr: "ignore",
  });
  return parsePs(run.stdout.toString()).filter(
    (entry) => entry.pid !== process.pid && entry.pid !== run.pid,
  );
}

/** Exported for its test, which runs on every platform. */
export function parsePs(text: string): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/gm;
  for (const hit of text.matchAll(line)) {
    const [, pid, parent, group, state = "", started = "", command = ""] = hit;
    if (state.startsWith("Z")) continue;
    entries.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      state: state.charAt(0),
      name: (command.split(" ")[0] ?? "").split("/").at(-1) ?? "",
      started,
      marker: new RegExp(`(?:^| )${MARKER}=(\\S*)`).exec(command)?.[1] ?? null,
      brand: null,
    });
  }
  return entries;
}
