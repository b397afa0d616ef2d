// Maps what OpenAI-compatible servers say when they refuse or fail to one ProviderError: by code, text and status.
import type { ProviderError, ProviderErrorKind } from "../event.ts";
import type { ReplyHead } from "../provider.ts";
import { retryAfter } from "../retry-after.ts";

/** What an error body or frame holds. */
export type Problem = {
  /** The provider's own words; empty where there are none. */
  message: string;
  /** Its machine-readable names: `type`, `code`. */
  codes: string[];
  /** A status named in the body, which an error after HTTP 200 may carry; null where there is none. */
  status: number | null;
  /** Where the wire itself tells what kind it is. */
  kind?: ProviderErrorKind;
};

const MAX_MESSAGE_CHARS = 600;

type Pattern = { kind: ProviderErrorKind; code: RegExp | null; text: RegExp | null };

// In order: the first that fits wins. Codes are exact names of the public API references, texts what servers without codes say.
const PATTERNS: readonly Pattern[] = [
  {
    kind: "quota",
    code: /insufficient_quota|billing|insufficient_(balance|credit|funds)|credit_balance/,
    text: /insufficient (balance|credits?|funds)|exceeded your current quota|out of credits|requires more credits/i,
  },
  {
    kind: "context_overflow",
    code: /context_length_exceeded|context_window_exceeded|string_above_max_length/,
    text: /maximum context length|context (length|window|size) (is |was )?exceed|exceeds? (the |this model's )?(available |maximum |model's )*context|prompt is too long|input is too long|reduce the length of the (messages|prompt)/i,
  },
  {
    kind: "content_filter",
    code: /content_filter|content_policy_violation|moderation|safety_violation/,
    text: /content (management )?policy|flagged (by|as)|moderation/i,
  },
  {
    kind: "tool_unsupported",
    code: null,
    text: /does not support (tools|tool use|function)|support tool use|tools? (is|are) not supported/i,
  },
  {
    kind: "auth",
    code: /invalid_api_key|invalid_authentication|authentication_error|permission_denied|account_deactivated/,
    text: /(invalid|incorrect|missing|no) api.?key|no auth credentials/i,
  },
  {
    kind: "model_not_found",
    code: /model_not_found|model_not_available|unknown_model/,
    text: /model\b.{0,120}\b(not found|does not exist|not exist|is not available)|(no such|unknown|invalid) model|not a valid model/i,
  },
  {
    kind: "rate_limit",
    code: /rate_limit|too_many_requests/,
    text: /rate.?limit|too many requests/i,
  },
  { kind: "overloaded", code: /overloaded|capacity|unavailable/, text: /overloaded|at capacity/i },
];

/** The failure of a reply, from its status and headers and what its body said. */
export function providerError(head: ReplyHead, problem: Problem): ProviderError {
  const status =
    head.status >= 200 && head.status < 300 ? (problem.status ?? head.status) : head.status;
  const kind = problem.kind ?? kindOf(status, problem);
  const words = clean(problem.message);
  return {
    kind,
    retryable: isRetryable(kind, status),
    retryAfterMs: retryAfter(head.headers, problem.message),
    status,
    requestId: head.headers["x-request-id"] ?? head.headers["request-id"] ?? null,
    message: sentenceFor(kind, status, words),
  };
}

/** A failure of the stream itself, after a good start. */
export function streamError(
  head: ReplyHead,
  kind: ProviderErrorKind,
  message: string,
): ProviderError {
  return {
    kind,
    retryable: isRetryable(kind, head.status),
    retryAfterMs: null,
    status: head.status,
    requestId: head.headers["x-request-id"] ?? head.headers["request-id"] ?? null,
    message,
  };
}

function kindOf(status: number, problem: Problem): ProviderErrorKind {
  const codes = problem.codes.join(" ").toLowerCase();
  for (const pattern of PATTERNS) {
    // “The model is not available” is the server's trouble where the status says so.
    if (pattern.kind === "model_not_found" && status >= 500) continue;
    if (pattern.code?.test(codes) || pattern.text?.test(problem.message)) return pattern.kind;
  }
  return BY_STATUS[status] ?? kindOfClass(status);
}

const BY_STATUS: Readonly<Record<number, ProviderErrorKind>> = {
  401: "auth",
  402: "quota",
  403: "auth",
  408: "timeout",
  409: "server",
  413: "context_overflow",
  425: "overloaded",
  429: "rate_limit",
  498: "overloaded",
  503: "overloaded",
  504: "timeout",
  522: "timeout",
  524: "timeout",
  529: "overloaded",
};

function kindOfClass(status: number): ProviderErrorKind {
  // An error after HTTP 200 that names no status is the server's own failure.
  return status >= 300 && status < 500 ? "bad_request" : "server";
}

const RETRYABLE: ReadonlySet<ProviderErrorKind> = new Set([
  "rate_limit",
  "overloaded",
  "transport",
  "timeout",
  "stream_cut",
  "server",
]);

function isRetryable(kind: ProviderErrorKind, status: number): boolean {
  return RETRYABLE.has(kind) && status !== 501 && status !== 505;
}

function sentenceFor(kind: ProviderErrorKind, status: number, words: string): string {
  const http = status >= 200 && status < 300 ? "after a good start" : `HTTP ${status}`;
  const said = words === "" ? "" : `: ${words}`;
  const step = NEXT_STEP[kind];
  return `${CAUSE[kind]} (${http})${said}${step === undefined ? "" : `; ${step}`}`;
}

const CAUSE: Readonly<Record<ProviderErrorKind, string>> = {
  auth: "the provider did not accept the credential",
  rate_limit: "the provider's rate limit was reached",
  quota: "the account's quota or balance is used up",
  overloaded: "the provider is overloaded",
  transport: "the connection failed",
  timeout: "the provider took too long",
  stream_cut: "the reply broke off",
  context_overflow: "the request is larger than the model's context",
  tool_unsupported: "the model cannot use tools",
  bad_request: "the provider refused the request",
  content_filter: "the provider's content filter stopped the request",
  model_not_found: "the provider has no such model",
  server: "the provider failed",
  aborted: "the request was stopped",
};

const NEXT_STEP: Readonly<Partial<Record<ProviderErrorKind, string>>> = {
  auth: "check the API key and what it may use",
  quota: "add credit or choose another model",
  tool_unsupported: "choose another model",
  model_not_found: "check the model's name",
};

/** One line, without control characters, not endless. */
function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- taking them out is the point
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ").trim();
  const cut = line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS)}…` : line;
  return cut.toWellFormed().replace(/[.;]$/, "");
}
