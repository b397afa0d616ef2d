// The wire of POST /v1/messages, Anthropic's own.
//
// Caching is asked for by marks (`cache_control`) on the last tool, the last system block and the ends of the last two
// user turns. The marks at the tail move on with the conversation and are no part of what is cached: without them, the
// bytes of one request but for its closing brackets begin the next one's.
import type { Adapter } from "../provider.ts";
import { decodeAnthropic } from "./anthropic-decode.ts";
import { encodeAnthropic } from "./anthropic-encode.ts";

/** `newCallId` names the calls of servers that name none. */
export function anthropic(newCallId: () => string = randomCallId): Adapter {
  return {
    wire: "anthropic",
    framing: "sse",
    encode: encodeAnthropic,
    decode: (head, frames) => decodeAnthropic(head, frames, newCallId),
  };
}

function randomCallId(): string {
  return `toolu_${Bun.randomUUIDv7("base64url")}`;
}
