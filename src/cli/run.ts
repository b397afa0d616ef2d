// A run: chat, or with -p one headless answer.
import { openPlace } from "../app/open.ts";
import type { Choice } from "../app/place.ts";
import type { Listed } from "../chat/name-prompt.ts";
import type { ChatOptions } from "../chat/chat.ts";
import type { Row } from "../session/row.ts";
import { err } from "../host/out.ts";
import { isTerminal } from "../host/terminal.ts";
import { refuse, refuseText } from "./exit.ts";
import type { RunArgs } from "./run-args.ts";
import { settle, type Settled } from "./settle.ts";

export async function run(given: RunArgs): Promise<number> {
  const conflict = conflictIn(given);
  if (conflict !== null) return refuseText(conflict);
  const settled = settle(given);
  if (!settled.ok) return refuse(settled.failure);
  if (!given.args.quiet) {
    for (const warning of settled.value.warnings) err(`burin: ${warning}\n`);
  }
  return given.args.print ? headless(given, settled.value) : chat(given, settled.value);
}

function conflictIn({ args }: RunArgs): string | null {
  if (args.continue && args.resume !== undefined) return "give one of --continue and --resume";
  if (args.json && args.output !== undefined && args.output !== "json") {
    return `--json and --output ${args.output} contradict each other: give one of them`;
  }
  if (args["read-only"] && args.mode !== undefined && args.mode !== "readonly") {
    return `--read-only and --mode ${args.mode} contradict each other: give one of them`;
  }
  if (args.print && args.resume === "") {
    return "-p cannot show a picker: give --resume an id or a name (burin sessions lists them)";
  }
  const isOld = args.continue || args.resume !== undefined;
  if (isOld && args.name !== undefined) return "--name is for a new session: leave it out here";
  return null;
}

async function headless(given: RunArgs, { opening, headlessAsk }: Settled): Promise<number> {
  const { args } = given;
  const { readPrompt } = await import("../headless/input.ts");
  const input = await readPrompt({ argument: given.words[0] ?? null, forced: args.stdin ?? null });
  if (!input.ok) return refuse(input.failure);
  const isQuiet = args.quiet ?? false;
  if (input.value.note !== null && !isQuiet) err(`burin: ${input.value.note}\n`);
  const place = await openPlace(
    opening,
    choiceOf(given) ?? { kind: "new", name: args.name ?? null },
  );
  if (!place.ok) return refuse(place.failure);
  const { runHeadless } = await import("../headless/run.ts");
  const code = await runHeadless({
    place: place.value,
    prompt: input.value.prompt,
    sink: await sinkFor(given, isQuiet),
    ask: headlessAsk,
    isQuiet,
  });
  await place.value.close();
  return code;
}

async function sinkFor({ args }: RunArgs, isQuiet: boolean) {
  const form = args.json ? "json" : (args.output ?? "text");
  switch (form) {
    case "json":
      return (await import("../headless/json.ts")).jsonSink(isQuiet);
    case "stream-json":
      return (await import("../headless/stream.ts")).streamSink(isQuiet);
    case "text": {
      const { textSink } = await import("../headless/text.ts");
      return textSink({ isQuiet, render: await renderer(args.color) });
    }
  }
}

/** On a terminal the answer is rendered; in a pipe it stays Markdown. */
async function renderer(
  isColored: boolean,
): Promise<((markdown: string) => Promise<string>) | null> {
  if (!(await isTerminal(1))) return null;
  const { renderAnswer } = await import("../headless/render.ts");
  return (markdown) => renderAnswer(markdown, isColored);
}

async function chat(given: RunArgs, { opening }: Settled): Promise<number> {
  if (!(await isTerminal(0)) || !(await isTerminal(1))) {
    return refuseText('the chat needs a terminal: for pipes and scripts use burin -p "…"');
  }
  const { args, words } = given;
  const { listSessions } = await import("../session/shelf.ts");
  const sessions = (): Promise<Listed[]> =>
    Promise.resolve(listSessions(opening.shelf).map(listedOf));
  const { runChat } = await import("../chat/run.ts");
  return runChat({
    open: (wanted) => openPlace(opening, wanted),
    start: startOf(given),
    prompt: words[0] ?? null,
    sessions,
    color: args.color,
    version: opening.version,
  });
}

function startOf(given: RunArgs): ChatOptions["start"] {
  const { args } = given;
  if (args.resume === "") return { kind: "pick" };
  const old = choiceOf(given);
  if (old !== null) return old;
  return args.name === undefined ? { kind: "ask" } : { kind: "new", name: args.name };
}

/** The old session that is meant; null for a new one. */
function choiceOf({ args }: RunArgs): Exclude<Choice, { kind: "new" }> | null {
  if (args.continue) return { kind: "continue" };
  return args.resume === undefined ? null : { kind: "resume", ref: args.resume };
}

function listedOf({ id, name, lastActivity, firstPrompt }: Row): Listed {
  return { id, name: name ?? "", lastActivity, firstPrompt: firstPrompt ?? "" };
}
