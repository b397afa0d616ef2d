// The wire of Amazon Q and Kiro (CodeWhisperer), as the vendor's own published client speaks it.
import type { Adapter } from "../provider.ts";
import { decodeCodewhisperer } from "./codewhisperer-decode.ts";
import { encodeCodewhisperer } from "./codewhisperer-encode.ts";

/** `newCallId` names calls that came without an id. */
export function codewhisperer(newCallId: () => string = randomCallId): Adapter {
  return {
    wire: "codewhisperer",
    framing: "eventstream",
    encode: encodeCodewhisperer,
    decode: (head, frames) => decodeCodewhisperer(head, frames, newCallId),
  };
}

function randomCallId(): string {
  return `call_${Bun.randomUUIDv7("base64url")}`;
}
