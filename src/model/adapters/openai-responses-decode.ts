// Responses replies to events: streams of items, whole bodies and errors.
import { parseJson } from "../../base/json.ts";
import type { ModelEvent, ProviderError, StopReason, Usage } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { isRefusal, refusal, unended, unreadable } from "./bad-reply.ts";
import { providerError, streamError } from "./openai-errors.ts";
import { responsesProblem } from "./openai-responses-errors.ts";
import {
  emptyItem,
  ending,
  growCall,
  itemOf,
  name,
  settleCall,
  think,
  waitsForCaller,
  type Item,
  type OwnId,
} from "./openai-responses-items.ts";
import {
  readEvent,
  readItem,
  readReply,
  type WireEvent,
  type WireReply,
  type WireUsage,
} from "./openai-responses-shape.ts";

type State = {
  /** Those that have not ended. */
  open: Map<string, Item>;
  ownId: OwnId;
  hasItems: boolean;
  hasCalls: boolean;
  refusal: string;
  sawResponse: boolean;
  usage: WireUsage | null;
  stop: StopReason | null;
  error: ProviderError | null;
  /** Nothing that could still come matters. */
  isOver: boolean;
};

export async function* decodeResponses(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  newCallId: () => string,
): AsyncGenerator<ModelEvent> {
  if (isRefusal(head)) {
    yield { type: "failed", error: await refusal(head, frames, responsesProblem) };
    return;
  }
  const state: State = {
    open: new Map(),
    ownId: distinct(newCallId),
    hasItems: false,
    hasCalls: false,
    refusal: "",
    sawResponse: false,
    usage: null,
    stop: null,
    error: null,
    isOver: false,
  };
  for await (const frame of frames) {
    yield* takeFrame(state, head, frame);
    if (state.isOver) break;
  }
  yield* endOf(state, head);
}

/** Two calls of one reply must not share an id: their results could not be told apart. */
function distinct(newCallId: () => string): OwnId {
  const known = new Set<string>();
  return (given) => {
    const id = given === "" || known.has(given) ? newCallId() : given;
    known.add(id);
    return id;
  };
}

function* takeFrame(state: State, head: ReplyHead, frame: Frame): Generator<ModelEvent> {
  const text = frame.data.trim();
  if (text === "" || text === "[DONE]") return;
  const value = parseJson(text);
  if (value === undefined) return fail(state, unreadable(head, text));
  const event = readEvent(value);
  if (event === null) return;
  const reply = event.type === "" ? readReply(value) : null;
  if (reply !== null) yield* endReply(state, head, reply);
  else if (isError(frame, event)) fail(state, providerError(head, responsesProblem(value)));
  else yield* takeEvent(state, head, event);
}

function isError(frame: Frame, { type, error }: WireEvent): boolean {
  return frame.event === "error" || type === "error" || isSaid(error);
}

function isSaid(error: unknown): boolean {
  return error !== undefined && error !== null && error !== "" && error !== false;
}

function fail(state: State, error: ProviderError): void {
  state.error = error;
  state.isOver = true;
}

/** Events of kinds that came later than this are passed over. */
function* takeEvent(state: State, head: ReplyHead, event: WireEvent): Generator<ModelEvent> {
  const last = ENDS[event.type];
  if (event.response === null) yield* TAKES[event.type]?.(state, event) ?? [];
  else if (last === undefined) yield* beginReply(state, event.response);
  else yield* endReply(state, head, { ...event.response, status: last || event.response.status });
}

/** The last events, and what they say of how the reply ended where it does not say so itself. */
const ENDS: Readonly<Record<string, string>> = {
  "response.completed": "",
  "response.done": "",
  "response.incomplete": "incomplete",
  "response.failed": "failed",
  "response.cancelled": "cancelled",
};

type Take = (state: State, event: WireEvent) => Iterable<ModelEvent>;

const TAKES: Readonly<Record<string, Take>> = {
  "response.output_item.added": begin,
  "response.output_item.done": finish,
  *"response.output_text.delta"(state, event) {
    const item = growing(state, event, "message");
    if (item.kind !== "message" || event.delta === "") return;
    item.isShown = true;
    yield { type: "text", delta: event.delta };
  },
  "response.refusal.delta"(state, event) {
    const item = growing(state, event, "message");
    if (item.kind === "message") item.refusal += event.delta;
    return [];
  },
  *"response.reasoning_summary_text.delta"(state, event) {
    const item = growing(state, event, "reasoning");
    const { summary_index: piece, delta } = event;
    if (item.kind === "reasoning") yield* think(item, "summary", { piece, delta });
  },
  *"response.reasoning_text.delta"(state, event) {
    const item = growing(state, event, "reasoning");
    const { content_index: piece, delta } = event;
    if (item.kind === "reasoning") yield* think(item, "text", { piece, delta });
  },
  *"response.function_call_arguments.delta"(state, event) {
    const item = growing(state, event, "call");
    if (item.kind === "call") yield* growCall(item, event.delta);
  },
  *"response.function_call_arguments.done"(state, event) {
    const item = growing(state, event, "call");
    if (item.kind === "call") yield* settleCall(item, event.arguments);
  },
};

/** By its place, which is more reliable than its id: some servers give another id with every event. */
function keyOf({ output_index, item_id, item }: WireEvent): string {
  return output_index === null ? item_id || readItem(item).id : `#${output_index}`;
}

/** The item that an event is about; pieces can come before their item does. */
function growing(state: State, event: WireEvent, kind: "message" | "reasoning" | "call"): Item {
  const key = keyOf(event);
  const item = state.open.get(key) ?? emptyItem(kind);
  state.open.set(key, item);
  state.hasItems = true;
  return item;
}

function* begin(state: State, event: WireEvent): Generator<ModelEvent> {
  const key = keyOf(event);
  const read = readItem(event.item);
  const item = state.open.get(key) ?? itemOf(read);
  state.open.set(key, item);
  state.hasItems = true;
  if (item.kind === "call") yield* name(item, read, state.ownId);
}

function* finish(state: State, event: WireEvent): Generator<ModelEvent> {
  const key = keyOf(event);
  const item = state.open.get(key) ?? itemOf(readItem(event.item));
  state.open.delete(key);
  yield* close(state, item, event.item);
}

function* close(state: State, item: Item, raw: unknown): Generator<ModelEvent> {
  const read = readItem(raw);
  state.hasItems = true;
  yield* ending(item, { read, raw, ownId: state.ownId });
  if (item.kind === "message") state.refusal += item.refusal;
  if (item.kind === "call" || waitsForCaller(read)) state.hasCalls = true;
}

function* beginReply(state: State, { id, model, usage }: WireReply): Generator<ModelEvent> {
  state.usage = usage ?? state.usage;
  if (state.sawResponse || (id === "" && model === "")) return;
  state.sawResponse = true;
  yield { type: "response", id: id || null, model: model || null };
}

function* endReply(state: State, head: ReplyHead, reply: WireReply): Generator<ModelEvent> {
  yield* beginReply(state, reply);
  state.isOver = true;
  state.error = failureOf(head, reply);
  if (state.error !== null) return;
  // An item that nothing ended is as whole as the reply is; a reply without a stream has its items here.
  for (const item of state.open.values()) yield* close(state, item, undefined);
  if (!state.hasItems) {
    for (const raw of reply.output) yield* close(state, itemOf(readItem(raw)), raw);
  }
  const said = state.hasCalls ? "calls" : "end";
  state.stop = cutOf(reply) ?? (state.refusal === "" ? said : "refusal");
}

function failureOf(head: ReplyHead, { status, error }: WireReply): ProviderError | null {
  if (status === "cancelled") return streamError(head, "server", "the provider gave the reply up");
  if (status !== "failed" && !isSaid(error)) return null;
  return providerError(head, responsesProblem({ error }));
}

function cutOf({ status, incomplete_details }: WireReply): StopReason | null {
  const reason = incomplete_details?.reason ?? "";
  if (reason === "content_filter") return "filter";
  return status === "incomplete" || reason !== "" ? "length" : null;
}

function* endOf(state: State, head: ReplyHead): Generator<ModelEvent> {
  if (state.usage) yield { type: "usage", usage: usageOf(state.usage) };
  if (state.error === null && state.stop !== null) {
    const because = state.refusal === "" ? {} : { because: state.refusal };
    yield { type: "stop", reason: state.stop, ...because };
  } else yield { type: "failed", error: state.error ?? unended(head, state.hasItems) };
}

const USD_PER_TICK = 1e-10;

function usageOf(usage: WireUsage): Usage {
  return {
    input: usage.input_tokens ?? 0,
    cacheRead: usage.input_tokens_details?.cached_tokens ?? 0,
    cacheWrite: usage.input_tokens_details?.cache_write_tokens ?? 0,
    output: usage.output_tokens ?? 0,
    reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
    costUsd: costOf(usage),
  };
}

function costOf({ cost, cost_in_usd_ticks: ticks }: WireUsage): number | null {
  return cost ?? (ticks === null ? null : ticks * USD_PER_TICK);
}
