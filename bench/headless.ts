// `-p` against a local server: one answer, a loop of tool calls, a long stream.
import type { Lab } from "./lab.ts";
import { median, peakMb, ratio, run, smallest } from "./measure.ts";

const ANSWER_RUNS = 15;
const MEMORY_RUNS = 3;
const LOOP_RUNS = 5;
const STREAM_RUNS = 3;
const CHARS_PER_TOKEN = 4;
/** What the model asks for in each round, and its time without burin. */
const TOOL = ["bash", "-c", "echo round 0"];
const TOOL_RUNS = 30;

function ask(lab: Lab, model: string): string[] {
  return [lab.burin, "-p", "x", "--mode", "yolo", ...lab.model(model)];
}

/** Time as a ratio, memory in MB, and the first request's system prompt and tools in tokens. */
export async function answer(lab: Lab): Promise<[number, number, number]> {
  const time = await ratio(
    ANSWER_RUNS,
    async () => (await run(lab, ask(lab, "ok"))).wallMs,
    async () => (await run(lab, [lab.hello])).wallMs,
  );
  const memory = await smallest(MEMORY_RUNS, async () => peakMb(lab, ask(lab, "ok")));
  const { requests, promptChars } = await lab.report();
  if (requests === 0) throw new Error("`burin -p` sent no request to the model server");
  return [time, memory, promptChars / CHARS_PER_TOKEN];
}

/** Milliseconds a round costs besides the model and the command, and the percentage of requests with an unchanged start. */
export async function rounds(lab: Lab): Promise<[number, number]> {
  let kept = 100;
  const gap = await smallest(LOOP_RUNS, async () => {
    const { gaps, prefixesKept } = await loop(lab, 20);
    kept = Math.min(kept, (100 * prefixesKept) / gaps.length);
    return median(gaps);
  });
  return [Math.max(0, gap - (await toolMs(lab))), kept];
}

/** How much longer the gap between two requests is late in a long session than early. */
export async function growth(lab: Lab): Promise<[number]> {
  const { gaps } = await loop(lab, 400);
  return [median(gaps.slice(-50)) / median(gaps.slice(20, 70))];
}

async function loop(lab: Lab, count: number): ReturnType<Lab["report"]> {
  await lab.report();
  await run(lab, ask(lab, `loop-${count}`));
  const report = await lab.report();
  if (report.requests !== count + 1)
    throw new Error(`a loop of ${count} rounds made ${report.requests} requests`);
  return report;
}

async function toolMs(lab: Lab): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TOOL_RUNS; turn += 1) times.push((await run(lab, TOOL)).wallMs);
  return median(times);
}

/** Seconds of CPU for 20,000 deltas. */
export async function stream(lab: Lab): Promise<[number]> {
  const cpuMs = await smallest(
    STREAM_RUNS,
    async () => (await run(lab, ask(lab, "stream-20000"))).cpuMs,
  );
  const { requests } = await lab.report();
  if (requests !== STREAM_RUNS) throw new Error(`${STREAM_RUNS} streams made ${requests} requests`);
  return [cpuMs / 1000];
}
