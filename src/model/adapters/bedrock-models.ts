// Where the models behind Bedrock differ: how they are asked to think, and what of a request they cache.
import type { Effort, ModelRequest } from "../request.ts";
import { thinkingFields } from "./anthropic-thinking.ts";

export type Caches = { system: boolean; tools: boolean; messages: boolean };

/** Models that know no cache points refuse them. */
export function cachesOf(model: string): Caches {
  const isClaude = /claude-(3-5-haiku|3-7|[a-z]+-\d)/.test(model);
  return { system: isClaude || /\bnova-/.test(model), tools: isClaude, messages: isClaude };
}

/** `own` holds the fields that only this model knows. */
export type Inference = {
  maxTokens: number | null;
  temperature: number | null;
  own: Record<string, unknown>;
};

export function inferenceOf(request: ModelRequest): Inference {
  const { model, effort, maxOutputTokens: maxTokens, temperature } = request;
  if (/claude/.test(model)) {
    const { max_tokens, temperature: degree, ...own } = thinkingFields(request, "bedrock");
    return { maxTokens: max_tokens, temperature: degree ?? null, own };
  }
  const own = effort !== null && /gpt-oss/.test(model) ? { reasoning_effort: levelOf(effort) } : {};
  return { maxTokens, temperature, own };
}

function levelOf(effort: Effort): "low" | "medium" | "high" {
  switch (effort) {
    case "off":
    case "minimal":
    case "low":
      return "low";
    case "medium":
      return "medium";
    case "high":
    case "xhigh":
    case "max":
      return "high";
  }
}
