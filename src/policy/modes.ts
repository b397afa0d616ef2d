// The permission modes as a table: what each does with a touch that no rule and no grant speaks of.

import type { Mode } from "../base/modes.ts";

export type Outcome = "allow" | "ask" | "deny";
export type Area =
  | "readInside"
  | "readOutside"
  | "writeInside"
  | "writeOutside"
  | "runSafe"
  | "run"
  | "remote";

type Row = Readonly<Record<Area, Outcome>>;

const ASKING: Row = {
  readInside: "allow",
  readOutside: "ask",
  writeInside: "ask",
  writeOutside: "ask",
  runSafe: "allow",
  run: "ask",
  remote: "ask",
};

const TABLE: Readonly<Record<Mode, Row>> = {
  /** A write is asked once per file: the answer becomes a grant for that file (agent/judge). */
  standard: ASKING,
  restrictive: { ...ASKING, readOutside: "deny", writeOutside: "deny", runSafe: "ask" },
  readonly: { ...ASKING, writeInside: "deny", writeOutside: "deny", run: "deny", remote: "deny" },
  planwrite: { ...ASKING, writeInside: "deny", writeOutside: "deny", remote: "deny" },
  guarded: { ...ASKING, runSafe: "ask" },
  yolo: {
    readInside: "allow",
    readOutside: "allow",
    writeInside: "allow",
    writeOutside: "ask",
    runSafe: "allow",
    run: "allow",
    remote: "allow",
  },
};

export function defaultFor(mode: Mode, area: Area): Outcome {
  return TABLE[mode][area];
}
