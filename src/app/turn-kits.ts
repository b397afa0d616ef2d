// Builds what each turn of a place is given: the model, the log, the session's hands, the limits.
import type { TurnKit } from "../agent/kit.ts";
import { buildRequest } from "../context/build.ts";
import { toldTools, toolNamed } from "../tools/registry.ts";
import type { Parts, SessionHands } from "./hands.ts";
import type { Asking } from "./place.ts";

export type Turns = {
  kitFor(asking: Asking): TurnKit;
  /** What the session's calls run with; null before the first call. */
  hands(): SessionHands | null;
};

/** What outlives a turn (what was read, what was granted) is made once, in the hands; the rest is made for each turn. */
export function turnsOf(parts: Parts): Turns {
  const { record, chosen, opening } = parts;
  const { log, system } = record;
  const { tools, limits } = opening;
  const state: { hands: SessionHands | null } = { hands: null };
  const recipe = {
    model: chosen.model.id,
    system,
    tools: toldTools(tools, opening.editing(chosen.model.id)).map(
      ({ name, summary: description, parameters }) => ({ name, description, parameters }),
    ),
    cacheKey: opening.isRecorded ? log.id : null,
    ...opening.request,
    effort: opening.request.effort ?? chosen.effort,
  };
  const { maxRounds, maxCostUsd, maxTimeMs } = limits;
  const kitFor = (asking: Asking): TurnKit => ({
    model: chosen.model,
    log,
    request: () => buildRequest(log.events(), recipe),
    tool: (name) => tools.find((tool) => tool === toolNamed(name)) ?? null,
    toolNames: tools.map((tool) => tool.name),
    hands: async () => {
      const { openHands } = await import("./hands.ts");
      state.hands ??= openHands(parts);
      return state.hands.forTurn(asking.inquire);
    },
    news: () => state.hands?.processes.news() ?? [],
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
  return { kitFor, hands: () => state.hands };
}
