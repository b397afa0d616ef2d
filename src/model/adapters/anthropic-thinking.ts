// How much a model of the Messages API may think and write: by its generation, which its name tells.
import type { Effort, ModelRequest } from "../request.ts";
import type { Wire } from "../wire-names.ts";
import { replays } from "./replay.ts";

type Thinking =
  | { type: "enabled"; budget_tokens: number }
  | { type: "adaptive"; display: "summarized" };

export type ThinkingFields = {
  max_tokens: number;
  temperature?: number;
  thinking?: Thinking;
  output_config?: { effort: string };
};

type Generation = {
  /** By a budget of tokens, or (from 4.6 on) as it sees fit, led by a word for the effort. */
  thinks: "never" | "by-budget" | "adaptively";
  /** Thinks unless told otherwise. */
  thinksUnasked: boolean;
  /** Takes a temperature. */
  samples: boolean;
  /** Knows the effort `xhigh`. */
  hasExtraHigh: boolean;
  maxOutput: number;
};

/** Room for an answer where nobody set a limit: a large file, but no whole context window. */
const ANSWER_TOKENS = 32_000;
/** Of a limit that was set, thinking leaves at least this for the answer. */
const LEAST_ANSWER_TOKENS = 4096;
const LEAST_BUDGET_TOKENS = 1024;

const BUDGETS: Readonly<Record<Exclude<Effort, "off">, number>> = {
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 16_000,
  xhigh: 24_000,
  max: 31_999,
};

/** `wire` is the one that thinking was kept by: the same models are spoken to on others, too. */
export function thinkingFields(request: ModelRequest, wire: Wire): ThinkingFields {
  const generation = generationOf(request.model);
  switch (generation.thinks) {
    case "never":
      return { max_tokens: maxTokens(request, generation, 0), ...temperature(request) };
    case "by-budget":
      return byBudget(request, generation, wire);
    case "adaptively":
      return adaptively(request, generation);
  }
}

function byBudget(request: ModelRequest, generation: Generation, wire: Wire): ThinkingFields {
  const { effort } = request;
  const wanted = effort === null || effort === "off" ? 0 : BUDGETS[effort];
  const max_tokens = maxTokens(request, generation, wanted);
  const budget_tokens = Math.min(wanted, max_tokens - LEAST_ANSWER_TOKENS);
  if (budget_tokens < LEAST_BUDGET_TOKENS || goesOnUnthinking(request, wire)) {
    return { max_tokens, ...temperature(request) };
  }
  return { max_tokens, thinking: { type: "enabled", budget_tokens } };
}

function adaptively(request: ModelRequest, generation: Generation): ThinkingFields {
  const { effort } = request;
  const max_tokens = maxTokens(request, generation, ANSWER_TOKENS);
  const sampling = generation.samples ? temperature(request) : {};
  const thinking: Thinking = { type: "adaptive", display: "summarized" };
  if (effort === null) {
    return generation.thinksUnasked ? { max_tokens, thinking } : { max_tokens, ...sampling };
  }
  if (effort === "off") {
    // Some of those that think unasked refuse to be told not to: then as little as can be.
    return generation.thinksUnasked
      ? { max_tokens, output_config: { effort: "low" } }
      : { max_tokens, ...sampling };
  }
  return { max_tokens, thinking, output_config: { effort: effortWord(effort, generation) } };
}

function effortWord(effort: Exclude<Effort, "off">, { hasExtraHigh }: Generation): string {
  if (effort === "minimal") return "low";
  return effort === "xhigh" && !hasExtraHigh ? "high" : effort;
}

/** The wire asks for a limit: what is needed, or what the user set. */
function maxTokens(request: ModelRequest, { maxOutput }: Generation, thinking: number): number {
  return request.maxOutputTokens ?? Math.min(maxOutput, ANSWER_TOKENS + thinking);
}

function temperature({ temperature: degree }: ModelRequest): { temperature?: number } {
  // The scale ends at 1 here, at 2 elsewhere.
  return degree === null ? {} : { temperature: Math.min(1, degree) };
}

/**
 * With a budget, a turn must think from its start: one that went through tools without (another model began it, or the
 * effort was raised in its midst) ends without.
 */
function goesOnUnthinking({ messages, model }: ModelRequest, wire: Wire): boolean {
  const start = messages.findLastIndex(({ role }) => role === "user") + 1;
  const first = messages[start];
  if (first?.role !== "assistant") return false;
  const [part] = first.parts;
  return part?.type !== "reasoning" || !replays(part, wire, model);
}

/** Names read like `claude-opus-4-6`, `claude-3-7-sonnet-20250219`, `anthropic/claude-sonnet-4.5`. */
const VERSION = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;

function generationOf(model: string): Generation {
  const [, major, minor = "0"] = VERSION.exec(model) ?? [];
  // A name without a number is one of the later families. Other vendors' models take budgets on this wire.
  const unnumbered = /claude/.test(model) ? 5 : 4;
  const version = major === undefined ? unnumbered : Number(major) + Number(minor) / 100;
  return {
    thinks: thinksOf(version),
    thinksUnasked: version >= 5,
    samples: version < 4.07,
    hasExtraHigh: version >= 4.07,
    maxOutput: maxOutputOf(version),
  };
}

function thinksOf(version: number): Generation["thinks"] {
  if (version < 3.07) return "never";
  return version < 4.06 ? "by-budget" : "adaptively";
}

function maxOutputOf(version: number): number {
  if (version < 3.05) return 4096;
  if (version < 3.07) return 8192;
  // Opus 4 and 4.1 end at 32,000; so do many other vendors' models.
  return version >= 4 && version < 4.05 ? 32_000 : 64_000;
}
