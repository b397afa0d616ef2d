// Chat Completions replies to events: streams, whole bodies and errors, in the dialects of many servers.
import { assembler, type Assembler, type CallDelta } from "../assemble.ts";
import type { ModelEvent, ProviderError, StopReason, Usage } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import {
  readChunk,
  readError,
  speaksOfError,
  type ChatChoice,
  type ChatChunk,
  type ChatMessage,
  type ChatUsage,
  type ErrorShape,
} from "./openai-chat-shape.ts";
import { providerError, streamError } from "./openai-errors.ts";

/** The legacy `function_call` has no index: one of its own keeps it apart from `tool_calls`. */
const LEGACY_INDEX = -1;

export async function* decodeChat(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  newCallId: () => string,
): AsyncGenerator<ModelEvent> {
  if (head.status < 200 || head.status >= 300) {
    yield { type: "failed", error: refusedReply(head, await firstData(frames)) };
    return;
  }
  const reply = openReply(head, newCallId);
  for await (const frame of frames) {
    for (const event of reply.take(frame)) yield event;
    if (reply.isOver()) break;
  }
  yield* reply.end();
}

async function firstData(frames: AsyncIterable<Frame>): Promise<string> {
  for await (const frame of frames) return frame.data;
  return "";
}

type Reply = {
  take(frame: Frame): ModelEvent[];
  /** Nothing that could still come matters. */
  isOver(): boolean;
  end(): ModelEvent[];
};

type State = {
  calls: Assembler;
  /** The last reason given; empty while none was. */
  finish: string;
  refusal: string;
  usage: ChatUsage | null;
  error: ProviderError | null;
  sawResponse: boolean;
  sawChoice: boolean;
  isOver: boolean;
};

function openReply(head: ReplyHead, newCallId: () => string): Reply {
  const state: State = {
    calls: assembler(newCallId),
    finish: "",
    refusal: "",
    usage: null,
    error: null,
    sawResponse: false,
    sawChoice: false,
    isOver: false,
  };
  return {
    take: (frame) => takeFrame(state, head, frame),
    isOver: () => state.isOver,
    end: () => endOf(state, head),
  };
}

function takeFrame(state: State, head: ReplyHead, frame: Frame): ModelEvent[] {
  if (frame.data.trim() === "[DONE]") {
    state.isOver = true;
    return [];
  }
  const value = parse(frame.data);
  if (value === undefined) return takeDamage(state, head, frame);
  const chunk = readChunk(value);
  if (chunk === null) return [];
  if (frame.event === "error" || speaksOfError(chunk)) {
    return fail(state, providerError(head, problemOf(readError(value))));
  }
  const events = takeChunk(state, chunk);
  // A whole body needs no word that it is complete.
  if (frame.event === "body" && state.sawChoice) state.finish ||= "stop";
  return events;
}

/** After the reason to stop, a damaged frame can only have held figures. */
function takeDamage(state: State, head: ReplyHead, frame: Frame): ModelEvent[] {
  if (frame.data.trim() === "" || state.finish !== "") return [];
  return fail(state, unreadable(head, frame));
}

function fail(state: State, error: ProviderError): ModelEvent[] {
  state.error = error;
  state.isOver = true;
  return [];
}

function takeChunk(state: State, chunk: ChatChunk): ModelEvent[] {
  const events = state.sawResponse ? [] : responseEvents(chunk);
  state.sawResponse ||= events.length > 0;
  const choice = chunk.choices.find((entry) => (entry?.index ?? 0) === 0) ?? null;
  // Servers that send figures with every chunk send running totals: the last ones count.
  state.usage = usageIn(chunk, choice) ?? state.usage;
  if (choice) takeChoice(state, choice, events);
  return events;
}

function responseEvents({ id, model }: ChatChunk): ModelEvent[] {
  return id === "" && model === ""
    ? []
    : [{ type: "response", id: id || null, model: model || null }];
}

function usageIn(chunk: ChatChunk, choice: ChatChoice | null): ChatUsage | null {
  return chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage ?? null;
}

function takeChoice(state: State, choice: ChatChoice, events: ModelEvent[]): void {
  state.sawChoice = true;
  const message = choice.delta ?? choice.message;
  if (message) takeMessage(state, message, events);
  if (choice.finish_reason !== "") state.finish = reasonOf(choice);
}

/** Routers can rewrite a cut to `tool_calls`; the model's own provider tells. */
function reasonOf(choice: ChatChoice): string {
  const native = choice.native_finish_reason.toLowerCase();
  return stopOf(native) === "length" ? native : choice.finish_reason;
}

function takeMessage(state: State, message: ChatMessage, events: ModelEvent[]): void {
  const thinking = thinkingOf(message);
  if (thinking !== "") events.push({ type: "thinking", delta: thinking });
  const text = textOf(message);
  if (text !== "") events.push({ type: "text", delta: text });
  state.refusal += message.refusal;
  for (const delta of callDeltas(message)) events.push(...state.calls.add(delta));
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => part?.text ?? "").join("");
}

/** One text under several names: the first that is there, for some servers send it twice. */
function thinkingOf(message: ChatMessage): string {
  const { content, reasoning_content, reasoning, reasoning_details } = message;
  const named = reasoning_content || reasoning;
  if (named !== "") return named;
  const details = reasoning_details.map((part) => part?.text || part?.summary || "").join("");
  if (details !== "" || typeof content === "string") return details;
  return content.flatMap((part) => part?.thinking.map((piece) => piece?.text ?? "") ?? []).join("");
}

function callDeltas(message: ChatMessage): CallDelta[] {
  const deltas: CallDelta[] = [];
  for (const call of message.tool_calls) {
    if (call === null) continue;
    const { index, id } = call;
    deltas.push({
      index,
      id,
      name: call.function?.name ?? "",
      arguments: call.function?.arguments,
    });
  }
  const legacy = message.function_call;
  if (legacy) deltas.push({ index: LEGACY_INDEX, id: "", ...legacy, arguments: legacy.arguments });
  return deltas;
}

function endOf(state: State, head: ReplyHead): ModelEvent[] {
  const usage: ModelEvent[] = state.usage ? [{ type: "usage", usage: usageOf(state.usage) }] : [];
  const error = state.error ?? missingEnd(state, head);
  if (error) return [...usage, { type: "failed", error }];
  const calls = state.calls.finish();
  const reason = stopOf(state.finish) ?? (calls.length > 0 ? "calls" : null);
  const stop = reason ?? (state.refusal === "" ? "end" : "refusal");
  return [
    ...calls.map((call) => ({ type: "call", call }) as const),
    ...usage,
    state.refusal === ""
      ? { type: "stop", reason: stop }
      : { type: "stop", reason: stop, because: state.refusal },
  ];
}

function missingEnd(state: State, head: ReplyHead): ProviderError | null {
  if (state.finish === "error") {
    return providerError(head, {
      message: "the model's provider gave up",
      codes: [],
      status: null,
    });
  }
  if (state.finish !== "") return null;
  const what = state.sawChoice
    ? "the reply broke off: the stream ended without saying that the answer is complete"
    : "the provider sent an empty reply";
  return streamError(head, "stream_cut", what);
}

/** Null where the reason does not decide: then it depends on what was said. */
function stopOf(reason: string): StopReason | null {
  switch (reason) {
    case "length":
    case "max_tokens":
    case "max_output_tokens":
    case "model_length":
    case "model_context_window_exceeded":
      return "length";
    case "content_filter":
    case "sensitive":
      return "filter";
    case "refusal":
      return "refusal";
    default:
      return null;
  }
}

function usageOf(usage: ChatUsage): Usage {
  const cached =
    usage.prompt_tokens_details?.cached_tokens ??
    usage.prompt_cache_hit_tokens ??
    usage.cached_tokens;
  return {
    input: usage.prompt_tokens,
    cacheRead: cached ?? 0,
    cacheWrite: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    output: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? usage.reasoning_tokens ?? 0,
    costUsd: costOf(usage),
  };
}

const USD_PER_TICK = 1e-10;

function costOf({ cost, cost_in_usd_ticks }: ChatUsage): number | null {
  if (typeof cost === "number") return cost;
  if (typeof cost === "object" && cost !== null && "total_cost" in cost) {
    if (typeof cost.total_cost === "number") return cost.total_cost;
  }
  return cost_in_usd_ticks === null ? null : cost_in_usd_ticks * USD_PER_TICK;
}

function refusedReply(head: ReplyHead, data: string): ProviderError {
  if (head.status >= 300 && head.status < 400) {
    const target = URL.parse(head.headers["location"] ?? "")?.host ?? "another address";
    const message = `it sends requests on to ${target}; set the base URL to where the API is`;
    return providerError(head, { message, codes: [], status: null });
  }
  const value = parse(data);
  if (value !== undefined) return providerError(head, problemOf(readError(value)));
  return providerError(head, { message: plainText(data), codes: [], status: null });
}

function unreadable(head: ReplyHead, frame: Frame): ProviderError {
  if (isWebPage(head, frame.data)) {
    const message = `a web page came instead of a model's reply (${plainText(frame.data)}); check the base URL and any proxy in between`;
    return { ...streamError(head, "bad_request", message) };
  }
  const shown = plainText(frame.data.slice(0, 200));
  return streamError(head, "stream_cut", `the reply broke off: a frame is no JSON (${shown})`);
}

function isWebPage(head: ReplyHead, data: string): boolean {
  return head.contentType.includes("html") || /^\s*<(!doctype|html|head|body)/i.test(data);
}

/** The title of a page, else its text without marks. */
function plainText(data: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(data)?.[1];
  return (title ?? data.slice(0, 4000).replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}

function problemOf(shape: ErrorShape): {
  message: string;
  codes: string[];
  status: number | null;
} {
  const codes = [shape.type, shape.code, shape.status].map(String).filter((code) => code !== "");
  const status = codes.map(Number).find((code) => code >= 400 && code < 600) ?? null;
  const raw = shape.metadata?.raw;
  const message =
    typeof raw === "string" && raw !== "" ? `${shape.message}: ${raw}` : shape.message;
  return { message, codes, status };
}

/** Undefined where it is no JSON. Some servers wrap their answer in a list. */
function parse(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return Array.isArray(value) ? (value[0] ?? null) : value;
  } catch {
    return undefined;
  }
}
