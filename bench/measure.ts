// One run of a program measured: wall time, CPU, peak memory; and the smallest of several.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "./lab.ts";

export type Run = { wallMs: number; cpuMs: number };

const TIME = "/usr/bin/time";

export async function run(lab: Lab, command: string[]): Promise<Run> {
  const started = performance.now();
  const child = Bun.spawn(command, {
    cwd: lab.cwd,
    env: lab.env,
    stdin: "ignore",
    // As in a pipeline: /dev/null is a device, and asking it whether it is a terminal takes a longer way.
    stdout: "pipe",
    stderr: "pipe",
  });
  const [complaint, code] = await Promise.all([
    child.stderr.text(),
    child.exited,
    child.stdout.bytes(),
  ]);
  const wallMs = performance.now() - started;
  if (code !== 0) throw new Error(failed(command, code, complaint));
  return { wallMs, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000 };
}

function failed(command: string[], code: number, complaint: string): string {
  const last = complaint.trimEnd().split("\n").at(-1) ?? "";
  return `\`burin ${command.slice(1).join(" ")}\` ended with ${code}: ${last}`;
}

/** The largest resident size, in MB. A child's own figure would start at ours: GNU time is small and forks. */
export async function peakMb(lab: Lab, command: string[]): Promise<number> {
  if (process.platform !== "linux" || !existsSync(TIME))
    throw new Error("memory is measured with GNU time on Linux: install the package `time`");
  const file = join(lab.env["HOME"] ?? "", "peak");
  await run(lab, [TIME, "-f", "%M", "-o", file, ...command]);
  return Number(await Bun.file(file).text()) / 1000;
}

/** The smallest of several values: what else the machine did can only add. */
export async function smallest(times: number, measured: () => Promise<number>): Promise<number> {
  let best = Infinity;
  for (let turn = 0; turn < times; turn += 1) best = Math.min(best, await measured());
  return best;
}

/** How often the smallest `floor` goes into the smallest `measured`; they take turns, so that a busy moment hits both. */
export async function ratio(
  times: number,
  measured: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<number> {
  let [least, ground] = [Infinity, Infinity];
  for (let turn = 0; turn < times; turn += 1) {
    ground = Math.min(ground, await floor());
    least = Math.min(least, await measured());
  }
  return least / ground;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
