// The shape of Ollama's replies, read loosely.
import * as v from "valibot";
import { anything, flag, maybeAmount, part, parts, text } from "./loose.ts";

const Chunk = v.object({
  model: text,
  message: part({
    content: text,
    thinking: text,
    tool_calls: parts({ id: text, function: part({ name: text, arguments: anything }) }),
  }),
  done: flag,
  done_reason: text,
  prompt_eval_count: maybeAmount,
  eval_count: maybeAmount,
  error: anything,
});

export type OllamaChunk = v.InferOutput<typeof Chunk>;
export type OllamaCall = NonNullable<OllamaChunk["message"]>["tool_calls"][number];

/** A line of the stream; null when the value is no object. */
export function readOllamaChunk(value: unknown): OllamaChunk | null {
  const read = v.safeParse(Chunk, value);
  return read.success ? read.output : null;
}
