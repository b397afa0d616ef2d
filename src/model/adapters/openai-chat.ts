// The wire of POST /chat/completions, the common base line of most providers and local servers.
import type { Adapter } from "../provider.ts";
import { decodeChat } from "./openai-chat-decode.ts";
import { BASE_QUIRKS, encodeChat, type ChatQuirks } from "./openai-chat-encode.ts";

/** `newCallId` names the calls of servers that name none. */
export function openaiChat(
  quirks: Partial<ChatQuirks> = {},
  newCallId: () => string = randomCallId,
): Adapter {
  const settled = { ...BASE_QUIRKS, ...quirks };
  return {
    wire: "openai-chat",
    framing: "sse",
    encode: (endpoint, request) => encodeChat(endpoint, request, settled),
    decode: (head, frames) => decodeChat(head, frames, newCallId),
  };
}

function randomCallId(): string {
  return `call_${Bun.randomUUIDv7("base64url")}`;
}
