// The record of a session: its log, its name and its pinned prefix; here of a new one.
import { invalid, ok, type Result } from "../base/failure.ts";
import { newId } from "../base/ids.ts";
import type { Mode } from "../base/modes.ts";
import { pinned, type Pinned } from "../context/system.ts";
import { gitState } from "../host/git.ts";
import type { EventData } from "../session/event.ts";
import { createLog, memoryLog, type SessionLog } from "../session/log.ts";
import { sessionPath } from "../session/folder.ts";
import type { Opening, Stored } from "./opening.ts";

export type OpenRecord = {
  log: SessionLog;
  name: string;
  /** The pinned prefix: rendered now, or as the session stored it at its start. */
  system: string[];
  files: readonly string[];
  notices: readonly string[];
  branch: string | null;
  mode: Mode;
};

/** Starts a new session: its first event is on disk when this returns. */
export async function newRecord(
  wanted: string | null,
  model: Stored,
  opening: Opening,
): Promise<Result<OpenRecord>> {
  if (wanted !== null && (wanted.trim() === "" || /\p{Cc}/u.test(wanted))) {
    return invalid("the name of a session is one line of text and not empty: give another --name");
  }
  const git = gitState(opening.cwd);
  const prefix = surroundings(opening, git);
  const start = (log: SessionLog, name: string): OpenRecord => {
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
  const startAs = (name: string): Result<OpenRecord> => {
    const log = createLog(sessionPath(opening.shelf, newId()));
    return log.ok ? ok(start(log.value, name)) : log;
  };
  if (wanted === null) return startAs(timestampName(new Date()));
  const { withFreeName } = await import("../session/shelf.ts");
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

/** The pinned prefix as it would be now. */
export function surroundings(opening: Opening, git: ReturnType<typeof gitState>): Pinned {
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
