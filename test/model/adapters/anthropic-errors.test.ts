// Every way the Messages API refuses or fails becomes one error: its kind, whether to try again and when.
import { describe, expect, test } from "bun:test";
import { anthropic } from "../../../src/model/adapters/anthropic.ts";
import { anthropicBody, sse } from "../../support/anthropic-server.ts";
import { wireReply, type Head } from "./wire-reply.ts";

const { summary } = wireReply(anthropic);

function said(type: string, message: string): string {
  return JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
}

const REFUSALS: [status: number, body: string, kind: string, retryable: boolean][] = [
  [400, said("invalid_request_error", "messages.0: bad"), "bad_request", false],
  [
    400,
    said("invalid_request_error", "tools.3.custom.input_schema: JSON schema is invalid"),
    "bad_request",
    false,
  ],
  [
    400,
    said("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "context_overflow",
    false,
  ],
  [
    400,
    said("invalid_request_error", "input length and `max_tokens` exceed context limit: 1 + 2 > 2"),
    "context_overflow",
    false,
  ],
  [
    400,
    said("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    "quota",
    false,
  ],
  [
    400,
    said("invalid_request_error", "You have reached your specified API usage limits."),
    "quota",
    false,
  ],
  [
    400,
    said("invalid_request_error", "Output blocked by content filtering policy"),
    "content_filter",
    false,
  ],
  [401, said("authentication_error", "invalid x-api-key"), "auth", false],
  [402, said("billing_error", "pay"), "quota", false],
  [403, said("permission_error", "not allowed"), "auth", false],
  [404, said("not_found_error", "model: claude-0"), "model_not_found", false],
  [404, said("not_found_error", "Not Found"), "bad_request", false],
  [408, "", "timeout", true],
  [409, said("api_error", "conflict"), "server", true],
  [413, said("request_too_large", "Request exceeds the maximum size"), "context_overflow", false],
  [422, said("invalid_request_error", "unprocessable"), "bad_request", false],
  [429, said("rate_limit_error", "slow down"), "rate_limit", true],
  [500, said("api_error", "Internal server error"), "server", true],
  [502, "<html><title>502 Bad Gateway</title></html>", "server", true],
  [503, "", "overloaded", true],
  [504, said("timeout_error", "took too long"), "timeout", true],
  [529, said("overloaded_error", "Overloaded"), "overloaded", true],
  [301, "", "bad_request", false],
];

describe("a refusal", () => {
  test.each(REFUSALS)("HTTP %p %p is %p", async (status, body, kind, retryable) => {
    const { failed, stop } = await summary(body, { status, contentType: "application/json" });
    expect({ stop, failed }).toMatchObject({ stop: null, failed: { kind, retryable, status } });
  });

  test("says what the provider said, when to come back, and the request's name", async () => {
    const headers = { "retry-after": "7", "request-id": "req_1" };
    const head: Head = { status: 429, contentType: "application/json", headers };
    expect((await summary(said("rate_limit_error", "Slow down."), head)).failed).toEqual({
      kind: "rate_limit",
      retryable: true,
      retryAfterMs: 7000,
      status: 429,
      requestId: "req_1",
      message: "the provider's rate limit was reached (HTTP 429): Slow down",
    });
  });
});

const whole = anthropicBody({ blocks: [{ type: "text", text: "Hello" }] });
const START = { type: "message_start", message: { content: [] } };
const TEXT = { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } };

function failing(type: string, message = "no"): string {
  return sse(START, TEXT, { type: "error", error: { type, message } });
}

const BREAKS: [what: string, body: string, kind: string, retryable: boolean][] = [
  ["an overload in its midst", failing("overloaded_error", "Overloaded"), "overloaded", true],
  ["a rate limit in its midst", failing("rate_limit_error"), "rate_limit", true],
  ["a fault of the provider", failing("api_error"), "server", true],
  [
    "a prompt too long",
    failing("invalid_request_error", "prompt is too long"),
    "context_overflow",
    false,
  ],
  ["an error of a type we do not know", failing("odd_error"), "server", true],
  ["an error at once, as a body", said("overloaded_error", "Overloaded"), "overloaded", true],
  ["an error without a type", 'data: {"error":{"message":"no"}}\n\n', "server", true],
  ["nothing at all", "", "stream_cut", true],
  ["nothing but pings", sse({ type: "ping" }), "stream_cut", true],
  ["an end without a beginning", sse({ type: "message_stop" }), "stream_cut", true],
  ["an end before text", whole.slice(0, whole.indexOf("event: ping")), "stream_cut", true],
  ["an end in its text", whole.slice(0, whole.indexOf("lo")), "stream_cut", true],
  [
    "an end before its reason to stop",
    whole.slice(0, whole.indexOf("event: message_delta")),
    "stream_cut",
    true,
  ],
  ["another reply in it", sse(START, TEXT, START), "stream_cut", true],
  [
    "arguments of no call",
    sse(START, {
      type: "content_block_delta",
      index: 4,
      delta: { type: "input_json_delta", partial_json: "{" },
    }),
    "stream_cut",
    true,
  ],
  ["garbage", `${sse(START)}data: {"type":\n\n`, "stream_cut", true],
  ["a web page", "<!doctype html><title>Sign in</title>", "bad_request", false],
];

describe("a stream", () => {
  test.each(BREAKS)("with %s fails", async (_, body, kind, retryable) => {
    const contentType = body.startsWith("{") ? "application/json" : "text/event-stream";
    const { failed, stop } = await summary(body, { contentType });
    expect({ stop, failed }).toMatchObject({ stop: null, failed: { kind, retryable } });
  });

  test("that fails in the midst of a call leaves no call to run", async () => {
    const call = { type: "tool_use", id: "a", name: "x", input: { n: 1 } } as const;
    const body = anthropicBody({ blocks: [call] });
    expect(await summary(body.slice(0, body.indexOf("event: content_block_stop")))).toMatchObject({
      calls: [],
      failed: { kind: "stream_cut" },
    });
  });
});
