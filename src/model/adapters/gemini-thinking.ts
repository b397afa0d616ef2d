// How much a Gemini model may think: by a budget of tokens in generation 2.5, by a level from 3 on.
import type { Effort } from "../request.ts";

export type ThinkingConfig = {
  includeThoughts?: true;
  thinkingBudget?: number;
  thinkingLevel?: "MINIMAL" | "LOW" | "MEDIUM" | "HIGH";
};

type Level = NonNullable<ThinkingConfig["thinkingLevel"]>;

/** Null for models that do not think, which refuse the field. */
export function thinkingConfig(model: string, effort: Effort | null): ThinkingConfig | null {
  const version = versionOf(model);
  if (version === null || version < 2.5) return null;
  if (effort === null) return { includeThoughts: true };
  const amount =
    version < 3
      ? { thinkingBudget: budgetOf(model, effort) }
      : { thinkingLevel: levelOf(model, effort) };
  return effort === "off" ? amount : { includeThoughts: true, ...amount };
}

/** Signatures of thoughts are demanded with calls from this generation on. */
export function demandsSignatures(model: string): boolean {
  return (versionOf(model) ?? 0) >= 3;
}

/** `gemini-2.5-pro`, `gemini-3-flash-preview`; those named “latest” are at least of 2.5. */
function versionOf(model: string): number | null {
  const [, number] = /gemini-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  if (number !== undefined) return Number(number);
  return /gemini-.*latest/.test(model) ? 2.5 : null;
}

const BUDGETS: Readonly<Record<Effort, number>> = {
  off: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 24_576,
};
const PRO_LEAST = 128;
const PRO_MOST = 32_768;

/** Pro cannot do without. */
function budgetOf(model: string, effort: Effort): number {
  if (!model.includes("-pro")) return BUDGETS[effort];
  return effort === "max" ? PRO_MOST : Math.max(PRO_LEAST, BUDGETS[effort]);
}

function levelOf(model: string, effort: Effort): Level {
  const isPro = model.includes("-pro");
  switch (effort) {
    case "off":
    case "minimal":
      return isPro ? "LOW" : "MINIMAL";
    case "low":
      return "LOW";
    case "medium":
      // The first Pro of generation 3 knows two levels only.
      return /gemini-3-pro/.test(model) ? "HIGH" : "MEDIUM";
    case "high":
    case "xhigh":
    case "max":
      return "HIGH";
  }
}
