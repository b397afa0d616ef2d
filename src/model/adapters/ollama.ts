// The wire of Ollama's own POST /api/chat.
import type { Adapter } from "../provider.ts";
import { decodeOllama } from "./ollama-decode.ts";
import { encodeOllama } from "./ollama-encode.ts";

/** `newCallId` names the calls, for most servers name none. */
export function ollama(newCallId: () => string = randomCallId): Adapter {
  return {
    wire: "ollama",
    framing: "ndjson",
    encode: encodeOllama,
    decode: (head, frames) => decodeOllama(head, frames, newCallId),
  };
}

function randomCallId(): string {
  return `call_${Bun.randomUUIDv7("base64url")}`;
}
