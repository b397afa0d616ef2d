// Ollama's replies to events: lines of a stream, with calls that are always whole, and errors in between.
import { parseJson } from "../../base/json.ts";
import type { ModelEvent, ProviderError, StopReason, ToolCall, Usage } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { isRefusal, refusal, unended, unreadable } from "./bad-reply.ts";
import { readOllamaChunk, type OllamaCall, type OllamaChunk } from "./ollama-shape.ts";
import { readError } from "./openai-chat-shape.ts";
import { providerError, type Problem } from "./openai-errors.ts";

export async function* decodeOllama(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  newCallId: () => string,
): AsyncGenerator<ModelEvent> {
  if (isRefusal(head)) {
    yield { type: "failed", error: withAdvice(await refusal(head, frames, problemOf)) };
    return;
  }
  const state: State = { calls: [], sawResponse: false, end: null, error: null };
  for await (const frame of frames) {
    for (const event of takeLine(state, head, frame, newCallId)) yield event;
    if (state.end !== null || state.error !== null) break;
  }
  yield* endOf(state, head);
}

type State = {
  calls: ToolCall[];
  sawResponse: boolean;
  /** The line that says that the reply is complete. */
  end: OllamaChunk | null;
  error: ProviderError | null;
};

function* takeLine(
  state: State,
  head: ReplyHead,
  { data }: Frame,
  newCallId: () => string,
): Generator<ModelEvent> {
  const value = parseJson(data);
  const chunk = readOllamaChunk(value);
  if (chunk === null) {
    state.error = unreadable(head, data);
    return;
  }
  if (chunk.error !== undefined && chunk.error !== null) {
    state.error = withAdvice(providerError(head, problemOf(value)));
    return;
  }
  if (!state.sawResponse && chunk.model !== "")
    yield { type: "response", id: null, model: chunk.model };
  state.sawResponse = true;
  yield* takeMessage(state, chunk, newCallId);
  if (chunk.done) state.end = chunk;
}

function* takeMessage(
  state: State,
  { message }: OllamaChunk,
  newCallId: () => string,
): Generator<ModelEvent> {
  if (message === null) return;
  const { thinking, content, tool_calls } = message;
  if (thinking !== "") yield { type: "thinking", delta: thinking };
  if (content !== "") yield { type: "text", delta: content };
  for (const entry of tool_calls) yield* takeCall(state, entry, newCallId);
}

/** Each entry is a call of its own: the indices that some servers give are all 0. */
function* takeCall(
  state: State,
  entry: OllamaCall,
  newCallId: () => string,
): Generator<ModelEvent> {
  if (entry === null || entry.function === null) return;
  const { name, arguments: given } = entry.function;
  const isNew = entry.id !== "" && state.calls.every(({ id }) => id !== entry.id);
  const call = { id: isNew ? entry.id : newCallId(), name, arguments: argumentText(given) };
  state.calls.push(call);
  yield { type: "call.begin", id: call.id, name };
  yield { type: "call.delta", id: call.id, delta: call.arguments };
}

function argumentText(given: unknown): string {
  if (given === undefined || given === null || given === "") return "{}";
  return typeof given === "string" ? given : JSON.stringify(given);
}

function* endOf(state: State, head: ReplyHead): Generator<ModelEvent> {
  if (state.end !== null) yield* usageIn(state.end);
  if (state.error !== null || state.end === null) {
    yield { type: "failed", error: state.error ?? unended(head, state.sawResponse) };
    return;
  }
  for (const call of state.calls) yield { type: "call", call };
  yield { type: "stop", reason: stopOf(state.end, state.calls.length > 0) };
}

function stopOf({ done_reason }: OllamaChunk, hasCalls: boolean): StopReason {
  if (done_reason === "length") return "length";
  return hasCalls ? "calls" : "end";
}

/** All prompt tokens count, those too that the server still had from the request before. */
function* usageIn({ prompt_eval_count, eval_count }: OllamaChunk): Generator<ModelEvent> {
  if (prompt_eval_count === null && eval_count === null) return;
  const usage: Usage = {
    input: prompt_eval_count ?? 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: eval_count ?? 0,
    reasoning: 0,
    costUsd: null,
  };
  yield { type: "usage", usage };
}

/** The engine behind the server answers in JSON of its own, which comes as a text. */
function problemOf(value: unknown): Problem {
  const outer = readError(value);
  const inner = readError(parseJson(outer.message));
  const { message, type } = inner.message === "" ? outer : inner;
  return { message, codes: [String(type)], status: null };
}

function withAdvice(error: ProviderError): ProviderError {
  if (error.kind === "context_overflow") {
    return { ...error, message: `${error.message}; ${LARGER_WINDOW}` };
  }
  // It will not fit the next time either.
  const isTooBig = error.message.includes("requires more system memory");
  return isTooBig ? { ...error, retryable: false } : error;
}

const LARGER_WINDOW =
  'if the machine can hold more, say so in the settings: context = 32768 under [models."NAME"]';
