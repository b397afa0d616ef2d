// The shapes of generateContent replies, read loosely: unknown fields are ignored, a field of the wrong type is absent.
import * as v from "valibot";
import { anything, flag, maybeAmount, part, parts, text } from "./loose.ts";

const maybeText = v.fallback(v.nullable(v.string(), null), null);
const maybeNumber = v.fallback(v.nullable(v.number(), null), null);
const list = v.fallback(v.nullable(v.array(v.unknown()), []), []);

/** A piece of the arguments: the value of a leaf, or more of a text that continues. */
const PartialArg = {
  jsonPath: text,
  stringValue: maybeText,
  numberValue: maybeNumber,
  boolValue: v.fallback(v.nullable(v.boolean(), null), null),
  willContinue: flag,
};

const FunctionCall = {
  id: text,
  name: text,
  args: anything,
  partialArgs: parts(PartialArg),
  willContinue: flag,
};

const Part = {
  text: maybeText,
  thought: flag,
  thoughtSignature: text,
  functionCall: part(FunctionCall),
};

const Candidate = {
  index: maybeNumber,
  content: part({ parts: parts(Part) }),
  finishReason: text,
  finishMessage: text,
};

const Usage = {
  promptTokenCount: maybeAmount,
  cachedContentTokenCount: maybeAmount,
  candidatesTokenCount: maybeAmount,
  thoughtsTokenCount: maybeAmount,
  toolUsePromptTokenCount: maybeAmount,
};

const Chunk = v.object({
  responseId: text,
  modelVersion: text,
  candidates: parts(Candidate),
  promptFeedback: part({ blockReason: text, blockReasonMessage: text }),
  usageMetadata: part(Usage),
  error: anything,
});

export type GeminiChunk = v.InferOutput<typeof Chunk>;
export type GeminiCandidate = NonNullable<GeminiChunk["candidates"][number]>;
export type GeminiPart = NonNullable<NonNullable<GeminiCandidate["content"]>["parts"][number]>;
export type GeminiCall = NonNullable<GeminiPart["functionCall"]>;
export type GeminiPartialArg = NonNullable<GeminiCall["partialArgs"][number]>;
export type GeminiUsage = NonNullable<GeminiChunk["usageMetadata"]>;

/** A chunk of a stream or a whole reply; null when the value is no object at all. */
export function readChunk(value: unknown): GeminiChunk | null {
  const read = v.safeParse(Chunk, value);
  return read.success ? read.output : null;
}

const Problem = v.object({
  code: maybeNumber,
  message: text,
  status: text,
  details: parts({ reason: text, retryDelay: text, violations: parts({ quotaId: text }) }),
});

export type GeminiProblem = v.InferOutput<typeof Problem>;

const NO_PROBLEM: GeminiProblem = { code: null, message: "", status: "", details: [] };
const ErrorHolder = v.object({ error: v.unknown() });
const Several = v.pipe(list, v.minLength(1));

/** What a body or frame says about an error: under `error`, and that sometimes in a list. */
export function readError(value: unknown): GeminiProblem {
  const several = v.safeParse(Several, value);
  const only = several.success ? several.output[0] : value;
  const holder = v.safeParse(ErrorHolder, only);
  const read = v.safeParse(Problem, holder.success ? holder.output.error : only);
  return read.success ? read.output : NO_PROBLEM;
}
