// The conversation in a session's events, as the model is shown it: pure, and only ever longer at the end.
import { parseJson } from "../base/json.ts";
import type { ToolCall } from "../model/event.ts";
import type { AssistantPart, Kept, ModelMessage, UserPart } from "../model/request.ts";
import type { AssistantStatus, EventData, SessionEvent, StoredAssistantPart } from "./event.ts";

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type UserMessage = Extract<ModelMessage, { role: "user" }>;

/** What a call is told that a cancel left no time for. */
export const INTERRUPTED = "interrupted before it ran";

/** Calls of the last reply, each with its result once that came, in the order they were asked. */
type Open = {
  calls: Map<string, { call: ToolCall; result: ToolMessage | null }>;
  status: AssistantStatus;
  /** What a person said while calls were open comes after all results: no provider takes it between. */
  held: UserMessage[];
};

/**
 * `events` is the live branch. Every tool call is followed by exactly one result, in call order; whatever answers no
 * open call is dropped. What was sent for one reply is a prefix of what is sent for any later one, because a reply
 * closes the calls before it for good.
 */
export function fold(events: readonly SessionEvent[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let open: Open | null = null;
  for (const [at, event] of events.entries()) {
    if (event.type === "message.user") {
      const message: UserMessage = { role: "user", parts: event.data.content.map(userPart) };
      if (open === null) messages.push(message);
      else open.held.push(message);
    }
    if (event.type === "message.assistant" && !isTriedAgain(event.data, events, at)) {
      messages.push(...closed(open));
      open = reply(event.data, keptAfter(events, at), messages);
    }
    if (event.type === "message.tool" && open !== null) {
      settle(open, event.data);
      if (isSettled(open)) {
        messages.push(...closed(open));
        open = null;
      }
    }
  }
  messages.push(...closed(open));
  return messages;
}

/** A reply that broke off and was asked for again: the new one takes its place, as if it had never been. */
function isTriedAgain(
  { status }: EventData["message.assistant"],
  events: readonly SessionEvent[],
  at: number,
): boolean {
  if (status !== "interrupted") return false;
  const next = events
    .slice(at + 1)
    .find(({ type }) => type === "model.retry" || type.startsWith("message."));
  return next?.type === "model.retry";
}

type KeptParts = ReadonlyMap<number, Kept>;

/** What the provider wants back with the parts of this reply: stored right after it, before anything else is said. */
function keptAfter(events: readonly SessionEvent[], at: number): KeptParts {
  const kept = new Map<number, Kept>();
  for (const event of events.slice(at + 1)) {
    if (event.type.startsWith("message.")) break;
    if (event.type !== "model.provider_item") continue;
    const { wire, model, part, item } = event.data;
    kept.set(part, { wire, model, item });
  }
  return kept;
}

/** Pushes the reply; gives its calls where it has any. */
function reply(
  { content, status }: EventData["message.assistant"],
  keptParts: KeptParts,
  messages: ModelMessage[],
): Open | null {
  const calls: Open["calls"] = new Map();
  const parts: AssistantPart[] = [];
  for (const [index, part] of content.entries()) {
    const item = keptParts.get(index);
    const kept = item === undefined ? {} : { kept: item };
    if (part.type !== "tool_call") {
      if (part.text !== "" || item !== undefined)
        parts.push({ type: part.type, text: part.text, ...kept });
      continue;
    }
    if (calls.has(part.id) || isIncomplete(part, status)) continue;
    const call = { id: part.id, name: part.name, arguments: part.arguments };
    calls.set(call.id, { call, result: null });
    parts.push({ type: "tool_call", call, ...kept });
  }
  // A reply that only thought says nothing, and some providers refuse a message without text or call.
  if (parts.some(saysSomething)) messages.push({ role: "assistant", parts });
  return calls.size === 0 ? null : { calls, status, held: [] };
}

function saysSomething(part: AssistantPart): boolean {
  return part.type === "tool_call" || (part.type === "text" && part.text !== "");
}

/** An interrupted reply may end inside the arguments of a call. */
function isIncomplete(part: StoredAssistantPart & ToolCall, status: AssistantStatus): boolean {
  return status === "interrupted" && parseJson(part.arguments) === undefined;
}

function settle(open: Open, data: EventData["message.tool"]): void {
  const entry = open.calls.get(data.toolCallId);
  if (entry === undefined || entry.result !== null) return;
  entry.result = {
    role: "tool",
    callId: entry.call.id,
    name: entry.call.name,
    parts: data.content.map(userPart),
    isError: data.isError,
  };
}

function isSettled({ calls }: Open): boolean {
  return [...calls.values()].every(({ result }) => result !== null);
}

function closed(open: Open | null): ModelMessage[] {
  if (open === null) return [];
  const results = [...open.calls.values()].map(
    ({ call, result }) => result ?? missingResult(call, open.status),
  );
  return [...results, ...open.held];
}

function missingResult(call: ToolCall, status: AssistantStatus): ToolMessage {
  const parts: UserPart[] = [{ type: "text", text: whyMissing(status) }];
  return { role: "tool", callId: call.id, name: call.name, parts, isError: true };
}

function whyMissing(status: AssistantStatus): string {
  switch (status) {
    case "complete":
    case "interrupted":
      return INTERRUPTED;
    case "length":
      return "not run: the reply was cut off at the output limit, so this call may be incomplete; ask again in smaller pieces";
    case "error":
      return "not run: the reply failed before it was complete; ask again if the call is still needed";
  }
}

/** Rebuilt with a fixed order of fields: what is read back from a file serialises like what was just made. */
function userPart(part: UserPart): UserPart {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: part.type, mediaType: part.mediaType, data: part.data, name: part.name };
}
