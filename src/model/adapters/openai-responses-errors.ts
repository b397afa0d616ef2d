// What the Responses API says when it refuses or fails, as the problem that every wire maps its errors to.
import { isRecord } from "../../base/json.ts";
import { readError } from "./openai-chat-shape.ts";
import type { Problem } from "./openai-errors.ts";

/** The status that goes with each code: an error inside a good stream often has no other. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_prompt: 400,
  invalid_request_error: 400,
  previous_response_not_found: 400,
  rate_limit_exceeded: 429,
  server_error: 500,
  vector_store_timeout: 504,
};

/** `value` is a body, an event or a reply: it holds an error, or is one. */
export function responsesProblem(value: unknown): Problem {
  const { type, code, message } = readError(value);
  // Of an event that is itself the error, the type says no more than that.
  const codes = [type, code].map(String).filter((name) => name !== "" && name !== "error");
  return { message, codes, status: statusIn(value) ?? statusFor(codes) };
}

/** Over WebSocket an error says which status it would have had. */
function statusIn(value: unknown): number | null {
  const { status } = isRecord(value) ? value : {};
  return typeof status === "number" && status >= 400 && status < 600 ? status : null;
}

function statusFor(codes: string[]): number | null {
  return codes.map((code) => STATUS[code]).find((status) => status !== undefined) ?? null;
}
