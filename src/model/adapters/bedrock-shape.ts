// The shapes of ConverseStream's events, read loosely.
import * as v from "valibot";
import { maybeAmount, part, text } from "./loose.ts";

const Event = v.object({
  contentBlockIndex: maybeAmount,
  start: part({ toolUse: part({ toolUseId: text, name: text }) }),
  delta: part({
    text,
    toolUse: part({ input: text }),
    reasoningContent: part({ text, signature: text, redactedContent: text }),
  }),
  stopReason: text,
  usage: part({
    inputTokens: maybeAmount,
    outputTokens: maybeAmount,
    cacheReadInputTokens: maybeAmount,
    cacheWriteInputTokens: maybeAmount,
  }),
});

export type BedrockEvent = v.InferOutput<typeof Event>;
export type BedrockUsage = NonNullable<BedrockEvent["usage"]>;
export type ReasoningDelta = NonNullable<NonNullable<BedrockEvent["delta"]>["reasoningContent"]>;

/** Null when the value is no object. */
export function readEvent(value: unknown): BedrockEvent | null {
  const read = v.safeParse(Event, value);
  return read.success ? read.output : null;
}
