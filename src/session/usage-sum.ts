// Usage of many turns added up by day, model or project.
import type { UsageLine } from "./usage-log.ts";

export const USAGE_BY = ["day", "model", "project"] as const;
export type UsageBy = (typeof USAGE_BY)[number];

export type UsageSum = {
  /** The day, `PROVIDER/MODEL`, or the folder. */
  key: string;
  turns: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  /** USD of the turns whose cost is known. */
  costUsd: number;
  /** Turns whose cost is not. */
  unpriced: number;
};

/** Days in their order; models and projects by cost, the dearest first. */
export function sumUsage(lines: readonly UsageLine[], by: UsageBy): UsageSum[] {
  const groups = Map.groupBy(lines, (line) => keyOf(line, by));
  const sums = [...groups].map(([key, group]) => sumOf(key, group));
  return by === "day"
    ? sums.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    : sums.toSorted((a, b) => b.costUsd - a.costUsd || (a.key < b.key ? -1 : 1));
}

export function sumOf(key: string, lines: readonly UsageLine[]): UsageSum {
  const sum: UsageSum = {
    key,
    turns: lines.length,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0,
    reasoning: 0,
    costUsd: 0,
    unpriced: 0,
  };
  for (const line of lines) {
    sum.input += line.input;
    sum.cacheRead += line.cacheRead;
    sum.cacheWrite += line.cacheWrite;
    sum.output += line.output;
    sum.reasoning += line.reasoning;
    sum.costUsd += line.costUsd ?? 0;
    sum.unpriced += Number(line.costUsd === null);
  }
  return sum;
}

function keyOf(line: UsageLine, by: UsageBy): string {
  switch (by) {
    case "day":
      return line.time.slice(0, 10);
    case "model":
      return line.provider === line.model ? line.model : `${line.provider}/${line.model}`;
    case "project":
      return line.project;
  }
}
