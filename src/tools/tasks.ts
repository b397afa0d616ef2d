// The tasks tool: what was started in the background, what it printed since the last look, its end, and stopping it.
import * as v from "valibot";
import { ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import type { BackgroundRun } from "./background-run.ts";
import { endText, lines, outputRemarks } from "./command-report.ts";
import { shortText } from "./names.ts";
import { SHELL_DEFAULTS } from "./shell.ts";
import type { Kit, Output, Tool } from "./tool.ts";

const ACTIONS = ["list", "output", "wait", "stop"] as const;
const WAIT_S = 60;
const COMMAND_CHARS = 80;
const MAX_LISTED = 50;

const args = defineArguments(
  "tasks",
  v.strictObject({
    action: v.picklist(ACTIONS),
    id: v.optional(v.string()),
    timeout: v.optional(v.pipe(v.number(), v.minValue(0))),
  }),
);

export const tasksTool: Tool = {
  name: "tasks",
  summary: "Background commands: list, new output, wait for the end (of one or any), stop",
  parameters: args.parameters,
  tier: "warm",
  prepare(input, place) {
    const parsed = args.parse(input);
    if (!parsed.ok) return parsed;
    const { action, id = null, timeout = WAIT_S } = parsed.value;
    const { maxTimeout } = place.shell ?? SHELL_DEFAULTS;
    return ok({
      touches: [],
      title: `tasks ${action}${id === null ? "" : ` ${id}`}`,
      run: (kit) => tasks({ action, id, seconds: Math.min(timeout, maxTimeout) }, kit),
    });
  },
};

type Wanted = { action: (typeof ACTIONS)[number]; id: string | null; seconds: number };

async function tasks({ action, id, seconds }: Wanted, kit: Kit): Promise<Result<Output>> {
  const all = kit.processes.background;
  if (action === "list") return ok(listed(all));
  const running = all.filter((run) => run.end() === null);
  if (action === "wait" && id === null) {
    if (running.length === 0) return ok(listed(all));
    await settled(running, seconds, kit.signal);
    const ended = running.filter((run) => run.end() !== null);
    return ok(ended.length === 0 ? listed(all) : shown(ended));
  }
  const run = named(id, all, running);
  if (!run.ok) return run;
  if (action === "wait") await settled([run.value], seconds, kit.signal);
  if (action === "stop") await run.value.stop();
  return ok(shown([run.value]));
}

/** Without an id the only one that runs is meant. */
function named(
  id: string | null,
  all: readonly BackgroundRun[],
  running: readonly BackgroundRun[],
): Result<BackgroundRun> {
  const [only] = running;
  if (id === null && only !== undefined && running.length === 1) return ok(only);
  const run = all.find((each) => each.id === id || String(each.pid) === id);
  if (run !== undefined) return ok(run);
  const ids = all.map((each) => each.id);
  if (ids.length === 0) return failureOf("tasks", "nothing was started in the background");
  if (id === null) return failureOf("tasks", `id is missing: one of ${ids.join(", ")}`);
  const near = nearest(id, ids);
  const hint = near === null ? `known are ${ids.join(", ")}` : `did you mean ${near}?`;
  return failureOf("tasks", `there is no background command ${id}: ${hint}`);
}

async function settled(
  runs: readonly BackgroundRun[],
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  const timer = setTimeout(resolve, seconds * 1000);
  signal.addEventListener("abort", onAbort, { once: true });
  if (!signal.aborted) await Promise.race([promise, ...runs.map((run) => run.ended)]);
  signal.removeEventListener("abort", onAbort);
  clearTimeout(timer);
}

function listed(runs: readonly BackgroundRun[]): Output {
  const running = runs.filter((run) => run.end() === null).length;
  const rows = runs
    .slice(-MAX_LISTED)
    .map((run) => `${stateOf(run)}: ${shortText(run.command, COMMAND_CHARS)}`);
  const text = rows.length === 0 ? "(nothing was started in the background)" : rows.join("\n");
  return { parts: [{ type: "text", text }], isError: false, summary: `${running} running` };
}

function shown(runs: readonly BackgroundRun[]): Output {
  const text = runs
    .map((run) => {
      const captured = run.look();
      const remarks = captured.bytes === 0 ? ["(no new output)"] : outputRemarks(captured);
      return lines(captured.text.trimEnd(), ...remarks, `[${stateOf(run)}; ${run.file}]`);
    })
    .join("\n");
  const summary = runs.map((run) => `${run.id} ${phaseOf(run)}`).join(", ");
  return { parts: [{ type: "text", text }], isError: false, summary };
}

function stateOf(run: BackgroundRun): string {
  const kept = run.isKept ? ", kept" : "";
  return `${run.id} (pid ${run.pid}${kept}) ${phaseOf(run)}, ${run.seconds().toFixed(1)} s`;
}

function phaseOf(run: BackgroundRun): string {
  const ended = run.end();
  if (ended === null) return "running";
  return ended.end.kind === "aborted" ? "stopped" : endText(ended.end);
}
