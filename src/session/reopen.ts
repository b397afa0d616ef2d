// Opens the log of an earlier session to go on with it: what is there is read, and a reply cut by kill -9 is stored.
import { basename } from "node:path";
import { ok, type Result } from "../base/failure.ts";
import { readWhole } from "../host/whole.ts";
import type { SessionEvent, StoredAssistantPart } from "./event.ts";
import { removeJournal } from "./journal.ts";
import { loadLog } from "./load.ts";
import {
  createLog,
  interrupted,
  lockLog,
  logOver,
  openDisk,
  type LogTools,
  type SessionLog,
} from "./log.ts";
import { parseJson } from "../base/json.ts";
import { assistantParts } from "./parse.ts";

/** Opens the log at `path`, or starts one there. Fails with `denied` where another process writes it. */
export function openLog(path: string, tools: LogTools = {}): Result<SessionLog> {
  const lock = lockLog(path);
  if (!lock.ok) return lock;
  const loaded = loadLog(path);
  if (!loaded.ok) {
    if (lock.value.kind === "locked") lock.value.lock.release();
    return loaded.failure.kind === "missing" ? createLog(path, tools) : loaded;
  }
  const { tree, skipped } = loaded.value;
  const disk = openDisk(path, lock.value);
  const log = logOver({ id: basename(path, ".jsonl"), tree, skipped, ...disk }, tools);
  recover(log, `${path}.journal`);
  return ok(log);
}

/** A reply that was running when the last process was killed becomes an event, as far as it was read. */
function recover(log: SessionLog, path: string): void {
  const leftover = leftoverAt(path);
  if (leftover !== null && !isStored(log.events(), leftover)) {
    log.append(interrupted(leftover.content));
    log.sync();
  }
  if (log.path() !== null) removeJournal(path);
}

/** Killed between storing the reply and removing the journal, the log holds it already. */
function isStored(events: readonly SessionEvent[], { after }: Leftover): boolean {
  const at = events.findLastIndex(({ id }) => id === after);
  return at !== -1 && events.slice(at + 1).some(({ type }) => type === "message.assistant");
}

/** `after` is the event the reply would have followed. */
type Leftover = { after: string | null; content: StoredAssistantPart[] };

/** What a process that was killed left of its running reply; null where it left nothing readable. */
function leftoverAt(path: string): Leftover | null {
  const value = parseJson(readWhole(path) ?? "");
  if (typeof value !== "object" || value === null || !("content" in value)) return null;
  const content = assistantParts(value.content);
  if (content === null || content.length === 0) return null;
  return {
    after: "after" in value && typeof value.after === "string" ? value.after : null,
    content,
  };
}
