// The bash tool: one command in a shell of its own, with its output within bounds.
import * as v from "valibot";
import { ok, type Result } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { absolutePath } from "../host/paths.ts";
import type { Ended } from "../host/process.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import { liveView } from "./live-view.ts";
import { shortText } from "./names.ts";
import { type Captured, createCapture } from "./output.ts";
import type { Kit, Output, Tool } from "./tool.ts";

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 600;
const IDLE_S = 300;
const TITLE_CHARS = 100;

const args = defineArguments(
  "bash",
  v.strictObject({
    command: v.string(),
    timeout: v.optional(v.pipe(v.number(), v.minValue(0))),
    cwd: v.optional(v.string()),
  }),
);

export const bashTool: Tool = {
  name: "bash",
  summary: `Run a shell command. No stdin, no tty; cd does not last, use cwd. timeout in seconds (${DEFAULT_TIMEOUT_S}, max ${MAX_TIMEOUT_S}). Background processes end with the turn`,
  parameters: args.parameters,
  tier: "warm",
  prepare(input, place) {
    const parsed = args.parse(input);
    if (!parsed.ok) return parsed;
    const { command, timeout = DEFAULT_TIMEOUT_S } = parsed.value;
    if (command.trim() === "") return failureOf("bash", "command is empty");
    if (command.includes("\0")) return failureOf("bash", "command holds a NUL byte");
    const cwd = absolutePath(parsed.value.cwd ?? ".", place.cwd);
    const seconds = Math.min(timeout > 0 ? timeout : DEFAULT_TIMEOUT_S, MAX_TIMEOUT_S);
    return ok({
      touches: [{ kind: "run", command, cwd }],
      title: `bash ${shortText(command, TITLE_CHARS)}`,
      run: (kit) => bash({ command, cwd, seconds }, kit),
    });
  },
};

type Wanted = { command: string; cwd: string; seconds: number };

async function bash(wanted: Wanted, kit: Kit): Promise<Result<Output>> {
  const capture = createCapture(kit.spillDir, "bash");
  const live = liveView((text) => kit.live(text));
  const ended = await kit.processes.run({
    argv: [...shell(), wanted.command],
    cwd: wanted.cwd,
    timeoutMs: wanted.seconds * 1000,
    idleMs: IDLE_S * 1000,
    signal: kit.signal,
    onChunk(bytes) {
      capture.add(bytes);
      live.add(bytes);
    },
  });
  live.close();
  const captured = capture.finish();
  return ended.ok ? ok(outputOf(wanted, ended.value, captured)) : ended;
}

/** A login shell, so that the programs the user has are found. */
function shell(): string[] {
  const bashPath = Bun.which("bash");
  return bashPath === null ? ["sh", "-c"] : [bashPath, "-lc"];
}

function outputOf(wanted: Wanted, ended: Ended, captured: Captured): Output {
  const { end } = ended;
  const text = [captured.text.trimEnd(), ...remarks(ended, captured), statusLine(wanted, ended)]
    .filter((part) => part !== "")
    .join("\n");
  return {
    parts: [{ type: "text", text }],
    isError: end.kind !== "exit" || end.code !== 0,
    summary: endText(ended),
    ...(captured.truncated === null ? {} : { truncated: captured.truncated }),
  };
}

function remarks({ end, survivors }: Ended, captured: Captured): string[] {
  const notes: string[] = [];
  if (captured.bytes === 0) notes.push("(no output)");
  if (captured.invalidSequences > 0)
    notes.push(`[${count(captured.invalidSequences, "invalid UTF-8 sequence")} replaced]`);
  if (end.kind === "idle")
    notes.push(
      "[ended because it was silent; if it was waiting for input: there is no stdin, pass answers as arguments]",
    );
  if (survivors.length > 0) {
    const named = survivors.map(({ pid, name }) => `${name} (${pid})`).join(", ");
    notes.push(`[still running, ended with this turn: ${named}]`);
  }
  return notes;
}

function statusLine(wanted: Wanted, ended: Ended): string {
  return `[${endText(ended)}, ${(ended.durationMs / 1000).toFixed(1)} s, in ${wanted.cwd}]`;
}

function endText({ end }: Ended): string {
  switch (end.kind) {
    case "exit":
      return `exit ${end.code}`;
    case "signal":
      return `ended by ${end.signal}`;
    case "timeout":
      return `timeout after ${end.afterMs / 1000} s, all its processes ended`;
    case "idle":
      return `no output for ${end.afterMs / 1000} s, all its processes ended`;
    case "aborted":
      return "stopped by the user, all its processes ended";
  }
}
