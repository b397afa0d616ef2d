// The bash tool: one command in a shell of its own, in front or in the background, with its output within bounds.
import { ok, type Result } from "../base/failure.ts";
import type { BackgroundRun } from "./background-run.ts";
import { startBackground } from "./background.ts";
import { BASH_PARAMETERS, bashLine, type Line } from "./bash-line.ts";
import { lines, outputRemarks, reportOf } from "./command-report.ts";
import { liveView } from "./live-view.ts";
import { shortText } from "./names.ts";
import { EDITORS } from "./no-terminal.ts";
import { createCapture } from "./output.ts";
import { SHELL_DEFAULTS } from "./shell.ts";
import { createSpill } from "./spill.ts";
import type { Kit, Output, Tool } from "./tool.ts";

const IDLE_S = 300;
const TITLE_CHARS = 100;
/** What fails at once should fail in this result, not in later news. */
const SETTLE_MS = 300;

export const bashTool: Tool = {
  name: "bash",
  summary: `Run a shell command. No stdin, no tty; cd does not last, use cwd. timeout in seconds (${SHELL_DEFAULTS.timeout}, max ${SHELL_DEFAULTS.maxTimeout}). What & leaves ends with the turn; background runs on till the session ends, with keep even after`,
  parameters: BASH_PARAMETERS,
  tier: "warm",
  async prepare(input, place) {
    const line = await bashLine(input, place);
    if (!line.ok) return line;
    const { asked, command, cwd, way } = line.value;
    return ok({
      // What rtk makes of it is judged beside what was asked for: a rule may speak of either.
      touches: [...new Set([asked, command])].map((each) => ({ kind: "run", command: each, cwd })),
      title: `bash ${shortText(command, TITLE_CHARS)}${WAYS[way]}`,
      run: (kit) => (way === "front" ? inFront(line.value, kit) : inBackground(line.value, kit)),
    });
  },
};

const WAYS: Readonly<Record<Line["way"], string>> = {
  front: "",
  background: " (background)",
  kept: " (background, outlives burin)",
};

async function inFront(line: Line, kit: Kit): Promise<Result<Output>> {
  const capture = createCapture(createSpill(kit.spillDir, "bash"));
  const live = liveView((text) => kit.live(text));
  const ended = await kit.processes.run({
    argv: line.argv,
    cwd: line.cwd,
    timeoutMs: line.seconds * 1000,
    idleMs: IDLE_S * 1000,
    askers: EDITORS,
    signal: kit.signal,
    onChunk(bytes) {
      capture.add(bytes);
      live.add(bytes);
    },
  });
  live.close();
  const captured = capture.finish();
  return ended.ok ? ok(reportOf({ ...line, ended: ended.value, captured })) : ended;
}

async function inBackground(line: Line, kit: Kit): Promise<Result<Output>> {
  const started = await startBackground(line, line.way === "kept", kit);
  if (!started.ok) return started;
  const run = started.value;
  await Promise.race([run.ended, Bun.sleep(SETTLE_MS)]);
  const captured = run.look();
  const ended = run.end();
  if (ended !== null) return ok(reportOf({ ...line, ended, captured }));
  const first = captured.bytes === 0 ? [] : outputRemarks(captured);
  const text = lines(captured.text.trimEnd(), ...first, ...line.notes, startedText(run));
  return ok({ parts: [{ type: "text", text }], isError: false, summary: `runs as ${run.id}` });
}

function startedText({ id, pid, file, isKept }: BackgroundRun): string {
  const until = isKept
    ? "until it is stopped, also when burin has ended"
    : "until the session ends";
  return `[runs in the background as ${id}, pid ${pid}, ${until}; its output goes to ${file}; you will be told when it ends]`;
}
