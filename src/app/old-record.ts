// The record of an earlier session: found, locked, and gone on with under its own name, mode and prefix.
import { invalid, missing, ok, type Result } from "../base/failure.ts";
import { MODES } from "../base/modes.ts";
import { gitState } from "../host/git.ts";
import type { SessionEvent } from "../session/event.ts";
import { nameIn } from "../session/load.ts";
import type { SessionLog } from "../session/log.ts";
import { openLog } from "../session/reopen.ts";
import { findSession, newestSession } from "../session/shelf.ts";
import type { Chosen, Opening, Stored } from "./opening.ts";
import type { Choice } from "./place.ts";
import { surroundings, type OpenRecord } from "./record.ts";

type OldChoice = Exclude<Choice, { kind: "new" }>;

/** Goes on with an earlier session; its lock is given back where no model can be had. */
export async function reopen(
  choice: OldChoice,
  opening: Opening,
): Promise<Result<{ record: OpenRecord; chosen: Chosen }>> {
  const log = openOld(choice, opening);
  if (!log.ok) return log;
  const stored = storedModel(log.value.events());
  const chosen = await opening.chooseModel(stored);
  if (!chosen.ok) {
    log.value.close();
    return chosen;
  }
  const { provider, id } = chosen.value.model;
  if (stored !== null && (stored.provider !== provider || stored.model !== id)) {
    log.value.append({ type: "model.changed", data: { provider, model: id } });
  }
  return ok({ record: oldRecord(log.value, opening), chosen: chosen.value });
}

/** What the stored events of an old session say of its model; null for a new one. */
function storedModel(events: readonly SessionEvent[]): Stored | null {
  const last = events.findLast(
    (event) => event.type === "session.started" || event.type === "model.changed",
  );
  if (last?.type !== "session.started" && last?.type !== "model.changed") return null;
  return { provider: last.data.provider, model: last.data.model };
}

/** Finds the log of an old session and takes its lock; nothing is written yet. */
function openOld(choice: OldChoice, opening: Opening): Result<SessionLog> {
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
function oldRecord(log: SessionLog, opening: Opening): OpenRecord {
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

function skippedNotice(log: SessionLog): string[] {
  const count = log.skipped.length;
  if (count === 0) return [];
  return [
    `${count} lines of the session log could not be read and were passed over; nothing was deleted`,
  ];
}
