// The shapes of Responses events and replies, read loosely: unknown fields are ignored, a field of the wrong type is absent.
import * as v from "valibot";
import { anything, maybeAmount, part, parts, text } from "./loose.ts";

const Usage = {
  input_tokens: maybeAmount,
  input_tokens_details: part({ cached_tokens: maybeAmount, cache_write_tokens: maybeAmount }),
  output_tokens: maybeAmount,
  output_tokens_details: part({ reasoning_tokens: maybeAmount }),
  /** USD: OpenRouter; xAI in units of 1e-10. */
  cost: maybeAmount,
  cost_in_usd_ticks: maybeAmount,
};

const Reply = {
  id: text,
  model: text,
  object: text,
  status: text,
  error: anything,
  incomplete_details: part({ reason: text }),
  output: v.fallback(v.nullable(v.array(v.unknown()), []), []),
  usage: part(Usage),
};

const Item = v.object({
  type: text,
  id: text,
  call_id: text,
  name: text,
  arguments: anything,
  content: parts({ type: text, text, refusal: text }),
  summary: parts({ text }),
  encrypted_content: text,
  phase: text,
});

const Event = v.object({
  type: text,
  output_index: v.fallback(v.nullable(v.number(), null), null),
  item_id: text,
  summary_index: v.fallback(v.nullable(v.number(), 0), 0),
  content_index: v.fallback(v.nullable(v.number(), 0), 0),
  delta: text,
  arguments: anything,
  item: anything,
  response: part(Reply),
  error: anything,
});

const Whole = v.object(Reply);

export type WireEvent = v.InferOutput<typeof Event>;
export type WireReply = v.InferOutput<typeof Whole>;
export type WireItem = v.InferOutput<typeof Item>;
export type WireUsage = NonNullable<WireReply["usage"]>;

/** Null when the value is no object at all. */
export function readEvent(value: unknown): WireEvent | null {
  const read = v.safeParse(Event, value);
  return read.success ? read.output : null;
}

/** A reply that came as a whole; null where the value is none. */
export function readReply(value: unknown): WireReply | null {
  const read = v.safeParse(Whole, value);
  return read.success && read.output.object === "response" ? read.output : null;
}

const NO_ITEM = v.parse(Item, {});

export function readItem(value: unknown): WireItem {
  const read = v.safeParse(Item, value);
  return read.success ? read.output : NO_ITEM;
}
