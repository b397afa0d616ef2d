// The wire of POST /chat/completions, the common base line of most providers and local servers.
import type { Adapter } from "../provider.ts";
import { decodeChat } from "./openai-chat-decode.ts";
import { encodeChat, type ChatQuirks } from "./openai-chat-encode.ts";

/** `newCallId` names the calls of servers that name none. */
export function openaiChat(quirks: ChatQuirks, newCallId: () => string = randomCallId): Adapter {
  return {
    wire: "openai-chat",
    encode: (endpoint, request) => encodeChat(endpoint, request, quirks),
    decode: (head, frames) => decodeChat(head, frames, newCallId),
  };
}

function randomCallId(): string {
  return `call_${Bun.randomUUIDv7("base64url")}`;
}
