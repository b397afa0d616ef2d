// The log of one session: every event is on disk before `append` returns, and where that fails the run goes on unrecorded.
import { basename } from "node:path";
import type { Failure, Result } from "../base/failure.ts";
import { fail, ok, sentence } from "../base/failure.ts";
import { newId } from "../base/ids.ts";
import { openAppend, type Appender } from "../host/append.ts";
import { takeLock, type Attempt } from "../host/flock.ts";
import type { Draft, KnownEvent, SessionEvent, StoredAssistantPart } from "./event.ts";
import { openJournal } from "./journal.ts";
import { growTree, type Tree } from "./tree.ts";

export type SessionLog = {
  readonly id: string;
  /** Null when nothing is recorded: no session was wanted, the disk is full, the folder is read-only. */
  path(): string | null;
  /** The live branch, oldest first; grows with `append`. */
  events(): readonly SessionEvent[];
  /** Gives the draft its id, parent and time, writes it and makes it the leaf. */
  append(draft: Draft): KnownEvent;
  /** Waits for the disk: at the end of a turn and before a prompt is shown as accepted. */
  sync(): void;
  /** Notes the running reply, for every delta; forgotten when its `message.assistant` is appended. */
  journal(content: () => StoredAssistantPart[]): void;
  /** Sentences for the person, each given once. */
  takeNotices(): string[];
  /** Lines of the file that hold no event. */
  readonly skipped: readonly Skipped[];
  /** Stores what runs as interrupted, and lets go of the file. */
  close(): void;
};

export type LogTools = { newId?: () => string; now?: () => number };

/** Starts the log of a new session at `path`, where no file may be yet. */
export function createLog(path: string, tools: LogTools = {}): Result<SessionLog> {
  const lock = lockLog(path);
  if (!lock.ok) return lock;
  return ok(logOver({ ...emptyStart(path), ...openDisk(path, lock.value) }, tools));
}

/** Fails with `denied` where another process writes the log, naming the process. */
export function lockLog(path: string): Result<Held> {
  const attempt = takeLock(`${path}.lock`);
  if (attempt.kind !== "busy") return ok(attempt);
  return fail({ kind: "denied", because: busy(basename(path, ".jsonl"), attempt) });
}

/** A log that is never written: `--no-session`, and tests. */
export function memoryLog(tools: LogTools = {}): SessionLog {
  const id = (tools.newId ?? newId)();
  return logOver({ id, tree: emptyTree(), skipped: [], file: null, refusal: null }, tools);
}

type File = { path: string; lines: Appender; release(): void };
/** Either the file is open for writing, or it could not be and `refusal` says why, or none was wanted. */
type Disk = { file: File | null; refusal: string | null };
export type Start = Disk & { id: string; tree: Tree; skipped: Skipped[] };
/** The lock was taken, or could not be, which makes the session one that is not recorded. */
export type Held = Exclude<Attempt, { kind: "busy" }>;
/** A line of the file that holds no event, by its number; it stays there. */
export type Skipped = { line: number; why: string };

export function openDisk(path: string, attempt: Held): Disk {
  if (attempt.kind === "failed") return { file: null, refusal: attempt.what };
  const lines = openAppend(path);
  if (lines.ok) {
    return {
      file: { path, lines: lines.value, release: () => attempt.lock.release() },
      refusal: null,
    };
  }
  attempt.lock.release();
  return { file: null, refusal: sentence(lines.failure) };
}

/** The log over what was opened; the one way into every kind of log. */
export function logOver(start: Start, tools: LogTools): SessionLog {
  const { id, tree, skipped } = start;
  const makeId = tools.newId ?? newId;
  const now = tools.now ?? Date.now;
  let file = start.file;
  let notices = start.refusal === null ? [] : [unrecorded(start.refusal)];
  const journal = file === null ? null : openJournal(`${file.path}.journal`, () => tree.leaf());

  let isSynced = false;

  /** After one failed write nothing more is written: a log with holes would be worse than one that ends. */
  function check(failure: Failure | null): void {
    if (failure === null || file === null) return;
    notices.push(unrecorded(sentence(failure)));
    journal?.stop();
    shut(file);
    file = null;
  }

  function append(draft: Draft): KnownEvent {
    const time = new Date(now()).toISOString();
    const event: KnownEvent = { v: 1, id: makeId(), parentId: tree.leaf(), time, ...draft };
    if (file !== null) check(file.lines.append(lineOf(event)));
    isSynced = false;
    tree.add(event, { kind: "memory", event });
    // A reply that could not be stored keeps its journal: that much of it is on the disk.
    if (event.type === "message.assistant" && file !== null) journal?.forget();
    return event;
  }

  return {
    id,
    skipped,
    path: () => file?.path ?? null,
    events: () => tree.events(),
    append,
    sync: () => {
      check(file?.lines.sync() ?? null);
      isSynced = true;
    },
    journal: (content) => {
      if (file !== null) journal?.note(content);
    },
    takeNotices() {
      const taken = notices;
      notices = [];
      return taken;
    },
    close() {
      const content = journal?.running() ?? [];
      if (content.length > 0) append(interrupted(content));
      if (file === null) return;
      journal?.forget();
      const failure = isSynced ? null : file.lines.sync();
      if (failure !== null) notices.push(unrecorded(sentence(failure)));
      shut(file);
      file = null;
    },
  };
}

function shut(file: File): void {
  file.lines.close();
  file.release();
}

/** In the order of docs/protocols/log.md. */
function lineOf({ v, type, id, parentId, time, data }: KnownEvent): string {
  return JSON.stringify({ v, type, id, parentId, time, data });
}

/** A reply as far as it was heard. */
export function interrupted(content: StoredAssistantPart[]): Draft {
  return { type: "message.assistant", data: { content, status: "interrupted", stop: null } };
}

function emptyStart(path: string): Pick<Start, "id" | "tree" | "skipped"> {
  return { id: basename(path, ".jsonl"), tree: emptyTree(), skipped: [] };
}

function emptyTree(): Tree {
  return growTree((spot) => (spot.kind === "memory" ? spot.event : null));
}

function busy(id: string, { by }: Extract<Attempt, { kind: "busy" }>): string {
  const who = by === null ? "another process" : `process ${by.pid}`;
  return `session ${id} is open in ${who}: end that one first, or start a new session`;
}

function unrecorded(why: string): string {
  return `this session is not recorded from here on: ${why}; the run goes on, but cannot be resumed past this point`;
}
