// Requests for tests: one that asks nothing, to be filled in.
import type { ModelMessage, ModelRequest } from "../../src/model/request.ts";

export function requestOf(
  messages: ModelMessage[],
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    model: "m",
    system: [],
    messages,
    tools: [],
    effort: null,
    maxOutputTokens: null,
    temperature: null,
    cacheKey: null,
    ...more,
  };
}

export function user(text: string): ModelMessage {
  return { role: "user", parts: [{ type: "text", text }] };
}

export function called(id: string, name: string, args: string, text = ""): ModelMessage {
  const call = { id, name, arguments: args };
  const said = text === "" ? [] : [{ type: "text", text } as const];
  return { role: "assistant", parts: [...said, { type: "tool_call", call }] };
}

export function result(callId: string, text: string): ModelMessage {
  return { role: "tool", callId, name: "tool", parts: [{ type: "text", text }], isError: false };
}
