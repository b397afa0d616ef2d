// `burin -p`: reads the prompt, opens the session, and runs one turn behind the chosen output.
import { openPlace } from "../app/open.ts";
import type { Opening } from "../app/opening.ts";
import { invalid } from "../base/failure.ts";
import { err } from "../host/out.ts";
import { isTerminal } from "../host/terminal.ts";
import { readPrompt } from "../headless/input.ts";
import { runHeadless } from "../headless/run.ts";
import type { Sink } from "../headless/sink.ts";
import { textSink } from "../headless/text.ts";
import { choiceOf } from "./choice.ts";
import { refuse } from "./exit.ts";
import type { RunArgs } from "./run-args.ts";
import type { Settled } from "./settle.ts";

/** Shorter prompts fit every model: the catalogue need not be loaded. */
const LONG_PROMPT_CHARS = 16_000;
const CHARS_PER_TOKEN = 4;

export async function runHeadlessly(given: RunArgs, settled: Settled): Promise<number> {
  const { args, words } = given;
  const { opening, headlessAsk: ask } = settled;
  const isQuiet = args.quiet === true;
  const input = await readPrompt({ argument: words[0] ?? null, forced: args.stdin ?? null });
  if (!input.ok) return refuse(input.failure);
  const { prompt, note } = input.value;
  if (note !== null && !isQuiet) err(`burin: ${note}\n`);
  const choice = choiceOf(given) ?? { kind: "new", name: args.name ?? null };
  const place = await openPlace({ ...opening, chooseModel: fitting(prompt, opening) }, choice);
  if (!place.ok) return refuse(place.failure);
  const sink = await sinkFor(given, isQuiet);
  const code = await runHeadless({ place: place.value, prompt, sink, ask, isQuiet });
  await place.value.close();
  return code;
}

/**
 * The chooser, which takes no model with a window that the prompt does not fit in: a session is opened only after its
 * model was chosen, so that nothing is left behind. An unknown window fits.
 */
function fitting(prompt: string, { chooseModel }: Opening): Opening["chooseModel"] {
  if (prompt.length < LONG_PROMPT_CHARS) return chooseModel;
  const tokens = Math.ceil(prompt.length / CHARS_PER_TOKEN);
  return async (stored) => {
    const chosen = await chooseModel(stored);
    if (!chosen.ok) return chosen;
    const window = await chosen.value.window();
    if (window === null || tokens <= window) return chosen;
    return invalid(
      `the prompt has about ${tokens} tokens, but the window of this model holds ${window}: give less, or name a model with a larger window`,
    );
  };
}

async function sinkFor({ args }: RunArgs, isQuiet: boolean): Promise<Sink> {
  const form = args.json ? "json" : (args.output ?? "text");
  switch (form) {
    case "json":
      return (await import("../headless/json.ts")).jsonSink(isQuiet);
    case "stream-json":
      return (await import("../headless/stream.ts")).streamSink(isQuiet);
    case "text":
      return textSink({ isQuiet, render: await renderer(args.color) });
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
