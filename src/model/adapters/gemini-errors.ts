// What the Gemini API says when it refuses or fails, as the problem that every wire maps its errors to.
import type { ProviderErrorKind } from "../event.ts";
import { readError, type GeminiProblem } from "./gemini-shape.ts";
import type { Problem } from "./openai-errors.ts";

/** What the statuses, which are those of all Google APIs, do not tell apart. */
const BY_TEXT: readonly [kind: ProviderErrorKind, text: RegExp][] = [
  ["auth", /API_KEY_INVALID|api key (not valid|expired|not found)/i],
  ["context_overflow", /(input )?token count .{0,40}exceeds|exceeds the maximum number of tokens/i],
  ["tool_unsupported", /function calling is not (enabled|supported)|does not support function/i],
  ["model_not_found", /\bmodels\/\S+ is not (found|supported)/i],
  ["quota", /requires billing|enable billing|billing (account|to be enabled)/i],
];
/** Both come as RESOURCE_EXHAUSTED; what is gone for the day, or was never given, is not worth waiting for. */
const GONE = /per.?day|\blimit: 0\b/i;

export function geminiProblem(value: unknown): Problem {
  const shape = readError(value);
  const kind = kindOf(shape);
  const problem = { message: messageOf(shape), codes: [shape.status], status: statusOf(shape) };
  return kind === null ? problem : { ...problem, kind };
}

/** Null where the status says enough. */
function kindOf(shape: GeminiProblem): ProviderErrorKind | null {
  const reasons = shape.details.map((detail) => detail?.reason ?? "").join(" ");
  const quotas = shape.details.flatMap(
    (detail) => detail?.violations.map((violation) => violation?.quotaId ?? "") ?? [],
  );
  if (shape.status === "RESOURCE_EXHAUSTED" || shape.code === 429) {
    return GONE.test(`${shape.message} ${quotas.join(" ")}`) ? "quota" : "rate_limit";
  }
  const said = `${reasons} ${shape.message}`;
  return BY_TEXT.find(([, text]) => text.test(said))?.[0] ?? null;
}

/** With the time to wait, which the details hold and the text may hold. */
function messageOf({ message, details }: GeminiProblem): string {
  const delay = details.find((detail) => (detail?.retryDelay ?? "") !== "")?.retryDelay;
  return delay === undefined || /retry in \d/i.test(message)
    ? message
    : `${message} (retry in ${delay})`;
}

function statusOf({ code }: GeminiProblem): number | null {
  return code !== null && code >= 400 && code < 600 ? code : null;
}
