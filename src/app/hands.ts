// What the tool calls of one session are judged and run with: its guard, what it has read, its commands, its checkpoints.
import { join } from "node:path";
import type { Hands } from "../agent/kit.ts";
import { lazy } from "../base/lazy.ts";
import { gitState } from "../host/git.ts";
import { watchCommand } from "../host/watch.ts";
import { mediaBytes } from "../session/media.ts";
import type { Inquire } from "../tools/inquiry.ts";
import { localProcesses, type Processes } from "../tools/processes.ts";
import { createSeen } from "../tools/seen.ts";
import type { Kit } from "../tools/tool.ts";
import { guardOf } from "./guard.ts";
import type { Chosen, Opening } from "./opening.ts";
import type { OpenRecord } from "./record.ts";

export type Parts = {
  record: OpenRecord;
  /** The model of now: another may take over. */
  chosen: () => Chosen;
  opening: Opening;
  /** Folder for full outputs that did not fit. */
  spillDir: string;
};

export type SessionHands = {
  processes: Processes;
  /** For one turn: who asks the person is given anew with each. */
  forTurn(inquire: Inquire): Hands;
};

/** Lives as long as the session: what was read and granted in one turn holds in the next. */
export function openHands({ record, chosen, opening, spillDir }: Parts): SessionHands {
  const { log } = record;
  const { cwd, shell } = opening;
  const { judge, grant, mayRead } = guardOf(opening, gitState(cwd)?.root ?? cwd, record);
  const processes = localProcesses({
    environment: opening.env,
    withheld: opening.keyVariables,
    added: opening.commandEnv,
    watcher: watchCommand(),
  });
  const kit: Omit<Kit, "signal" | "live" | "inquire" | "media" | "editing"> = {
    cwd,
    shell,
    seen: createSeen(),
    processes,
    spillDir,
    mayRead,
    unlimited: false,
    keeper: lazy(async () => {
      const { keeperOf } = await import("../session/checkpoint.ts");
      return keeperOf(log, join(opening.places.data, "blobs"));
    }),
  };
  return {
    processes,
    forTurn: (inquire) => ({
      judge,
      grant,
      toolKit: (signal, live) => ({
        ...kit,
        signal,
        live,
        inquire,
        media: { accepts: chosen().accepts, held: () => mediaBytes(log.events()) },
        editing: opening.editing(chosen().model.id),
      }),
    }),
  };
}
