// Whether a text matches anywhere, in linear time: a deterministic automaton built state by state as texts need it.
import { END } from "./alphabet.ts";
import type { Program, Side } from "./regex-program.ts";

/** One state: the steps to go on from, and what was just consumed. */
type State = { from: readonly number[]; before: Side; next: (State | null)[] };

/** Beyond this the table is dropped and built anew, so that memory stays bounded. */
const MAX_STATES = 2_000;

/** Most patterns tell few symbols apart; a row grows when there are more. */
const ROW: readonly null[] = Array.from({ length: 16 }, () => null);

const MATCHED: State = { from: [], before: "other", next: [] };

export type Automaton = {
  /** `text` holds the code units of whole lines, or of one line without its end. */
  matches(text: string): boolean;
};

export function automatonOf(program: Program): Automaton {
  const { alphabet } = program;
  const { ascii } = alphabet;
  let states = new Map<string, State>();
  const start: State = { from: [], before: "edge", next: ROW.slice() };
  const stateOf = (from: number[], before: Side): State => {
    const key = `${before} ${from.join(",")}`;
    const known = states.get(key);
    if (known) return known;
    if (states.size >= MAX_STATES) {
      states = new Map();
      start.next.fill(null);
    }
    const state: State = { from, before, next: ROW.slice() };
    states.set(key, state);
    return state;
  };
  function step(state: State, symbol: number): State {
    const after = program.sideOf(symbol);
    const from = moved(state, symbol, after);
    const next = from === null ? MATCHED : stateOf(from, after);
    state.next[symbol] = next;
    return next;
  }
  /** Where the ways of a state lead over a symbol; null when one of them matches first. */
  function moved(state: State, symbol: number, after: Side): number[] | null {
    const seen = new Set<number>();
    const from: number[] = [];
    // A match may begin at any place: the start is always the least preferred.
    for (const at of [...state.from, program.start]) {
      for (const reached of program.reach(at, state.before, after)) {
        const each = program.steps[reached];
        if (each?.kind === "match") return null;
        if (each?.kind !== "set" || seen.has(reached)) continue;
        seen.add(reached);
        if (alphabet.has(symbol, each.set)) from.push(each.next);
      }
    }
    return from;
  }
  return {
    matches(text) {
      let state = start;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        const symbol =
          unit < 128 ? (ascii[unit] ?? END) : alphabet.symbolOf(text.codePointAt(at) ?? 0);
        state = state.next[symbol] ?? step(state, symbol);
        if (state === MATCHED) return true;
        if (unit >= 0xd800 && isPair(text, at)) at++;
      }
      return (state.next[END] ?? step(state, END)) === MATCHED;
    },
  };
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
