// `burin usage`: what all sessions took, by day, model or project.
import type { ArgsDef } from "citty";
import { pad, width } from "../base/cells.ts";
import { usd } from "../base/money.ts";
import { visible } from "../base/plain.ts";
import { environment } from "../host/env.ts";
import { err } from "../host/out.ts";
import { places } from "../host/places.ts";
import { usageFile } from "../session/usage-log.ts";
import { readUsage } from "../session/usage-read.ts";
import { sumOf, sumUsage, USAGE_BY, type UsageSum } from "../session/usage-sum.ts";
import { command } from "./command.ts";
import { print, refuse } from "./exit.ts";
import { wholeNumber } from "./values.ts";

const ARGS = {
  by: {
    type: "enum",
    options: [...USAGE_BY],
    description: "What to add up by (default: day, in UTC)",
  },
  days: { type: "string", valueHint: "N", description: "Only the last N days (default: all)" },
  json: { type: "boolean", description: "One JSON array" },
} as const satisfies ArgsDef;

const DAY_MS = 86_400_000;

export const usageCommand = command({
  name: "burin usage",
  summary: "add up what all sessions took and cost",
  usage: ["burin usage [--by day|model|project] [--days N] [--json]"],
  args: ARGS,
  extras: {},
  examples: ["burin usage", "burin usage --by model --days 30"],
  run: async ({ args }) => {
    const days = wholeNumber("--days", args.days);
    if (!days.ok) return refuse(days.failure);
    const { lines, skipped } = readUsage(usageFile(places(environment()).data));
    if (skipped > 0)
      err(`burin: ${skipped} lines of the usage log could not be read and were passed over\n`);
    const since =
      days.value === null ? "" : new Date(Date.now() - days.value * DAY_MS).toISOString();
    const wanted = lines.filter(({ time }) => time >= since);
    const sums = sumUsage(wanted, args.by ?? "day");
    if (args.json) return print(`${JSON.stringify(sums)}\n`);
    if (sums.length === 0) return print("no turn has been recorded yet\n");
    return print(table([...sums, sumOf("all", wanted)], args.by ?? "day"));
  },
});

function table(sums: readonly UsageSum[], by: string): string {
  const head = [by, "turns", "tokens in", "cached", "out", "cost"];
  const rows = [head, ...sums.map(cellsOf)];
  const widths = head.map((_, at) => Math.max(...rows.map((cells) => width(cells[at] ?? ""))));
  const lines = rows.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? pad(cell, widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
  const isPartial = sums.some(({ unpriced }) => unpriced > 0);
  const note = isPartial ? "+ —: there were turns whose price is not known\n" : "";
  return `${lines.join("\n")}\n${note}`;
}

function cellsOf(sum: UsageSum): string[] {
  const { key, turns, input, cacheRead, output } = sum;
  return [visible(key, ""), ...[turns, input, cacheRead, output].map(String), costText(sum)];
}

/** Never 0 for what is not known. */
function costText({ costUsd, turns, unpriced }: UsageSum): string {
  if (unpriced === turns) return "—";
  return unpriced === 0 ? usd(costUsd) : `${usd(costUsd)} + —`;
}
