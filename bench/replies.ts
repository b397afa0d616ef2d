// What the benchmark's model server answers, as chunks of an OpenAI chat stream: a word, a tool call, or very many deltas.

const EVENTS_PER_WRITE = 100;

// Ten characters a delta, as models send it: prose with some Markdown in it.
const PARAGRAPH = [
  "The **quick** brown fox jumps over `the lazy dog` and goes on to see what lies behind the next hill.",
  "- one item of a list that says *something* about a file",
  "- another with `code()` in it",
  "",
  "",
].join("\n");
const DELTA_CHARS = 10;

/** The last words of every text, so that a reader can tell when all of it was shown. */
export const LAST_WORDS = "that is all";

function chunk(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "bench", object: "chat.completion.chunk", model: "bench", choices })}\n\n`;
}

function end(finish: string): string[] {
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const last = { id: "bench", object: "chat.completion.chunk", model: "bench", choices: [], usage };
  return [chunk({}, finish), `data: ${JSON.stringify(last)}\n\n`, "data: [DONE]\n\n"];
}

export function textReply(): string[] {
  return [chunk({ role: "assistant", content: `${LAST_WORDS}\n` }, null), ...end("stop")];
}

export function callReply(id: string, command: string): string[] {
  const call = {
    index: 0,
    id,
    type: "function",
    function: { name: "bash", arguments: JSON.stringify({ command }) },
  };
  return [chunk({ role: "assistant", tool_calls: [call] }, null), ...end("tool_calls")];
}

/** `count` deltas, joined to writes of a hundred events. */
export function longReply(count: number): string[] {
  const length = count * DELTA_CHARS;
  const text = PARAGRAPH.repeat(Math.ceil(length / PARAGRAPH.length)).slice(0, length);
  const events: string[] = [];
  for (let at = 0; at < length; at += DELTA_CHARS)
    events.push(chunk({ content: text.slice(at, at + DELTA_CHARS) }, null));
  events.push(chunk({ content: `\n\n${LAST_WORDS}\n` }, null), ...end("stop"));
  const writes: string[] = [];
  for (let at = 0; at < events.length; at += EVENTS_PER_WRITE)
    writes.push(events.slice(at, at + EVENTS_PER_WRITE).join(""));
  return writes;
}
