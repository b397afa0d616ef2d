// Builds what each turn of a place is given: the model, the log, the session's hands, the limits.
import type { TurnKit } from "../agent/kit.ts";
import { buildRequest, type Recipe } from "../context/build.ts";
import { toldTools, toolNamed } from "../tools/registry.ts";
import type { Parts, SessionHands } from "./hands.ts";
import type { Chosen } from "./opening.ts";
import type { Asking } from "./place.ts";

export type Turns = {
  kitFor(asking: Asking): TurnKit;
  /** What the session's calls run with; null before the first call. */
  hands(): SessionHands | null;
  /** The model that answers now. */
  chosen(): Chosen;
};

type State = { hands: SessionHands | null; chosen: Chosen; refused: Set<string> };

/** What outlives a turn (what was read, what was granted) is made once, in the hands; the rest is made for each turn. */
export function turnsOf(parts: Omit<Parts, "chosen"> & { chosen: Chosen }): Turns {
  const { record, opening } = parts;
  const { log, system } = record;
  const { tools, limits } = opening;
  const state: State = { hands: null, chosen: parts.chosen, refused: new Set() };
  const taken = { count: 0 };
  const standby = {
    opening,
    current: () => state.chosen,
    use: (chosen: Chosen) => {
      state.chosen = chosen;
    },
    quarantine: (tool: string) => void state.refused.add(tool),
    taken,
  };
  const recipe = (): Recipe => ({
    model: state.chosen.model.id,
    system,
    tools: toldTools(tools, opening.editing(state.chosen.model.id))
      .filter(({ name }) => !state.refused.has(name))
      .map(({ name, summary: description, parameters }) => ({ name, description, parameters })),
    cacheKey: opening.isRecorded ? log.id : null,
    ...opening.request,
    effort: opening.request.effort ?? state.chosen.effort,
  });
  const { maxRounds, maxCostUsd, maxTimeMs } = limits;
  const kitFor = (asking: Asking): TurnKit => ({
    // Another model may take over within a turn.
    get model() {
      return state.chosen.model;
    },
    log,
    request: () => buildRequest(log.events(), recipe()),
    tool: (name) => tools.find((tool) => tool === toolNamed(name)) ?? null,
    toolNames: tools.map((tool) => tool.name),
    hands: async () => {
      const { openHands } = await import("./hands.ts");
      state.hands ??= openHands({ ...parts, chosen: () => state.chosen });
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
    price: (usage) => state.chosen.price(usage),
    recovery: async () => (await import("./recovery.ts")).recoveryOf(standby, asking),
    now: () => performance.now(),
  });
  return { kitFor, hands: () => state.hands, chosen: () => state.chosen };
}
