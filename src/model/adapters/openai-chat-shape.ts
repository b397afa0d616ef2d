// The shapes of Chat Completions replies, read loosely: unknown fields are ignored, a field of the wrong type is absent.
import * as v from "valibot";

// Each field is `fallback(nullable(…))`: of the ways to write it, valibot passes over absent and null fields fastest in
// this one, and most fields of most chunks are absent or null.
const text = v.fallback(v.nullable(v.string(), ""), "");
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const count = v.fallback(v.nullable(amount, 0), 0);
const maybeAmount = v.fallback(v.nullable(amount, null), null);
const maybeIndex = v.fallback(v.nullable(v.number(), null), null);
const anything = v.optional(v.unknown());

/** A field that is an object of this shape, else null. */
function part<const T extends v.ObjectEntries>(entries: T) {
  return v.fallback(v.nullable(v.object(entries), null), null);
}

/** A field that is a list of such objects; null stands for an item that is none. */
function parts<const T extends v.ObjectEntries>(entries: T) {
  return v.fallback(v.nullable(v.array(part(entries)), []), []);
}

const Call = { index: maybeIndex, id: text, function: part({ name: text, arguments: anything }) };

/** Text, or (Mistral) a list of text and thinking parts. */
const Content = v.fallback(
  v.nullable(
    v.union([v.string(), v.array(part({ type: text, text, thinking: parts({ text }) }))]),
    "",
  ),
  "",
);

/** A delta of a stream, or the message of a whole reply. */
const Message = {
  content: Content,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  reasoning_details: parts({ text, summary: text }),
  tool_calls: parts(Call),
  function_call: part({ name: text, arguments: anything }),
};

const Usage = {
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: part({ cached_tokens: maybeAmount, cache_write_tokens: maybeAmount }),
  completion_tokens_details: part({ reasoning_tokens: maybeAmount }),
  /** Older and other places of the same figures. */
  cached_tokens: maybeAmount,
  prompt_cache_hit_tokens: maybeAmount,
  reasoning_tokens: maybeAmount,
  /** USD: OpenRouter a number, Perplexity an object; xAI in units of 1e-10. */
  cost: anything,
  cost_in_usd_ticks: maybeAmount,
};

const Choice = {
  index: maybeIndex,
  delta: part(Message),
  message: part(Message),
  finish_reason: text,
  /** OpenRouter: what the model's own provider gave as the reason. */
  native_finish_reason: text,
  usage: part(Usage),
};

const Chunk = v.object({
  id: text,
  model: text,
  object: text,
  error: anything,
  choices: parts(Choice),
  usage: part(Usage),
  x_groq: part({ usage: part(Usage) }),
});

export type ChatChunk = v.InferOutput<typeof Chunk>;
export type ChatChoice = NonNullable<ChatChunk["choices"][number]>;
export type ChatMessage = NonNullable<ChatChoice["delta"]>;
export type ChatUsage = NonNullable<ChatChunk["usage"]>;

/** A chunk of a stream or a whole reply; null when the value is no object at all. */
export function readChunk(value: unknown): ChatChunk | null {
  const read = v.safeParse(Chunk, value);
  return read.success ? read.output : null;
}

const codeName = v.fallback(v.nullable(v.union([v.string(), v.number()]), ""), "");
const Problem = v.object({
  message: text,
  type: codeName,
  code: codeName,
  status: codeName,
  detail: anything,
  metadata: part({ raw: anything }),
});
const ErrorHolder = v.fallback(v.object({ error: anything }), { error: null });

export type ErrorShape = v.InferOutput<typeof Problem>;

/** Whether a frame that came as a message is an error all the same. */
export function speaksOfError({ error, object }: ChatChunk): boolean {
  return (
    object === "error" || (error !== undefined && error !== null && error !== "" && error !== false)
  );
}

/** What a body or frame says about an error: under `error`, as an object or a text, or bare. */
export function readError(value: unknown): ErrorShape {
  const { error } = v.parse(ErrorHolder, value);
  if (typeof error === "string" && error !== "") return { ...NO_PROBLEM, message: error };
  const read = v.safeParse(Problem, error ?? value);
  if (!read.success) return NO_PROBLEM;
  const { message, detail } = read.output;
  if (message !== "" || detail === undefined) return read.output;
  return { ...read.output, message: typeof detail === "string" ? detail : JSON.stringify(detail) };
}

const NO_PROBLEM = v.parse(Problem, {});
