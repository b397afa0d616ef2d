// `bun run bench`: measures every budget and prints a row for each. --check fails on a regression against
// bench/baseline.json, --save makes what was measured the new baseline.
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { BUDGETS, isOver, isWorse, type Budget } from "./budgets.ts";
import { idle, ready, stream as chatStream } from "./chat.ts";
import { decode } from "./decode.ts";
import { edit } from "./edit.ts";
import { answer, growth, rounds, stream } from "./headless.ts";
import { openLab, type Lab } from "./lab.ts";
import { largeTree, smallTree } from "./search.ts";
import { floorMs, size, start } from "./start.ts";

type Measurement = { ids: string[]; take: (lab: Lab) => Promise<number[]> };
type Value = { measured: number } | { reason: string };

const MEASUREMENTS: Measurement[] = [
  { ids: ["version.time", "version.memory"], take: async (lab) => start(lab, "--version") },
  { ids: ["help.time", "help.memory"], take: async (lab) => start(lab, "--help") },
  { ids: ["answer.time", "answer.memory", "prompt.size"], take: answer },
  { ids: ["round.time", "prefix.kept"], take: rounds },
  { ids: ["round.growth"], take: growth },
  { ids: ["stream.cpu"], take: stream },
  { ids: ["chat.name", "chat.prompt"], take: ready },
  { ids: ["chat.memory", "chat.cpu"], take: idle },
  { ids: ["chat.stream"], take: chatStream },
  { ids: ["sse.rate", "events.rate"], take: decode },
  { ids: ["edit.time"], take: edit },
  { ids: ["grep.small", "find.small"], take: smallTree },
  { ids: ["grep.literal", "grep.fold", "grep.regex"], take: largeTree },
  { ids: ["binary.size"], take: size },
];

const baselineFile = Bun.file(join(import.meta.dir, "baseline.json"));

async function measure(lab: Lab, { ids, take }: Measurement): Promise<Map<string, Value>> {
  try {
    const values = await take(lab);
    return new Map(ids.map((id, at) => [id, { measured: values[at] ?? NaN }]));
  } catch (error) {
    // One row that cannot be measured must not hide the others.
    const reason = error instanceof Error ? error.message : String(error);
    return new Map(ids.map((id) => [id, { reason }]));
  }
}

async function readBaseline(): Promise<Record<string, number>> {
  if (!(await baselineFile.exists())) return {};
  return v.parse(v.record(v.string(), v.number()), await baselineFile.json());
}

function judge(budget: Budget, measured: number, agreed: number | undefined): string {
  const words = [isOver(budget, measured) ? "over" : "ok"];
  if (agreed !== undefined && isWorse(budget, measured, agreed)) words.push(`worse than ${agreed}`);
  return words.join(", ");
}

function row(budget: Budget, value: Value, agreed: number | undefined): string {
  const name = budget.what.padEnd(46);
  if ("reason" in value) return `${name}not measured: ${value.reason}`;
  const sign = budget.better === "less" ? "≤" : "≥";
  const measured = `${value.measured.toFixed(2)} ${budget.unit}`.padStart(15);
  const limit = `${sign} ${budget.limit} ${budget.unit}`.padEnd(16);
  return `${name}${measured}   ${limit} ${judge(budget, value.measured, agreed)}`;
}

const { values: flags } = parseArgs({
  options: { check: { type: "boolean" }, save: { type: "boolean" }, only: { type: "string" } },
});
const baseline = await readBaseline();
const current: Record<string, number> = {};
let isBad = false;
using lab = await openLab();
console.log(`floor: hello world in ${(await floorMs(lab)).toFixed(1)} ms\n`);
for (const measurement of MEASUREMENTS) {
  if (!measurement.ids.some((id) => id.includes(flags.only ?? ""))) continue;
  for (const [id, value] of await measure(lab, measurement)) {
    const budget = BUDGETS.find((candidate) => candidate.id === id);
    if (budget === undefined) throw new Error(`there is no budget for ${id}`);
    const agreed = baseline[id];
    console.log(row(budget, value, agreed));
    if ("reason" in value) isBad = true;
    else current[id] = Number(value.measured.toFixed(2));
    if ("measured" in value && agreed !== undefined && isWorse(budget, value.measured, agreed))
      isBad = true;
  }
}
if (flags.save === true)
  await Bun.write(baselineFile, `${JSON.stringify({ ...baseline, ...current }, null, 2)}\n`);
process.exitCode = flags.check === true && isBad ? 1 : 0;
