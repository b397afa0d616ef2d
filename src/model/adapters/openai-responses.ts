// The wire of POST /responses, OpenAI's own, over server-sent events or over a WebSocket.
import type { Adapter } from "../provider.ts";
import { decodeResponses } from "./openai-responses-decode.ts";
import { encodeResponses } from "./openai-responses-encode.ts";
import { openTalk } from "./openai-responses-talk.ts";

/** The version of messages over WebSocket. */
const BETA = "responses_websockets=2026-02-06";

/** `newCallId` names the calls of servers that name none. */
export function openaiResponses(newCallId: () => string = randomCallId): Adapter {
  return {
    wire: "openai-responses",
    framing: "sse",
    encode: encodeResponses,
    decode: (head, frames) => decodeResponses(head, frames, newCallId),
    overSocket: { headers: { "openai-beta": BETA }, talk: openTalk },
  };
}

function randomCallId(): string {
  return `call_${Bun.randomUUIDv7("base64url")}`;
}
