// Where a text matches first, in linear time: a deterministic automaton over a text or, faster, over bytes.
import { END } from "./alphabet.ts";
import type { Program } from "./regex-program.ts";
import { MATCHED, MAX_STATES, statesOf } from "./regex-states.ts";

export type Automaton = {
  /**
   * Where the match ends that ends first, in the code units of one line without its end or of a whole text; -1 for none.
   */
  endOf: (text: string) => number;
  /**
   * The same in the bytes of many lines, from a line's start on; a byte that is not ASCII ends it as well. A match may
   * go over line ends: only what it passes over is certain.
   */
  skim: (view: Buffer, from: number) => number;
};

/** In the table for bytes: the row of what matches, and one that is not known yet. */
const MATCH_ROW = -1;
const NO_ROW = 0;

export function automatonOf(program: Program): Automaton {
  const { alphabet } = program;
  const { ascii } = alphabet;
  const width = Math.max(...ascii) + 1;
  // For each state a row with the rows that follow it.
  let table: Int32Array | null = null;
  const states = statesOf(program, () => table?.fill(NO_ROW));
  const symbolAt = (text: string, at: number): number => {
    const unit = text.charCodeAt(at);
    return unit < 128 ? (ascii[unit] ?? END) : alphabet.symbolOf(text.codePointAt(at) ?? 0);
  };
  function nextRow(rows: Int32Array, row: number, symbol: number): number {
    const index = row / width;
    const state = states.at(index) ?? states.start;
    const next = states.step(state, symbol);
    const found = next === MATCHED ? MATCH_ROW : next.index * width;
    // All states may have been dropped meanwhile.
    if (states.at(index) === state) rows[row + symbol] = found;
    return found;
  }
  return {
    endOf(text) {
      let state = states.start;
      for (let at = 0; at < text.length; at++) {
        const symbol = symbolAt(text, at);
        state = state.next[symbol] ?? states.step(state, symbol);
        if (state === MATCHED) return at;
        if (isPair(text, at)) at++;
      }
      return states.step(state, END) === MATCHED ? text.length : -1;
    },
    skim(view, from) {
      const rows = (table ??= new Int32Array((MAX_STATES + 2) * width));
      let row = states.start.index * width;
      for (let at = from; at < view.length; at++) {
        const byte = view[at] ?? 0;
        if (byte >= 128) return at;
        const symbol = ascii[byte] ?? END;
        const known = rows[row + symbol] ?? NO_ROW;
        row = known === NO_ROW ? nextRow(rows, row, symbol) : known;
        if (row === MATCH_ROW) return at;
      }
      return nextRow(rows, row, END) === MATCH_ROW ? view.length : -1;
    },
  };
}

function isPair(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 0xd800 && (text.codePointAt(at) ?? 0) > 0xffff;
}
