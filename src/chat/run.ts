// From the command line into the chat: is there a terminal, which session is meant, and then until the person leaves.
import type { Choice } from "../app/place.ts";
import { sentence } from "../base/failure.ts";
import { environment, type Environment } from "../host/env.ts";
import { err } from "../host/out.ts";
import { isTerminal, openTty } from "../host/terminal.ts";
import { Terminal } from "../term/terminal.ts";
import type { ChatOptions } from "./chat.ts";
import { askName, askSession } from "./name-prompt.ts";

const FAILED = 2;

/** Runs until the person leaves; the exit code. */
export async function runChat(options: ChatOptions): Promise<number> {
  const env = environment();
  if (!(await isInteractive(env))) {
    err("The chat needs a terminal that can move its cursor; use burin -p PROMPT here.\n");
    return FAILED;
  }
  using terminal = new Terminal(await openTty(), env);
  const choice = await firstChoice(options, terminal);
  if (choice === null) return 0;
  const opened = await options.open(choice);
  if (!opened.ok) {
    err(`${sentence(opened.failure)}\n`);
    return FAILED;
  }
  // Not before the first question is on the screen.
  const { Chat } = await import("./chat.ts");
  using chat = new Chat(options, terminal, opened.value);
  return await chat.run();
}

/** Both ends are terminals, and one that can move its cursor. */
async function isInteractive(env: Environment): Promise<boolean> {
  return env["TERM"] !== "dumb" && (await isTerminal(0)) && (await isTerminal(1));
}

async function firstChoice(
  { start, sessions }: ChatOptions,
  terminal: Terminal,
): Promise<Choice | null> {
  if (start.kind === "ask") return askName(terminal);
  if (start.kind === "pick") return askSession(terminal, await sessions());
  return start;
}
