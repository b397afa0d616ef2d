// CodeWhisperer's messages to events: text, thinking, calls that say themselves when they are whole, usage and refusals.
import * as v from "valibot";
import { parseJson } from "../../base/json.ts";
import { assembler, type Assembler } from "../assemble.ts";
import type { ModelEvent, ProviderError, StopReason, Usage } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { awsRefusal, frameFault } from "./aws-errors.ts";
import { isRefusal, unended, unreadable } from "./bad-reply.ts";
import { flag, maybeAmount, part, text } from "./loose.ts";
import { streamError } from "./openai-errors.ts";

const Event = v.object({
  content: text,
  text,
  toolUseId: text,
  name: text,
  input: text,
  stop: flag,
  stopReason: text,
  message: text,
  reason: text,
  tokenUsage: part({
    uncachedInputTokens: maybeAmount,
    outputTokens: maybeAmount,
    cacheReadInputTokens: maybeAmount,
    cacheWriteInputTokens: maybeAmount,
  }),
});
type Event = v.InferOutput<typeof Event>;
type TokenUsage = NonNullable<Event["tokenUsage"]>;

export async function* decodeCodewhisperer(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  newCallId: () => string,
): AsyncGenerator<ModelEvent> {
  if (isRefusal(head)) {
    yield { type: "failed", error: await awsRefusal(head, frames) };
    return;
  }
  const state: State = {
    calls: assembler(newCallId),
    open: new Set(),
    sawAnything: false,
    stopReason: "",
    usage: null,
    error: null,
  };
  for await (const frame of frames) {
    for (const event of takeFrame(state, head, frame)) yield event;
    if (state.error !== null) break;
  }
  yield* endOf(state, head);
}

type State = {
  calls: Assembler;
  /** Ids of the calls that are not whole yet. */
  open: Set<string>;
  sawAnything: boolean;
  /** Empty while none came: some replies end without. */
  stopReason: string;
  usage: TokenUsage | null;
  error: ProviderError | null;
};

function takeFrame(state: State, head: ReplyHead, frame: Frame): ModelEvent[] {
  const value = parseJson(frame.data);
  const read = v.safeParse(Event, value);
  state.error =
    frameFault(head, frame, value) ?? (read.success ? null : unreadable(head, frame.data));
  if (state.error !== null || !read.success) return [];
  const event = read.output;
  state.sawAnything = true;
  switch (frame.event) {
    case "assistantResponseEvent":
      return event.content === "" ? [] : [{ type: "text", delta: event.content }];
    case "reasoningContentEvent":
      return event.text === "" ? [] : [{ type: "thinking", delta: event.text }];
    case "toolUseEvent":
      return takeCall(state, event);
    case "metadataEvent":
      state.stopReason = event.stopReason || state.stopReason;
      state.usage = event.tokenUsage ?? state.usage;
      return [];
    case "invalidStateEvent":
      state.error = streamError(head, "bad_request", refusalOf(event));
      return [];
    default:
      // Citations, credits and the like, and what is newer than this.
      return [];
  }
}

function refusalOf({ message, reason }: Event): string {
  return `the provider cannot go on with this conversation: ${message || reason || "no cause given"}`;
}

function takeCall(state: State, { toolUseId: id, name, input, stop }: Event): ModelEvent[] {
  if (stop) state.open.delete(id);
  else state.open.add(id);
  return state.calls.add({ index: null, id, name, arguments: input });
}

function endOf(state: State, head: ReplyHead): ModelEvent[] {
  const usage: ModelEvent[] = state.usage ? [{ type: "usage", usage: usageOf(state.usage) }] : [];
  const isWhole = state.sawAnything && (state.open.size === 0 || state.stopReason === "MAX_TOKENS");
  const error = state.error ?? (isWhole ? null : unended(head, state.sawAnything));
  if (error !== null) return [...usage, { type: "failed", error }];
  const calls = state.calls.finish();
  return [
    ...calls.map((call) => ({ type: "call", call }) as const),
    ...usage,
    { type: "stop", reason: stopOf(state.stopReason, calls.length > 0) },
  ];
}

function stopOf(reason: string, hasCalls: boolean): StopReason {
  switch (reason) {
    case "MAX_TOKENS":
    case "MODEL_CONTEXT_WINDOW_EXCEEDED":
      return "length";
    case "CONTENT_FILTERED":
      return "filter";
    case "PAUSE_TURN":
      return "paused";
    default:
      return hasCalls ? "calls" : "end";
  }
}

function usageOf(usage: TokenUsage): Usage {
  const cacheRead = usage.cacheReadInputTokens ?? 0;
  const cacheWrite = usage.cacheWriteInputTokens ?? 0;
  return {
    input: (usage.uncachedInputTokens ?? 0) + cacheRead + cacheWrite,
    cacheRead,
    cacheWrite,
    output: usage.outputTokens ?? 0,
    reasoning: 0,
    costUsd: null,
  };
}
