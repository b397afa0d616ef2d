// Which session a run is about, from its flags.
import type { Choice } from "../app/place.ts";
import type { RunArgs } from "./run-args.ts";

/** The old session that is meant; null for a new one. */
export function choiceOf({ args }: RunArgs): Exclude<Choice, { kind: "new" }> | null {
  if (args.continue) return { kind: "continue" };
  return args.resume === undefined ? null : { kind: "resume", ref: args.resume };
}
