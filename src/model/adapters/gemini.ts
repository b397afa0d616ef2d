// The wire of POST /v1beta/models/MODEL:streamGenerateContent, Google's own.
import type { Adapter } from "../provider.ts";
import { decodeGemini } from "./gemini-decode.ts";
import { encodeGemini } from "./gemini-encode.ts";

/** `newCallId` names the calls, which rarely have a name here. */
export function gemini(newCallId: () => string = randomCallId): Adapter {
  return {
    wire: "gemini",
    framing: "sse",
    encode: encodeGemini,
    decode: (head, frames) => decodeGemini(head, frames, newCallId),
  };
}

function randomCallId(): string {
  return `call_${Bun.randomUUIDv7("base64url")}`;
}
