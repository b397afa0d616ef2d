// Content blocks of a Messages reply: what is heard when one begins, grows and ends.
import { isRecord, parseJson, type JsonObject } from "../../base/json.ts";
import type { ModelEvent } from "../event.ts";
import { readBlock, type WireDelta } from "./anthropic-shape.ts";

/** `begun`: the text that it began with. */
export type Block =
  | { kind: "text"; begun: string }
  | { kind: "thinking"; begun: string; signature: string }
  | { kind: "redacted"; data: string }
  | { kind: "call"; id: string; name: string; input: unknown; json: string }
  /** Of a tool that the provider runs itself, or of a kind we do not know: goes back as it came. */
  | { kind: "other"; raw: JsonObject; json: string };

type Call = Extract<Block, { kind: "call" }>;

/** Null where it is no block. */
export function blockOf(value: unknown, ownId: (given: string) => string): Block | null {
  const block = readBlock(value);
  if (block === null || !isRecord(value)) return null;
  switch (block.type) {
    case "text":
      return { kind: "text", begun: block.text };
    case "thinking":
      return { kind: "thinking", begun: block.thinking, signature: block.signature };
    case "redacted_thinking":
      return { kind: "redacted", data: block.data };
    case "tool_use": {
      const { id, name, input } = block;
      return { kind: "call", id: ownId(id), name, input, json: "" };
    }
    default:
      return { kind: "other", raw: value, json: "" };
  }
}

export function beginning(block: Block): ModelEvent[] {
  switch (block.kind) {
    case "text":
      return spoken("text", block.begun);
    case "thinking":
      return spoken("thinking", block.begun);
    case "call":
      return [{ type: "call.begin", id: block.id, name: block.name }];
    case "redacted":
    case "other":
      return [];
  }
}

function spoken(type: "text" | "thinking", delta: string): ModelEvent[] {
  return delta === "" ? [] : [{ type, delta }];
}

export function grown(block: Block, delta: WireDelta): ModelEvent[] {
  switch (delta.type) {
    case "text_delta":
      return spoken("text", delta.text);
    case "thinking_delta":
      return spoken("thinking", delta.thinking);
    case "signature_delta":
      if (block.kind === "thinking") block.signature += delta.signature;
      return [];
    case "input_json_delta":
      return moreInput(block, delta.partial_json);
    default:
      return [];
  }
}

function moreInput(block: Block, json: string): ModelEvent[] {
  if (json === "" || (block.kind !== "call" && block.kind !== "other")) return [];
  block.json += json;
  return block.kind === "call" ? [{ type: "call.delta", id: block.id, delta: json }] : [];
}

/** What belongs to the block as a whole. */
export function ending(block: Block): ModelEvent[] {
  switch (block.kind) {
    case "text":
      return [];
    case "thinking": {
      const { signature } = block;
      if (signature === "") return [];
      return [{ type: "keep", of: "reasoning", item: { type: "thinking", signature } }];
    }
    case "redacted": {
      const item = { type: "redacted_thinking", data: block.data };
      return [{ type: "keep", of: "reasoning", item }];
    }
    case "call":
      return wholeCall(block);
    case "other": {
      const input = parseJson(block.json);
      const item = input === undefined ? block.raw : { ...block.raw, input };
      return [{ type: "keep", of: "text", item }];
    }
  }
}

/** Fragments go before what the call began with: that is a placeholder then. */
function wholeCall({ id, name, input, json }: Call): ModelEvent[] {
  if (json.trim() !== "") return [{ type: "call", call: { id, name, arguments: json } }];
  const text = JSON.stringify(isRecord(input) ? input : {});
  return [
    { type: "call.delta", id, delta: text },
    { type: "call", call: { id, name, arguments: text } },
  ];
}
