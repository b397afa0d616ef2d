// Builds what each turn of a place is given: the model, the log, the tools behind the session's guard, the limits.
import type { TurnKit } from "../agent/kit.ts";
import { buildRequest } from "../context/build.ts";
import { gitState } from "../host/git.ts";
import type { Processes } from "../tools/processes.ts";
import { toolNamed } from "../tools/registry.ts";
import { createSeen } from "../tools/seen.ts";
import { guardOf } from "./guard.ts";
import type { Chosen, Opening } from "./opening.ts";
import type { Asking } from "./place.ts";
import type { OpenRecord } from "./record.ts";

export type Parts = {
  record: OpenRecord;
  chosen: Chosen;
  opening: Opening;
  processes: Processes;
  spillDir: string;
};

/** What outlives a turn (what was read, what was granted) is made once, here; the rest is made for each turn. */
export function turnKits(parts: Parts): (asking: Asking) => TurnKit {
  const { record, chosen, opening, processes, spillDir } = parts;
  const { log, system } = record;
  const { cwd, tools, limits } = opening;
  const guard = guardOf(opening, gitState(cwd)?.root ?? cwd, record);
  const seen = createSeen();
  const recipe = {
    model: chosen.model.id,
    system,
    tools: tools.map(({ name, summary: description, parameters }) => ({
      name,
      description,
      parameters,
    })),
    cacheKey: opening.isRecorded ? log.id : null,
    ...opening.request,
    effort: opening.request.effort ?? chosen.effort,
  };
  const { maxRounds, maxCostUsd, maxTimeMs } = limits;
  return (asking) => ({
    model: chosen.model,
    log,
    request: () => buildRequest(log.events(), recipe),
    tool: (name) => tools.find((tool) => tool === toolNamed(name)) ?? null,
    toolNames: tools.map((tool) => tool.name),
    toolKit: (signal, live) => ({
      cwd,
      signal,
      live,
      seen,
      processes,
      spillDir,
      mayRead: guard.mayRead,
      unlimited: false,
    }),
    judge: guard.judge,
    grant: guard.grant,
    ...asking,
    limits: {
      maxRounds,
      maxCostUsd,
      deadline: maxTimeMs === null ? null : performance.now() + maxTimeMs,
    },
    mode: record.mode,
    price: chosen.price,
    now: () => performance.now(),
  });
}
