// The wire of Amazon Bedrock's ConverseStream. Without a key its requests are signed (`model/aws-access`).
import type { Adapter } from "../provider.ts";
import { decodeBedrock } from "./bedrock-decode.ts";
import { encodeBedrock } from "./bedrock-encode.ts";

/** `newCallId` names calls that came without an id. */
export function bedrock(newCallId: () => string = randomCallId): Adapter {
  return {
    wire: "bedrock",
    framing: "eventstream",
    encode: encodeBedrock,
    decode: (head, frames) => decodeBedrock(head, frames, newCallId),
  };
}

function randomCallId(): string {
  return `call_${Bun.randomUUIDv7("base64url")}`;
}
