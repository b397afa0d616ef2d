// The file of usage read back, line by line; what is no record of usage is passed over and counted.
import * as v from "valibot";
import { parseJson } from "../base/json.ts";
import { readWhole } from "../host/whole.ts";
import type { UsageLine } from "./usage-log.ts";

const Line = v.object({
  v: v.literal(1),
  time: v.string(),
  session: v.string(),
  project: v.string(),
  provider: v.string(),
  model: v.string(),
  rounds: v.number(),
  input: v.number(),
  cacheRead: v.number(),
  cacheWrite: v.number(),
  output: v.number(),
  reasoning: v.number(),
  costUsd: v.nullable(v.number()),
});

export function readUsage(file: string): { lines: UsageLine[]; skipped: number } {
  const written = (readWhole(file) ?? "").split("\n").filter((line) => line !== "");
  const lines = written.flatMap((text) => {
    const line = v.safeParse(Line, parseJson(text));
    return line.success ? [line.output] : [];
  });
  return { lines, skipped: written.length - lines.length };
}
