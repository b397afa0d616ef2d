// From the command line into the chat: is there a terminal, which session is meant, and then until the person leaves.
import type { Choice } from "../app/place.ts";
import { invalid, ok, type Result } from "../base/failure.ts";
import { environment, type Environment } from "../host/env.ts";
import { isTerminal, openTty } from "../host/terminal.ts";
import { Terminal } from "../term/terminal.ts";
import type { ChatOptions } from "./chat.ts";
import { askName, askSession } from "./name-prompt.ts";

/** Runs until the person leaves; the exit code. Fails where it could not begin. */
export async function runChat(options: ChatOptions): Promise<Result<number>> {
  const env = environment();
  if (!(await isInteractive(env))) {
    return invalid(
      'the chat needs a terminal that can move its cursor: for pipes and scripts use burin -p "…"',
    );
  }
  // Before a name is asked for that would be of no use.
  const ready = options.start.kind === "ask" ? await options.check() : ok(undefined);
  if (!ready.ok) return ready;
  using terminal = new Terminal(await openTty(), env);
  const choice = await firstChoice(options, terminal);
  if (choice === null) return ok(0);
  const opened = await options.open(choice);
  if (!opened.ok) return opened;
  // Not before the first question is on the screen.
  const { Chat } = await import("./chat.ts");
  using chat = new Chat(options, terminal, opened.value);
  return ok(await chat.run());
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
