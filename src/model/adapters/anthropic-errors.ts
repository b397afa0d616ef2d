// What the Messages API says when it refuses or fails, as the problem that every wire maps its errors to.
import type { ProviderErrorKind } from "../event.ts";
import { readError } from "./anthropic-shape.ts";
import type { Problem } from "./openai-errors.ts";

/** The status that goes with each type of error: an error inside a good stream has no other. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** `invalid_request_error` is all the type says of these. */
const BY_TEXT: readonly [kind: ProviderErrorKind, text: RegExp][] = [
  ["context_overflow", /prompt is too long|exceeds? (the )?context|input length and `max_tokens`/i],
  ["quota", /credit balance is too low|reached your specified .*usage limits/i],
  ["content_filter", /blocked by content filtering/i],
];

export function anthropicProblem(value: unknown): Problem {
  const { type, message } = readError(value);
  const kind = kindOf(type, message);
  const problem = { message, codes: [type], status: STATUS[type] ?? null };
  return kind === null ? problem : { ...problem, kind };
}

/** Null where type and status say enough. */
function kindOf(type: string, message: string): ProviderErrorKind | null {
  // Of all that cannot be found here, only a model is named like this.
  if (type === "not_found_error" && /^model\b/i.test(message)) return "model_not_found";
  return BY_TEXT.find(([, text]) => text.test(message))?.[0] ?? null;
}
