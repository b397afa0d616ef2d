// ConverseStream's messages to events: text, thinking with its signatures, calls, usage and exceptions.
import { parseJson } from "../../base/json.ts";
import { assembler, type Assembler } from "../assemble.ts";
import type { ModelEvent, ProviderError, StopReason, Usage } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { awsRefusal, frameFault } from "./aws-errors.ts";
import { isRefusal, unended, unreadable } from "./bad-reply.ts";
import {
  readEvent,
  type BedrockEvent,
  type BedrockUsage,
  type ReasoningDelta,
} from "./bedrock-shape.ts";
import { streamError } from "./openai-errors.ts";

export async function* decodeBedrock(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  newCallId: () => string,
): AsyncGenerator<ModelEvent> {
  if (isRefusal(head)) {
    yield { type: "failed", error: await awsRefusal(head, frames) };
    return;
  }
  const id = head.headers["x-amzn-requestid"];
  if (id !== undefined) yield { type: "response", id, model: null };
  const state: State = {
    calls: assembler(newCallId),
    thought: NO_THOUGHT,
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
  /** The thinking of the block in progress, which goes back as a whole. */
  thought: Thought;
  sawAnything: boolean;
  stopReason: string;
  usage: BedrockUsage | null;
  error: ProviderError | null;
};

type Thought = { text: string; signature: string; redacted: string };

const NO_THOUGHT: Thought = { text: "", signature: "", redacted: "" };

function takeFrame(state: State, head: ReplyHead, frame: Frame): ModelEvent[] {
  const value = parseJson(frame.data);
  const event = readEvent(value);
  // After the reason to stop, what is damaged can only have held figures.
  const isDamage = event === null || frame.event === "damaged";
  if (isDamage && state.stopReason !== "") return [];
  state.error = frameFault(head, frame, value);
  if (state.error !== null) return [];
  if (event !== null) return takeEvent(state, frame.event, event);
  state.error = unreadable(head, frame.data);
  return [];
}

function takeEvent(state: State, name: string, event: BedrockEvent): ModelEvent[] {
  state.sawAnything = true;
  switch (name) {
    case "contentBlockStart":
      return startBlock(state, event);
    case "contentBlockDelta":
      return takeDelta(state, event);
    case "contentBlockStop":
      return endThought(state);
    case "messageStop":
      state.stopReason = event.stopReason || "end_turn";
      return endThought(state);
    case "metadata":
      state.usage = event.usage ?? state.usage;
      return [];
    default:
      // The start of the message says only whose it is; what is new must not stop what is known.
      return [];
  }
}

function startBlock(state: State, { contentBlockIndex, start }: BedrockEvent): ModelEvent[] {
  const call = start?.toolUse ?? null;
  if (call === null) return [];
  const { toolUseId: id, name } = call;
  return state.calls.add({ index: contentBlockIndex, id, name, arguments: undefined });
}

function takeDelta(state: State, { contentBlockIndex, delta }: BedrockEvent): ModelEvent[] {
  if (delta === null) return [];
  const events: ModelEvent[] = [];
  if (delta.reasoningContent !== null) events.push(...think(state, delta.reasoningContent));
  if (delta.text !== "") events.push({ type: "text", delta: delta.text });
  if (delta.toolUse !== null) {
    const { input } = delta.toolUse;
    const piece = { index: contentBlockIndex, id: "", name: "", arguments: input };
    events.push(...state.calls.add(piece));
  }
  return events;
}

function think(state: State, { text, signature, redactedContent }: ReasoningDelta): ModelEvent[] {
  state.thought = {
    text: state.thought.text + text,
    signature: state.thought.signature + signature,
    redacted: state.thought.redacted + redactedContent,
  };
  return text === "" ? [] : [{ type: "thinking", delta: text }];
}

/** Thinking without a signature is of models that do not want it back. */
function endThought(state: State): ModelEvent[] {
  const { text, signature, redacted } = state.thought;
  state.thought = NO_THOUGHT;
  if (redacted !== "") {
    return [{ type: "keep", of: "reasoning", item: { redactedContent: redacted } }];
  }
  if (signature === "") return [];
  return [{ type: "keep", of: "reasoning", item: { reasoningText: { text, signature } } }];
}

function endOf(state: State, head: ReplyHead): ModelEvent[] {
  const usage: ModelEvent[] = state.usage ? [{ type: "usage", usage: usageOf(state.usage) }] : [];
  const error = state.error ?? missingEnd(state, head);
  if (error !== null) return [...usage, { type: "failed", error }];
  const calls = state.calls.finish();
  return [
    ...calls.map((call) => ({ type: "call", call }) as const),
    ...usage,
    { type: "stop", reason: stopOf(state.stopReason, calls.length > 0) },
  ];
}

function missingEnd(state: State, head: ReplyHead): ProviderError | null {
  if (state.stopReason === "") return unended(head, state.sawAnything);
  if (!state.stopReason.startsWith("malformed_")) return null;
  return streamError(head, "server", "the model wrote something that Bedrock could not read");
}

function stopOf(reason: string, hasCalls: boolean): StopReason {
  switch (reason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "guardrail_intervened":
    case "content_filtered":
      return "filter";
    case "refusal":
      return "refusal";
    default:
      return hasCalls ? "calls" : "end";
  }
}

/** Bedrock counts what was read from or written to the cache apart. */
function usageOf(usage: BedrockUsage): Usage {
  const cacheRead = usage.cacheReadInputTokens ?? 0;
  const cacheWrite = usage.cacheWriteInputTokens ?? 0;
  return {
    input: (usage.inputTokens ?? 0) + cacheRead + cacheWrite,
    cacheRead,
    cacheWrite,
    output: usage.outputTokens ?? 0,
    reasoning: 0,
    costUsd: null,
  };
}
