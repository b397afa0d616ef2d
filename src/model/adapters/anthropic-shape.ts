// The shapes of Messages replies, read loosely: unknown fields are ignored, a field of the wrong type is absent.
import * as v from "valibot";
import { anything, maybeAmount, part, text } from "./loose.ts";

const maybeIndex = v.fallback(v.nullable(v.number(), null), null);

const Usage = {
  input_tokens: maybeAmount,
  output_tokens: maybeAmount,
  cache_creation_input_tokens: maybeAmount,
  cache_read_input_tokens: maybeAmount,
  output_tokens_details: part({ thinking_tokens: maybeAmount }),
};

const Stop = { stop_reason: text, stop_details: part({ explanation: text }) };

const Message = {
  id: text,
  model: text,
  content: v.fallback(v.nullable(v.array(v.unknown()), []), []),
  usage: part(Usage),
  ...Stop,
};

const Block = v.object({
  type: text,
  text,
  thinking: text,
  signature: text,
  data: text,
  id: text,
  name: text,
  input: anything,
});

const Event = v.object({
  type: text,
  index: maybeIndex,
  message: part(Message),
  content_block: anything,
  delta: part(Stop),
  usage: part(Usage),
  error: anything,
});

/** Nearly all events of a stream are of this kind: it is read by itself, for speed. */
const Growth = v.object({
  type: v.literal("content_block_delta"),
  index: maybeIndex,
  delta: part({ type: text, text, thinking: text, signature: text, partial_json: text }),
});

export type WireEvent = v.InferOutput<typeof Event>;
export type WireBlock = v.InferOutput<typeof Block>;
export type WireUsage = NonNullable<WireEvent["usage"]>;
export type WireReply = NonNullable<WireEvent["message"]>;
export type WireStop = NonNullable<WireEvent["delta"]>;
export type WireGrowth = v.InferOutput<typeof Growth>;
export type WireDelta = NonNullable<WireGrowth["delta"]>;

/** Null when it is an event of another kind. */
export function readGrowth(value: unknown): WireGrowth | null {
  const read = v.safeParse(Growth, value);
  return read.success ? read.output : null;
}

/** Any other event of a stream; null when the value is no object at all. */
export function readEvent(value: unknown): WireEvent | null {
  const read = v.safeParse(Event, value);
  return read.success ? read.output : null;
}

/** A whole reply, as it comes where no stream was given. */
export function readReply(value: unknown): WireReply {
  return v.parse(v.object(Message), value);
}

export function readBlock(value: unknown): WireBlock | null {
  const read = v.safeParse(Block, value);
  return read.success ? read.output : null;
}

const Problem = v.fallback(v.object({ type: text, message: text }), { type: "", message: "" });

/** What a body or frame says about an error: under `error`, as an object or a text, or bare. */
export function readError(value: unknown): v.InferOutput<typeof Problem> {
  const holder = v.safeParse(v.object({ error: v.unknown() }), value);
  const error = holder.success ? holder.output.error : value;
  if (typeof error === "string") return { type: "", message: error };
  return v.parse(Problem, error);
}
