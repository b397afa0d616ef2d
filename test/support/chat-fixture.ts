// The chat over scripted turns, as a program for screen tests: the prompt's first word chooses the script.
import type { TurnEnd, TurnEvent } from "../../src/agent/event.ts";
import { missing, ok, sentence } from "../../src/base/failure.ts";
import type { PlanItem } from "../../src/base/plan.ts";
import { runChat } from "../../src/chat/run.ts";
import type { Draft } from "../../src/session/event.ts";
import {
  askAbout,
  reply,
  scriptedPlace,
  usage,
  type Script,
  type Stage,
} from "./scripted-place.ts";
import { until } from "./until.ts";

/** A model writes on while a person looks and resizes: a pace, nothing that a test waits for. */
const PACE_MS = 1;
const HOUR_MS = 3_600_000;
const FRAMES_MS = 100;

/** Resolved by the test, once it has seen what it wanted to see. */
const goOn = Promise.withResolvers<void>();
process.once("SIGUSR2", () => goOn.resolve());

const COMPLETE: TurnEnd = { status: "complete", text: "" };

const SCRIPTS: Readonly<Record<string, Script>> = {
  /** Streams the rest of the prompt, `\n` being a newline, a few characters at a time. */
  async *say(stage) {
    yield* streamed(stage, textAfter(stage), PACE_MS);
    return COMPLETE;
  },
  /** Streams paragraphs, slowly enough to be resized in between. */
  async *long(stage) {
    const text = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} ${"word ".repeat(30)}`);
    yield* streamed(stage, text.join("\n\n"), PACE_MS);
    return COMPLETE;
  },
  /** Runs until it is stopped. */
  async *wait({ asking }) {
    yield { kind: "live", event: { type: "request", round: 1 } };
    yield { kind: "live", event: { type: "thinking", delta: "**Weighing options**\n" } };
    await stopped(asking.signal);
    return { status: "interrupted" };
  },
  /** Writes 20 lines at once, and ends when the test says so with SIGUSR2. */
  async *tool(stage) {
    yield* toolTurn(stage, "grep", JSON.stringify({ pattern: "TODO", path: "src" }), "14 hits");
    yield* streamed(stage, "Found **fourteen**.", 0);
    return COMPLETE;
  },
  /** Asks before it runs `rm`. */
  async *ask(stage) {
    const ask = askAbout(`rm -rf build\u202e`, "@@ -1 +1 @@\n-old line\n+new line");
    const answer = await stage.asking.confirm(ask, stage.asking.signal);
    yield* streamed(stage, `The answer was ${JSON.stringify(answer)}.`, 0);
    return answer.kind === "stop" ? { status: "interrupted" } : COMPLETE;
  },
  /** Fails as `-p` shows it, too: a command with exit 1. */
  async *broken(stage) {
    yield* failedTurn(stage);
    return COMPLETE;
  },
  /** Asks two questions of its own. */
  async *inquire(stage) {
    const inquired = await stage.asking.inquire(QUESTIONS, stage.asking.signal);
    if (stage.asking.signal.aborted) return { status: "interrupted" };
    yield* streamed(stage, `The answer was ${JSON.stringify(inquired)}.`, 0);
    return COMPLETE;
  },
  /** Sets a plan, then the next step of it, and then the same again. */
  async *plan(stage) {
    for (const done of [0, 1, 1]) yield stage.store(planned(done));
    yield* streamed(stage, "Planned.", 0);
    return COMPLETE;
  },
  /** A reply breaks off, and is asked for again after an hour, or sooner where the person wants it so. */
  async *retry(stage) {
    const { pause, signal } = stage.asking;
    yield* streamed(stage, "The beginning", 0);
    const because = "the provider is overloaded (HTTP 529)";
    yield { kind: "live", event: { type: "retry", attempt: 1, tries: 5, ms: HOUR_MS, because } };
    await pause?.(HOUR_MS, signal);
    if (signal.aborted) return { status: "interrupted" };
    const data = { attempt: 1, waitedMs: 5, kind: "overloaded", because };
    yield stage.store({ type: "model.retry", data });
    yield* streamed(stage, "The whole.", 0);
    return COMPLETE;
  },
  /** Waits for steering, then says what it got. */
  async *steer(stage) {
    const { inbox, signal } = stage.asking;
    const texts: string[] = [];
    await until("steering came", () => {
      texts.push(...inbox.take());
      return texts.length > 0 || signal.aborted;
    });
    yield* streamed(stage, `Steered by ${texts.join(", ")}.`, 0);
    return COMPLETE;
  },
  /** A bug: what a turn never does. */
  async *crash() {
    yield { kind: "live", event: { type: "request", round: 1 } };
    throw new Error("a bug in the fixture");
  },
  async *fail() {
    yield { kind: "live", event: { type: "request", round: 1 } };
    return { status: "error", message: "the server is not there; start it and write again" };
  },
};

const QUESTIONS: Parameters<Stage["asking"]["inquire"]>[0] = [
  {
    header: "Store",
    question: "Where should the entries of the cache be kept between two runs of the program?",
    options: [
      {
        label: "SQLite",
        description: "one file, found again by every run, and read without a parser",
      },
      { label: "Memory\u202e", description: "" },
    ],
    multi: false,
  },
  {
    header: "",
    question: "Which parts?",
    options: [
      { label: "reading", description: "" },
      { label: "writing", description: "" },
      { label: "漢字 and a label that is too long for a narrow terminal", description: "" },
    ],
    multi: true,
  },
];

function planned(done: number): Draft {
  const texts = ["find the fault", "mend it, with care for everything that depends on it", "test"];
  const plan = texts.map((text, at): PlanItem => {
    if (at < done) return { text, status: "completed" };
    return { text, status: at === done ? "in_progress" : "pending" };
  });
  return {
    type: "message.tool",
    data: {
      toolCallId: "c",
      name: "todo_write",
      content: [],
      isError: false,
      tier: "cold",
      summary: `${done} of 3 done`,
      durationMs: 1,
      plan,
    },
  };
}

function textAfter(stage: Stage): string {
  return stage.prompt.slice(stage.prompt.indexOf(" ") + 1).replaceAll("\\n", "\n");
}

async function* streamed(stage: Stage, text: string, pauseMs: number): AsyncGenerator<TurnEvent> {
  yield { kind: "live", event: { type: "request", round: 1 } };
  let said = "";
  for (const delta of text.match(/[\s\S]{1,7}/gu) ?? []) {
    if (stage.asking.signal.aborted) break;
    said += delta;
    yield { kind: "live", event: { type: "text", delta } };
    if (pauseMs > 0) await Bun.sleep(pauseMs);
  }
  yield stage.store(reply(said));
  yield stage.store(usage(1200, 340));
}

async function* toolTurn(
  stage: Stage,
  name: string,
  args: string,
  summary: string,
): AsyncGenerator<TurnEvent> {
  const call = { id: "call-1", name, arguments: args };
  yield { kind: "live", event: { type: "call.begin", id: call.id, name } };
  const content = [{ type: "tool_call" as const, ...call }];
  yield stage.store({
    type: "message.assistant",
    data: { content, status: "complete", stop: "calls" },
  });
  yield { kind: "live", event: { type: "tool.begin", call, title: `${name} running` } };
  for (let line = 1; line <= 20; line += 1) {
    yield { kind: "live", event: { type: "tool.output", id: call.id, chunk: `output ${line}\n` } };
  }
  await goOn.promise;
  yield stage.store({
    type: "message.tool",
    data: {
      toolCallId: call.id,
      name,
      content: [{ type: "text", text: "…" }],
      isError: false,
      tier: "warm",
      summary,
      durationMs: 8,
    },
  });
}

async function* failedTurn(stage: Stage): AsyncGenerator<TurnEvent> {
  const call = { id: "call-1", name: "bash", arguments: JSON.stringify({ command: "npm test" }) };
  const content = [{ type: "tool_call" as const, ...call }];
  yield stage.store({
    type: "message.assistant",
    data: { content, status: "complete", stop: "calls" },
  });
  yield stage.store({
    type: "message.tool",
    data: {
      toolCallId: call.id,
      name: call.name,
      content: [{ type: "text", text: "interrupted before it ran" }],
      isError: true,
      tier: "warm",
      summary: "interrupted before it ran",
      durationMs: 8,
    },
  });
}

async function stopped(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (!signal.aborted) await promise;
}

const script: Script = (stage) => {
  const chosen = SCRIPTS[stage.prompt.split(" ")[0] ?? ""];
  return (chosen ?? SCRIPTS["say"] ?? script)(stage);
};

const [name = "ask", prompt] = process.argv.slice(2);
const left = await runChat({
  open: (choice) => Promise.resolve(ok(scriptedPlace(nameOf(choice), script))),
  check: () => Promise.resolve(name === "no-model" ? missing("no model is chosen") : ok(undefined)),
  start: ["ask", "no-model"].includes(name) ? { kind: "ask" } : { kind: "new", name },
  prompt: prompt ?? null,
  sessions: () =>
    Promise.resolve([
      {
        id: "id-old",
        name: "older work",
        lastActivity: "2026-01-01T10:00:00Z",
        firstPrompt: "fix it",
      },
    ]),
  color: true,
  version: "0.0.0",
});
if (!left.ok) process.stderr.write(`${sentence(left.failure)}\n`);
if (name === "linger") {
  // A frame that is still due would be drawn in this time.
  await Bun.sleep(FRAMES_MS);
  process.stdout.write("the program goes on\n");
}
process.exit(left.ok ? left.value : 2);

function nameOf(choice: Parameters<Parameters<typeof runChat>[0]["open"]>[0]): string {
  switch (choice.kind) {
    case "new":
      return choice.name ?? "unnamed";
    case "resume":
      return choice.ref;
    case "continue":
      return "latest";
  }
}
