// Where a pattern matches: all its ways are followed side by side, so that the time stays linear in the text.
import { END } from "./alphabet.ts";
import type { Program, Side } from "./regex-program.ts";

/** Positions in code units. */
export type Span = { start: number; end: number };

type Thread = { at: number; start: number };

/** The leftmost match from `from` on, the one that a backtracking engine would prefer; null when there is none. */
export function spanFrom(program: Program, text: string, from: number): Span | null {
  const { alphabet } = program;
  const visits: Visits = { marks: new Uint32Array(program.steps.length), round: 0 };
  let threads: Thread[] = [];
  let found: Span | null = null;
  let before: Side =
    from === 0 ? "edge" : program.sideOf(alphabet.symbolOf(codeBefore(text, from)));
  for (let at = from; at <= text.length;) {
    const code = text.codePointAt(at);
    const symbol = code === undefined ? END : alphabet.symbolOf(code);
    if (found === null) threads.push({ at: program.start, start: at });
    if (threads.length === 0) break;
    const after = program.sideOf(symbol);
    const moved = advance(program, threads, { before, after, symbol }, visits);
    if (moved.matched !== null) found = { start: moved.matched, end: at };
    threads = moved.threads;
    before = after;
    at += code !== undefined && code > 0xffff ? 2 : 1;
  }
  return found;
}

type Place = { before: Side; after: Side; symbol: number };
/** Which steps were reached in this round: marked with its number, so that nothing is cleared. */
type Visits = { marks: Uint32Array; round: number };
type Moved = { threads: Thread[]; matched: number | null };

/** All threads over one code point; a match ends those that are less preferred. */
function advance(
  program: Program,
  threads: readonly Thread[],
  place: Place,
  visits: Visits,
): Moved {
  visits.round++;
  const next: Thread[] = [];
  for (const { at, start } of threads) {
    for (const reached of program.reach(at, place.before, place.after)) {
      const step = program.steps[reached];
      if (step?.kind === "match") return { threads: next, matched: start };
      if (step?.kind !== "set" || visits.marks[reached] === visits.round) continue;
      visits.marks[reached] = visits.round;
      if (program.alphabet.has(place.symbol, step.set)) next.push({ at: step.next, start });
    }
  }
  return { threads: next, matched: null };
}

function codeBefore(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  const isPair = last >= 0xdc00 && last < 0xe000 && at > 1;
  return isPair ? (text.codePointAt(at - 2) ?? last) : last;
}
