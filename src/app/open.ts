// The one place where the parts are put together: session, model, tools, policy and context become a Place.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { turn } from "../agent/turn.ts";
import { ok, type Result } from "../base/failure.ts";
import { tempFolder } from "../host/places.ts";
import { totals } from "../session/usage.ts";
import type { Chosen, Opening } from "./opening.ts";
import type { Choice, Place } from "./place.ts";
import { turnsOf } from "./turn-kits.ts";
import { newRecord, type OpenRecord } from "./record.ts";

/** Opens a session of the folder. Nothing is written where this fails. */
export async function openPlace(opening: Opening, choice: Choice): Promise<Result<Place>> {
  if (choice.kind !== "new") {
    const { reopen } = await import("./old-record.ts");
    const old = await reopen(choice, opening);
    return old.ok ? ok(placeOf(old.value.record, old.value.chosen, opening)) : old;
  }
  const chosen = await opening.chooseModel(null);
  if (!chosen.ok) return chosen;
  const { provider, id } = chosen.value.model;
  const record = await newRecord(choice.name, { provider, model: id }, opening);
  return record.ok ? ok(placeOf(record.value, chosen.value, opening)) : record;
}

function placeOf(record: OpenRecord, chosen: Chosen, opening: Opening): Place {
  const { log } = record;
  const spillDir = spillFolder(log.id, opening);
  const turns = turnsOf({ record, chosen, opening, spillDir });
  return {
    cwd: opening.cwd,
    branch: record.branch,
    get model() {
      const { model, auth } = turns.chosen();
      return { provider: model.provider, id: model.id, auth };
    },
    mode: record.mode,
    session: () => ({ id: log.id, name: record.name, path: log.path() }),
    events: () => log.events(),
    totals: () => totals(log.events()),
    contextFiles: record.files,
    notices: [...chosen.notices, ...record.notices, ...log.takeNotices()],
    preconnect: () => turns.chosen().preconnect(),
    async *ask(prompt, asking) {
      const before = log.events().length;
      try {
        yield* turn([{ type: "text", text: prompt }], turns.kitFor(asking));
      } finally {
        await turns.hands()?.processes.endSurvivors();
        if (opening.isRecorded) await noteUsage(log, before, opening);
      }
    },
    close: () => {
      turns.hands()?.processes.endAll();
      turns.chosen().model.close?.();
      log.close();
      if (!opening.isRecorded) rmSync(spillDir, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

/** Best effort: the log of the session has it all, and says it when the disk is full. */
async function noteUsage(log: OpenRecord["log"], from: number, opening: Opening): Promise<void> {
  const { addUsage, usageFile, usageOf } = await import("../session/usage-log.ts");
  const turnOf = { time: new Date().toISOString(), session: log.id, project: opening.cwd };
  await addUsage(usageFile(opening.places.data), usageOf(log.events(), from, turnOf));
}

/** Full outputs stay with a session that is recorded; else they are gone when it ends. */
function spillFolder(id: string, { env, isRecorded, places }: Opening): string {
  if (isRecorded) return join(places.state, "outputs", id);
  return join(tempFolder(env), `burin-outputs-${id}`);
}
