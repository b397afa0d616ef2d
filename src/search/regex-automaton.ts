// Whether a text matches anywhere, in linear time: a deterministic automaton built state by state as texts need it.
import { END } from "./alphabet.ts";
import { follow, type Program, type Side } from "./regex-program.ts";

/** One state: the steps to go on from, and what was just consumed. */
type State = { from: readonly number[]; before: Side; next: (State | undefined)[] };

/** Beyond this the table is dropped and built anew, so that memory stays bounded. */
const MAX_STATES = 2_000;

const MATCHED: State = { from: [], before: "other", next: [] };

export type Automaton = {
  /** `text` holds the code units of whole lines, or of one line without its end. */
  matches(text: string): boolean;
};

export function automatonOf(program: Program): Automaton {
  const { alphabet } = program;
  let states = new Map<string, State>();
  const stateOf = (from: number[], before: Side): State => {
    const key = `${before} ${from.join(",")}`;
    const known = states.get(key);
    if (known) return known;
    if (states.size >= MAX_STATES) states = new Map();
    const state: State = { from, before, next: [] };
    states.set(key, state);
    return state;
  };
  function step(state: State, symbol: number): State {
    const after = program.sideOf(symbol);
    const seen = new Uint8Array(program.steps.length);
    const from: number[] = [];
    // A match may begin at any place: the start is always the least preferred.
    for (const at of [...state.from, program.start]) {
      for (const reached of follow(program, at, [state.before, after], seen)) {
        const each = program.steps[reached];
        if (each?.kind === "match") return MATCHED;
        if (each?.kind === "set" && alphabet.has(symbol, each.set)) from.push(each.next);
      }
    }
    return stateOf(from, after);
  }
  const start = stateOf([], "edge");
  return {
    matches(text) {
      let state = start;
      for (let at = 0; at < text.length; at++) {
        let code = text.charCodeAt(at);
        if (code >= 0xd800 && code < 0xdc00) {
          code = text.codePointAt(at) ?? code;
          if (code > 0xffff) at++;
        }
        const symbol = code < 128 ? (alphabet.ascii[code] ?? END) : alphabet.symbolOf(code);
        state = state.next[symbol] ??= step(state, symbol);
        if (state === MATCHED) return true;
      }
      return (state.next[END] ??= step(state, END)) === MATCHED;
    },
  };
}
