// generateContent replies to events: streams of parts, whole bodies and errors.
import { isRecord, parseJson, type JsonObject } from "../../base/json.ts";
import type { ModelEvent, ProviderError, ProviderErrorKind, StopReason, Usage } from "../event.ts";
import type { Frame, ReplyHead } from "../provider.ts";
import { isRefusal, refusal, unended, unreadable } from "./bad-reply.ts";
import { partialArguments, type PartialArguments } from "./gemini-arguments.ts";
import { geminiProblem } from "./gemini-errors.ts";
import {
  readChunk,
  type GeminiCall,
  type GeminiCandidate,
  type GeminiChunk,
  type GeminiPart,
  type GeminiUsage,
} from "./gemini-shape.ts";
import { providerError, streamError } from "./openai-errors.ts";

/** A call whose arguments are still coming. */
type Open = {
  id: string;
  /** What goes back with the call. */
  item: JsonObject;
  name: string;
  whole: JsonObject | null;
  pieces: PartialArguments;
};

type State = {
  open: Open | null;
  callIds: Set<string>;
  newCallId: () => string;
  usage: GeminiUsage | null;
  /** The reason given to stop; empty while none was. */
  finish: string;
  finishMessage: string;
  error: ProviderError | null;
  sawResponse: boolean;
  sawAnything: boolean;
};

export async function* decodeGemini(
  head: ReplyHead,
  frames: AsyncIterable<Frame>,
  newCallId: () => string,
): AsyncGenerator<ModelEvent> {
  if (isRefusal(head)) {
    yield { type: "failed", error: await refusal(head, frames, geminiProblem) };
    return;
  }
  const state: State = {
    open: null,
    callIds: new Set(),
    newCallId,
    usage: null,
    finish: "",
    finishMessage: "",
    error: null,
    sawResponse: false,
    sawAnything: false,
  };
  for await (const frame of frames) {
    yield* takeFrame(state, head, frame);
    if (state.error !== null) break;
  }
  yield* endOf(state, head);
}

/** A whole body may be the list of what would have been the chunks. */
function* takeFrame(state: State, head: ReplyHead, frame: Frame): Generator<ModelEvent> {
  const value = parseJson(frame.data);
  if (value === undefined) {
    // After the reason to stop, a damaged frame can only have held figures.
    if (frame.data.trim() !== "" && state.finish === "") {
      state.error = unreadable(head, frame.data);
    }
    return;
  }
  for (const item of Array.isArray(value) ? value : [value]) {
    const chunk = readChunk(item);
    if (chunk === null) continue;
    if (frame.event === "error" || isRecord(chunk.error)) {
      state.error = providerError(head, geminiProblem(item));
      return;
    }
    yield* takeChunk(state, head, chunk);
  }
}

function* takeChunk(state: State, head: ReplyHead, chunk: GeminiChunk): Generator<ModelEvent> {
  if (!state.sawResponse) yield* responseEvents(state, chunk);
  // Running totals: the last ones count, and some chunks have none.
  const { usageMetadata, candidates } = chunk;
  if (usageMetadata && usageMetadata.promptTokenCount !== null) state.usage = usageMetadata;
  state.error = blocked(head, chunk);
  const candidate = candidates.find((entry) => (entry?.index ?? 0) === 0);
  if (candidate && state.error === null) yield* takeCandidate(state, head, candidate);
}

function* responseEvents(
  state: State,
  { responseId: id, modelVersion: model }: GeminiChunk,
): Generator<ModelEvent> {
  if (id === "" && model === "") return;
  state.sawResponse = true;
  yield { type: "response", id: id || null, model: model || null };
}

/** The prompt itself was stopped: there is no reply then. */
function blocked(head: ReplyHead, { promptFeedback }: GeminiChunk): ProviderError | null {
  if (promptFeedback === null || promptFeedback.blockReason === "") return null;
  const { blockReason, blockReasonMessage: said } = promptFeedback;
  const why = said === "" ? blockReason : `${blockReason}: ${said}`;
  const what = `the provider's content filter stopped the prompt (${why}); reword it`;
  return streamError(head, "content_filter", what);
}

function* takeCandidate(
  state: State,
  head: ReplyHead,
  candidate: GeminiCandidate,
): Generator<ModelEvent> {
  state.sawAnything = true;
  for (const part of candidate.content?.parts ?? []) {
    if (part?.functionCall) yield* takeCall(state, head, part, part.functionCall);
    else if (part) yield* takeText(part);
    if (state.error !== null) return;
  }
  if (candidate.finishReason !== "") state.finish = candidate.finishReason;
  if (candidate.finishMessage !== "") state.finishMessage = candidate.finishMessage;
}

function* takeText({ text, thought, thoughtSignature }: GeminiPart): Generator<ModelEvent> {
  if (text === null) return;
  if (text !== "") yield { type: thought ? "thinking" : "text", delta: text };
  if (thoughtSignature === "") return;
  // Many parts become one text: the signature is for the last so many characters of it.
  const item = { thoughtSignature, chars: text.length };
  yield { type: "keep", of: thought ? "reasoning" : "text", item };
}

function* takeCall(
  state: State,
  head: ReplyHead,
  { thoughtSignature }: GeminiPart,
  call: GeminiCall,
): Generator<ModelEvent> {
  if (call.name !== "") {
    yield* close(state);
    state.open = opened(state, call, thoughtSignature);
    yield { type: "call.begin", id: state.open.id, name: call.name };
  }
  const { open } = state;
  if (open === null) return;
  if (isRecord(call.args)) open.whole = call.args;
  for (const piece of call.partialArgs) {
    if (piece !== null && open.pieces.add(piece)) continue;
    const what = `the reply broke off: the arguments of ${open.name} came in pieces that do not fit together`;
    state.error = streamError(head, "stream_cut", what);
    return;
  }
  if (!call.willContinue) yield* close(state);
}

function opened(state: State, { id, name }: GeminiCall, thoughtSignature: string): Open {
  const isOwn = id !== "" && !state.callIds.has(id);
  const callId = isOwn ? id : state.newCallId();
  state.callIds.add(callId);
  const item = {
    ...(isOwn ? { id } : {}),
    ...(thoughtSignature === "" ? {} : { thoughtSignature }),
  };
  return { id: callId, item, name, whole: null, pieces: partialArguments() };
}

function* close(state: State): Generator<ModelEvent> {
  const { open } = state;
  if (open === null) return;
  state.open = null;
  const text = JSON.stringify(open.whole ?? open.pieces.whole());
  yield { type: "call.delta", id: open.id, delta: text };
  yield { type: "call", call: { id: open.id, name: open.name, arguments: text } };
  if (Object.keys(open.item).length > 0) yield { type: "keep", of: "tool_call", item: open.item };
}

function* endOf(state: State, head: ReplyHead): Generator<ModelEvent> {
  const error = state.error ?? errorAtEnd(state, head);
  // Cut at the limit, a call is shown as far as it came; none of that reply is run.
  if (error === null) yield* close(state);
  if (state.usage) yield { type: "usage", usage: usageOf(state.usage) };
  if (error) yield { type: "failed", error };
  else yield { type: "stop", reason: stopOf(state) };
}

function errorAtEnd(state: State, head: ReplyHead): ProviderError | null {
  const { finish, finishMessage } = state;
  if (finish === "" || (state.open !== null && finish !== "MAX_TOKENS")) {
    return unended(head, state.sawAnything);
  }
  const fault = FAULTS[finish];
  if (fault === undefined) return null;
  const said = finishMessage === "" ? "" : `: ${finishMessage}`;
  return streamError(head, fault.kind, `${fault.what} (${finish})${said}`);
}

/** Reasons to stop that leave no reply to work with. */
const FAULTS: Readonly<Record<string, { kind: ProviderErrorKind; what: string }>> = {
  MALFORMED_FUNCTION_CALL: { kind: "server", what: "the model wrote a tool call that is none" },
  UNEXPECTED_TOOL_CALL: { kind: "server", what: "the model called a tool that it was not given" },
  TOO_MANY_TOOL_CALLS: { kind: "server", what: "the model called too many tools in a row" },
  MALFORMED_RESPONSE: { kind: "server", what: "the model wrote a reply that is none" },
  MISSING_THOUGHT_SIGNATURE: {
    kind: "bad_request",
    what: "the request lacks a signature that the model gave with a call",
  },
  OTHER: { kind: "server", what: "the provider stopped the reply for no reason that it names" },
};

const FILTERS: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);

function stopOf({ finish, callIds }: State): StopReason {
  if (finish === "MAX_TOKENS") return "length";
  if (FILTERS.has(finish)) return "filter";
  return callIds.size > 0 ? "calls" : "end";
}

/** Here the prompt includes what was cached, and the thoughts are beside the answer. */
function usageOf(usage: GeminiUsage): Usage {
  const reasoning = usage.thoughtsTokenCount ?? 0;
  return {
    input: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    cacheRead: usage.cachedContentTokenCount ?? 0,
    cacheWrite: 0,
    output: (usage.candidatesTokenCount ?? 0) + reasoning,
    reasoning,
    costUsd: null,
  };
}
