// The states of a pattern's automaton, built one by one as texts need them.
import type { Program, Side } from "./regex-program.ts";

/** The steps to go on from, and what was just consumed. `index`: its place among the states that are kept. */
export type State = {
  from: readonly number[];
  before: Side;
  index: number;
  next: (State | null)[];
};

/** Beyond this all are dropped and built anew, so that memory stays bounded. */
export const MAX_STATES = 2_000;

/** Most patterns tell few symbols apart; a row grows when there are more. */
const ROW: readonly null[] = Array.from({ length: 16 }, () => null);

export const MATCHED: State = { from: [], before: "other", index: 0, next: [] };

export type States = {
  start: State;
  /** The state after a symbol. */
  step: (state: State, symbol: number) => State;
  /** By its index; undefined for one that was dropped. */
  at: (index: number) => State | undefined;
};

/** `dropped` is told when all states but the start are gone. */
export function statesOf(program: Program, dropped: () => void): States {
  const start: State = { from: [], before: "edge", index: 1, next: ROW.slice() };
  const byKey = new Map<string, State>();
  let all: State[] = [MATCHED, start];
  const stateOf = (from: number[], before: Side): State => {
    const key = `${before} ${from.join(",")}`;
    const known = byKey.get(key);
    if (known) return known;
    if (byKey.size >= MAX_STATES) {
      byKey.clear();
      start.next.fill(null);
      all = [MATCHED, start];
      dropped();
    }
    const state: State = { from, before, index: all.length, next: ROW.slice() };
    byKey.set(key, state);
    all.push(state);
    return state;
  };
  return {
    start,
    step(state, symbol) {
      const known = state.next[symbol];
      if (known) return known;
      const after = program.sideOf(symbol);
      const from = moved(program, state, { symbol, after });
      const next = from === null ? MATCHED : stateOf(from, after);
      state.next[symbol] = next;
      return next;
    },
    at: (index) => all[index],
  };
}

type Place = { symbol: number; after: Side };

/** Where the ways of a state lead over a symbol; null when one of them matches first. */
function moved(program: Program, state: State, { symbol, after }: Place): number[] | null {
  const seen = new Set<number>();
  const from: number[] = [];
  // A match may begin at any place: the start is always the least preferred.
  for (const at of [...state.from, program.start]) {
    for (const reached of program.reach(at, state.before, after)) {
      const each = program.steps[reached];
      if (each?.kind === "match") return null;
      if (each?.kind !== "set" || seen.has(reached)) continue;
      seen.add(reached);
      if (program.alphabet.has(symbol, each.set)) from.push(each.next);
    }
  }
  return from;
}
