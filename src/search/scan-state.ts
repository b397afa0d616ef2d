// What is wanted of a search, and what is known of one file so far.
import type { FoundLine } from "./found-line.ts";
import type { Matcher } from "./match.ts";

export type Wanted = {
  /** `first`: only whether there is a match. */
  what: "lines" | "count" | "first";
  /** Matches kept in one file; the others are counted. */
  perFile: number;
  /** Lines of context on either side. */
  context: number;
  /** Bytes kept of one line. */
  lineCap: number;
};

/** What is known of one file so far. */
export type Scan = {
  matcher: Matcher;
  wanted: Wanted;
  lines: FoundLine[];
  matches: number;
  kept: number;
  /** Number of the line at the start of the next stretch. */
  line: number;
  /** Bytes of that line that came before: it is so long that it is searched in pieces. */
  begun: number;
  /** Lines of context still owed to the last match. */
  owed: number;
  /** Time spent in an engine that must be watched. */
  engineMs: number;
  /** Lines that were left out because such an engine could run away on them. */
  longLines: number;
  stop: "no" | "done" | "slow";
};

export function newScan(matcher: Matcher, wanted: Wanted): Scan {
  return {
    matcher,
    wanted,
    lines: [],
    matches: 0,
    kept: 0,
    line: 1,
    begun: 0,
    owed: 0,
    engineMs: 0,
    longLines: 0,
    stop: "no",
  };
}

/** Bytes `from` to `to` are new; whole lines before `from` are there for context. `isLast`: nothing follows. */
export type Stretch = { buffer: Buffer; from: number; to: number; isLast: boolean };
