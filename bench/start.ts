// The start: `--version` and `--help` against hello world, and the size of the binary.
import { statSync } from "node:fs";
import type { Lab } from "./lab.ts";
import { peakMb, ratio, run, smallest } from "./measure.ts";

const RUNS = 20;
const MEMORY_RUNS = 5;

export async function start(lab: Lab, flag: "--version" | "--help"): Promise<[number, number]> {
  const time = await ratio(
    RUNS,
    async () => (await run(lab, [lab.burin, flag])).wallMs,
    async () => (await run(lab, [lab.hello])).wallMs,
  );
  const memory = await ratio(
    MEMORY_RUNS,
    async () => peakMb(lab, [lab.burin, flag]),
    async () => peakMb(lab, [lab.hello]),
  );
  return [time, memory];
}

export async function floorMs(lab: Lab): Promise<number> {
  return smallest(RUNS, async () => (await run(lab, [lab.hello])).wallMs);
}

/** Megabytes of burin over hello world. */
export async function size(lab: Lab): Promise<[number]> {
  return [(statSync(lab.burin).size - statSync(lab.hello).size) / 1e6];
}
