// One tool call: find the tool, check its arguments, run it behind a wall, and turn every failure into a result.
import { messageOf, sentence } from "../base/failure.ts";
import type { Queue } from "../base/queue.ts";
import type { ToolCall } from "../model/event.ts";
import type { Output, Prepared, Tool } from "../tools/tool.ts";
import { live, type TurnEvent } from "./event.ts";
import type { CallKit } from "./kit.ts";

export type Ready = { isReady: true; call: ToolCall; tool: Tool; prepared: Prepared };
export type Checked = Ready | { isReady: false; call: ToolCall; refused: Output };

/** Finds the tool and lets it check the arguments; nothing has run and nothing is judged yet. */
export async function check(call: ToolCall, kit: CallKit): Promise<Checked> {
  const tool = kit.tool(call.name);
  if (!tool) {
    const known = kit.toolNames.join(", ");
    return {
      isReady: false,
      call,
      refused: refusal(`there is no tool ${call.name}; use one of ${known}`),
    };
  }
  const input = parseArguments(call);
  if (!input.isJson) {
    const text = `the arguments of ${tool.name} are not valid JSON (${input.why}): nothing was run; send the call again, whole`;
    return { isReady: false, call, refused: refusal(text) };
  }
  try {
    const prepared = await tool.prepare(
      input.value,
      kit.toolKit(kit.signal, () => undefined),
    );
    if (prepared.ok) return { isReady: true, call, tool, prepared: prepared.value };
    return { isReady: false, call, refused: refusal(sentence(prepared.failure)) };
  } catch (error) {
    return { isReady: false, call, refused: refusal(bugText(tool, error)) };
  }
}

/** Strict: cut or broken arguments are never repaired into something to run. An empty text means no arguments. */
function parseArguments(
  call: ToolCall,
): { isJson: true; value: unknown } | { isJson: false; why: string } {
  try {
    const value: unknown = call.arguments.trim() === "" ? {} : JSON.parse(call.arguments);
    return { isJson: true, value };
  } catch (error) {
    return { isJson: false, why: messageOf(error) };
  }
}

/** Runs the call; whatever it ends with becomes a result. */
export async function runCall(
  ready: Ready,
  kit: CallKit,
  events: Queue<TurnEvent>,
): Promise<Output> {
  const { call, prepared } = ready;
  events.push(live({ type: "tool.begin", call, title: prepared.title }));
  const show = (chunk: string): void =>
    events.push(live({ type: "tool.output", id: call.id, chunk }));
  try {
    const result = await prepared.run(kit.toolKit(kit.signal, show));
    if (result.ok) return result.value;
    return refusal(kit.signal.aborted ? "interrupted by the user" : sentence(result.failure));
  } catch (error) {
    return refusal(bugText(ready.tool, error));
  }
}

/** An exception around a tool is a bug, and becomes a result like any failure. */
export function bugText(tool: Tool, error: unknown): string {
  return `${tool.name} failed inside burin (a bug): ${messageOf(error)}`;
}

/** A result that says why there is none; `word` is for the one-line display where the text is for the model. */
export function refusal(text: string, word: string | null = null): Output {
  const short = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  const summary = word ?? short.replaceAll("\n", " ");
  return { parts: [{ type: "text", text }], isError: true, summary };
}
