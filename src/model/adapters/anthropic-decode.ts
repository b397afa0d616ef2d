// Messages replies to events: streams of content blocks, whole bodies and errors.
import { isRecord, parseJson } from "../../base/json.ts";
import type { ModelEvent, ProviderError, StopReason, Usage } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { beginning, blockOf, ending, grown, type Block } from "./anthropic-blocks.ts";
import { anthropicProblem } from "./anthropic-errors.ts";
import {
  readEvent,
  readGrowth,
  readReply,
  type WireEvent,
  type WireGrowth,
  type WireReply,
  type WireStop,
  type WireUsage,
} from "./anthropic-shape.ts";
import { isRefusal, refusal, unended, unreadable } from "./bad-reply.ts";
import { providerError, streamError } from "./openai-errors.ts";

type State = {
  blocks: Map<number, Block>;
  callIds: Set<string>;
  newCallId: () => string;
  usage: WireUsage | null;
  /** The reason given to stop; empty while none was. */
  stop: string;
  explanation: string;
  error: ProviderError | null;
  hasBegun: boolean;
  /** Nothing that could still come matters. */
  isOver: boolean;
};

export async function* decodeAnthropic(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  newCallId: () => string,
): AsyncGenerator<ModelEvent> {
  if (isRefusal(head)) {
    yield { type: "failed", error: await refusal(head, frames, anthropicProblem) };
    return;
  }
  const state: State = {
    blocks: new Map(),
    callIds: new Set(),
    newCallId,
    usage: null,
    stop: "",
    explanation: "",
    error: null,
    hasBegun: false,
    isOver: false,
  };
  for await (const frame of frames) {
    yield* takeFrame(state, head, frame);
    if (state.isOver) break;
  }
  yield* endOf(state, head);
}

function* takeFrame(state: State, head: ReplyHead, frame: Frame): Generator<ModelEvent> {
  const value = parseJson(frame.data);
  if (value === undefined) {
    // After the reason to stop, a damaged frame can only have held figures.
    if (frame.data.trim() !== "" && state.stop === "") fail(state, unreadable(head, frame.data));
    return;
  }
  const growth = frame.event === "error" ? null : readGrowth(value);
  if (growth === null) yield* takeOther(state, head, { value, isError: frame.event === "error" });
  else yield* grow(state, head, growth);
}

function* takeOther(
  state: State,
  head: ReplyHead,
  { value, isError }: { value: unknown; isError: boolean },
): Generator<ModelEvent> {
  const event = readEvent(value);
  if (event === null) return;
  if (isError || event.type === "error" || isRecord(event.error)) {
    fail(state, providerError(head, anthropicProblem(value)));
  } else if (event.type === "message") {
    yield* takeReply(state, readReply(value));
    state.stop ||= "end_turn";
    state.isOver = true;
  } else yield* takeEvent(state, head, event);
}

function fail(state: State, error: ProviderError): void {
  state.error = error;
  state.isOver = true;
}

/** Pings and events of kinds that came later than this are passed over. */
function* takeEvent(state: State, head: ReplyHead, event: WireEvent): Generator<ModelEvent> {
  const index = event.index ?? 0;
  switch (event.type) {
    case "message_start":
      yield* takeStart(state, head, event);
      return;
    case "content_block_start":
      yield* begin(state, index, event.content_block);
      return;
    case "content_block_stop":
      yield* close(state, index);
      return;
    case "message_delta":
      takeStop(state, event.delta);
      addUsage(state, event.usage);
      return;
    case "message_stop":
      state.isOver = true;
      // Where no reason was given, the calls tell.
      if (state.hasBegun) state.stop ||= "end_turn";
      return;
  }
}

function* takeStart(state: State, head: ReplyHead, { message }: WireEvent): Generator<ModelEvent> {
  if (state.hasBegun) {
    fail(state, streamError(head, "stream_cut", "the reply broke off: another one began in it"));
  } else if (message) yield* takeReply(state, message);
}

/** The head of a stream, which may hold blocks that are whole already, or a whole reply. */
function* takeReply(state: State, reply: WireReply): Generator<ModelEvent> {
  state.hasBegun = true;
  if (reply.id !== "" || reply.model !== "") {
    yield { type: "response", id: reply.id || null, model: reply.model || null };
  }
  addUsage(state, reply.usage);
  takeStop(state, reply);
  for (const [index, block] of reply.content.entries()) {
    yield* begin(state, index, block);
    yield* close(state, index);
  }
}

function takeStop(state: State, from: WireStop | WireReply | null): void {
  if (from === null) return;
  if (from.stop_reason !== "") state.stop = from.stop_reason;
  if (from.stop_details) state.explanation = from.stop_details.explanation;
}

function* begin(state: State, index: number, value: unknown): Generator<ModelEvent> {
  yield* close(state, index);
  const block = blockOf(value, (given) => ownId(state, given));
  if (block === null) return;
  state.hasBegun = true;
  state.blocks.set(index, block);
  yield* beginning(block);
}

/** Two calls of one reply must not share an id: their results could not be told apart. */
function ownId(state: State, given: string): string {
  const id = given === "" || state.callIds.has(given) ? state.newCallId() : given;
  state.callIds.add(id);
  return id;
}

/** Text without a beginning is text all the same; arguments are not. */
function* grow(state: State, head: ReplyHead, { index, delta }: WireGrowth): Generator<ModelEvent> {
  if (delta === null) return;
  state.hasBegun = true;
  const block = state.blocks.get(index ?? 0) ?? ({ kind: "text", begun: "" } as const);
  if (delta.type === "input_json_delta" && block.kind === "text") {
    const what = "the reply broke off: arguments came for a call that never began";
    fail(state, streamError(head, "stream_cut", what));
  } else yield* grown(block, delta);
}

function* close(state: State, index: number): Generator<ModelEvent> {
  const block = state.blocks.get(index);
  if (block === undefined) return;
  state.blocks.delete(index);
  yield* ending(block);
}

function* endOf(state: State, head: ReplyHead): Generator<ModelEvent> {
  const error = state.error ?? (state.stop === "" ? unended(head, state.hasBegun) : null);
  // A block that nothing ended is as whole as the reply is.
  if (error === null) for (const index of state.blocks.keys()) yield* close(state, index);
  if (state.usage) yield { type: "usage", usage: usageOf(state.usage) };
  if (error) {
    yield { type: "failed", error };
    return;
  }
  const reason = stopOf(state.stop) ?? (state.callIds.size > 0 ? "calls" : "end");
  yield state.explanation === ""
    ? { type: "stop", reason }
    : { type: "stop", reason, because: state.explanation };
}

/** Null where what was said decides. */
function stopOf(reason: string): StopReason | null {
  switch (reason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    case "pause_turn":
      return "paused";
    default:
      return null;
  }
}

/** Figures are running totals that never shrink, and each event has only some of them. */
function addUsage(state: State, usage: WireUsage | null): void {
  if (usage === null) return;
  const before = state.usage ?? usage;
  state.usage = {
    input_tokens: larger(before.input_tokens, usage.input_tokens),
    output_tokens: larger(before.output_tokens, usage.output_tokens),
    cache_creation_input_tokens: larger(
      before.cache_creation_input_tokens,
      usage.cache_creation_input_tokens,
    ),
    cache_read_input_tokens: larger(before.cache_read_input_tokens, usage.cache_read_input_tokens),
    output_tokens_details: usage.output_tokens_details ?? before.output_tokens_details,
  };
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** Here `input_tokens` are those that neither were read from the cache nor written to it. */
function usageOf(usage: WireUsage): Usage {
  const cacheRead = usage.cache_read_input_tokens ?? 0;
  const cacheWrite = usage.cache_creation_input_tokens ?? 0;
  return {
    input: (usage.input_tokens ?? 0) + cacheRead + cacheWrite,
    cacheRead,
    cacheWrite,
    output: usage.output_tokens ?? 0,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    costUsd: null,
  };
}
