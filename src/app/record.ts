// Opens the record of a session: a new log with its first event, or an old one to go on with.
import { missing, ok, invalid, type Result } from "../base/failure.ts";
import { newId } from "../base/ids.ts";
import { MODES, type Mode } from "../base/modes.ts";
import { pinned, type Pinned } from "../context/system.ts";
import { gitState } from "../host/git.ts";
import type { EventData, SessionEvent } from "../session/event.ts";
import { nameIn } from "../session/load.ts";
import { memoryLog, openLog, type SessionLog } from "../session/log.ts";
import { sessionPath } from "../session/folder.ts";
import { findSession, newestSession, withFreeName } from "../session/shelf.ts";
import type { Opening, Stored } from "./opening.ts";
import type { Choice } from "./place.ts";

export type Record = {
  log: SessionLog;
  name: string;
  /** The pinned prefix: rendered now, or as the session stored it at its start. */
  system: string[];
  files: readonly string[];
  notices: readonly string[];
  branch: string | null;
  mode: Mode;
};

/** What the stored events of an old session say of its model; null for a new one. */
export function storedModel(events: readonly SessionEvent[]): Stored | null {
  const last = events.findLast(
    (event) => event.type === "session.started" || event.type === "model.changed",
  );
  if (last?.type !== "session.started" && last?.type !== "model.changed") return null;
  return { provider: last.data.provider, model: last.data.model };
}

/** Finds the log of an old session and takes its lock; nothing is written yet. */
export function openOld(
  choice: Exclude<Choice, { kind: "new" }>,
  opening: Opening,
): Result<SessionLog> {
  if (!opening.isRecorded) {
    return invalid("--no-session cannot go on with a session: leave it out, or start a new one");
  }
  if (choice.kind === "resume") {
    const found = findSession(opening.shelf, choice.ref);
    return found.ok ? openLog(found.value.path) : found;
  }
  const newest = newestSession(opening.shelf);
  if (newest === null) {
    return missing(
      "there is no session of this folder to continue: start one with burin, or burin -p",
    );
  }
  return openLog(newest.path);
}

/** The record of a session that goes on: its prefix is the stored one, byte for byte. */
export function oldRecord(log: SessionLog, opening: Opening): Record {
  const started = log.events().find((event) => event.type === "session.started");
  const git = gitState(opening.cwd);
  const fresh = surroundings(opening, git);
  const stored = started?.type === "session.started" ? started.data : null;
  return {
    log,
    name: log.events().reduce((name, event) => nameIn(event) ?? name, log.id),
    system: stored?.system ?? fresh.system,
    files: fresh.files,
    notices: skippedNotice(log),
    branch: git?.branch ?? null,
    mode: opening.mode.flag ?? MODES.find((mode) => mode === stored?.mode) ?? opening.mode.fallback,
  };
}

/** Starts a new session: its first event is on disk when this returns. */
export function newRecord(wanted: string | null, model: Stored, opening: Opening): Result<Record> {
  if (wanted !== null && (wanted.trim() === "" || /\p{Cc}/u.test(wanted))) {
    return invalid("the name of a session is one line of text and not empty: give another --name");
  }
  const git = gitState(opening.cwd);
  const prefix = surroundings(opening, git);
  const start = (log: SessionLog, name: string): Record => {
    log.append({ type: "session.started", data: startData(name, { model, prefix, git, opening }) });
    const { system, files, notices } = prefix;
    return {
      log,
      name,
      system,
      files,
      notices,
      branch: git?.branch ?? null,
      mode: newMode(opening),
    };
  };
  if (!opening.isRecorded) return ok(start(memoryLog(), wanted ?? timestampName(new Date())));
  const startAs = (name: string): Result<Record> => {
    const log = openLog(sessionPath(opening.shelf, newId()));
    return log.ok ? ok(start(log.value, name)) : log;
  };
  if (wanted === null) return startAs(timestampName(new Date()));
  return withFreeName(opening.shelf, wanted, startAs);
}

function newMode({ mode }: Opening): Mode {
  return mode.flag ?? mode.fallback;
}

type Start = {
  model: Stored;
  prefix: Pinned;
  git: ReturnType<typeof gitState>;
  opening: Opening;
};

function startData(
  name: string,
  { model, prefix, git, opening }: Start,
): EventData["session.started"] {
  return {
    name,
    cwd: opening.cwd,
    git,
    version: opening.version,
    provider: model.provider,
    model: model.model,
    mode: newMode(opening),
    system: prefix.system,
    prefixHash: new Bun.CryptoHasher("sha256").update(prefix.system.join("\n\n")).digest("hex"),
  };
}

function surroundings(opening: Opening, git: ReturnType<typeof gitState>): Pinned {
  return pinned({
    cwd: opening.cwd,
    root: git?.root ?? opening.cwd,
    home: opening.places.config,
    branch: git?.branch ?? null,
    platform: `${process.platform} ${process.arch}`,
    date: dayOf(new Date()),
    systemPrompt: opening.prompt.system,
    appended: opening.prompt.appended,
  });
}

function skippedNotice(log: SessionLog): string[] {
  const count = log.skipped.length;
  if (count === 0) return [];
  return [
    `${count} lines of the session log could not be read and were passed over; nothing was deleted`,
  ];
}

/**
 * In UTC: the first use of local time loads the time zones, which costs more than the rest of the start. The last
 * letters of an id keep runs of one second apart, so that no other name has to be looked at.
 */
function timestampName(now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(":", "-");
  return `${time}Z-${newId().slice(-4)}`;
}

function dayOf(now: Date): string {
  return `${now.toISOString().slice(0, 10)} (UTC)`;
}
