// Every way the Responses API refuses or fails becomes one error: its kind, and whether to try again.
import { describe, expect, test } from "bun:test";
import { openaiResponses } from "../../../src/model/adapters/openai-responses.ts";
import { responsesBody, sse, type StreamEvent } from "../../support/responses-reply.ts";
import { wireReply, type Head } from "./wire-reply.ts";

const { summary } = wireReply(openaiResponses);

function said(type: string, message: string, code: string | null = null): string {
  return JSON.stringify({ error: { type, message, code, param: null } });
}

const INVALID = "invalid_request_error";
const REFUSALS: [status: number, body: string, kind: string, retryable: boolean][] = [
  [400, said(INVALID, "Unsupported parameter: 'temperature'"), "bad_request", false],
  [400, said(INVALID, "Invalid schema for function 'x': bad"), "bad_request", false],
  [400, said(INVALID, "Too long.", "context_length_exceeded"), "context_overflow", false],
  [400, said(INVALID, "Flagged.", "content_policy_violation"), "content_filter", false],
  [400, said(INVALID, "The requested model 'x' does not exist."), "model_not_found", false],
  [401, said(INVALID, "Incorrect API key provided", "invalid_api_key"), "auth", false],
  [403, said(INVALID, "Country not supported"), "auth", false],
  [404, said(INVALID, "The model `x` does not exist", "model_not_found"), "model_not_found", false],
  [404, "", "bad_request", false],
  [408, "", "timeout", true],
  [409, "", "server", true],
  [413, "", "context_overflow", false],
  [422, said(INVALID, "unprocessable"), "bad_request", false],
  [429, said("requests", "Rate limit reached", "rate_limit_exceeded"), "rate_limit", true],
  [429, said("insufficient_quota", "You exceeded your current quota"), "quota", false],
  [500, said("server_error", "The server had an error"), "server", true],
  [502, "<html><title>502 Bad Gateway</title></html>", "server", true],
  [503, "", "overloaded", true],
  [529, "", "overloaded", true],
  [301, "", "bad_request", false],
];

describe("a refusal", () => {
  test.each(REFUSALS)("HTTP %p %p is %p", async (status, body, kind, retryable) => {
    const { failed, stop } = await summary(body, { status, contentType: "application/json" });
    expect([String(failed?.kind), failed?.retryable, failed?.status, stop]).toEqual([
      kind,
      retryable,
      status,
      null,
    ]);
  });

  const DATE = new Date(Date.now() + 60_000).toUTCString();
  test.each([
    [{ "retry-after": "7" }, "slow down", [7000, 7000]],
    [{ "retry-after-ms": "1500" }, "slow down", [1500, 1500]],
    [{ "retry-after": DATE }, "slow down", [50_000, 61_000]],
    [{}, "Please try again in 11s.", [11_000, 11_000]],
  ] as const)("%j %p says when to come back", async (headers, message, [least, most]) => {
    const head: Head = { status: 429, contentType: "application/json", headers };
    const { failed } = await summary(said("requests", message), head);
    expect(failed?.retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(failed?.retryAfterMs).toBeLessThanOrEqual(most);
  });
});

const TEXT: StreamEvent = { type: "response.output_text.delta", output_index: 0, delta: "Hi" };

function failing(code: string, message = "no"): StreamEvent {
  return {
    type: "response.failed",
    response: { id: "r", status: "failed", error: { code, message } },
  };
}

const STREAMS: [what: string, body: string, kind: string, retryable: boolean][] = [
  [
    "an error event",
    sse(TEXT, { type: "error", code: "server_error", message: "boom" }),
    "server",
    true,
  ],
  [
    "an error event with its error inside",
    sse({ type: "error", error: { type: "overloaded_error", message: "later" } }),
    "overloaded",
    true,
  ],
  [
    "an error event with a status",
    sse({ type: "error", status: 401, error: { message: "who?" } }),
    "auth",
    false,
  ],
  ["an error that came as a message", `data: ${said("server_error", "boom")}\n\n`, "server", true],
  ["an error event of no known shape", "event: error\ndata: {}\n\n", "server", true],
  ["a reply that failed", sse(TEXT, failing("server_error")), "server", true],
  [
    "a reply that failed at its limit",
    sse(failing("rate_limit_exceeded", "Try again in 2s.")),
    "rate_limit",
    true,
  ],
  ["a reply that was too long", sse(failing("context_length_exceeded")), "context_overflow", false],
  [
    "a reply that failed without a word",
    sse({ type: "response.failed", response: {} }),
    "server",
    true,
  ],
  [
    "a reply that was called off",
    sse(TEXT, { type: "response.cancelled", response: {} }),
    "server",
    true,
  ],
  ["an error in a whole body", said("server_error", "boom"), "server", true],
  ["a text as an error", '{"error":"model is loading"}', "server", true],
  ["a cut before anything", "", "stream_cut", true],
  ["a cut after text", sse(TEXT), "stream_cut", true],
  ["a cut in the middle of an event", `${sse(TEXT)}data: {"type":"resp`, "stream_cut", true],
  [
    "a cut after the call",
    sse({
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "function_call", call_id: "a", name: "x", arguments: "{}" },
    }),
    "stream_cut",
    true,
  ],
  ["only the mark of an end", "data: [DONE]\n\n", "stream_cut", true],
  ["a web page", "<!doctype html><title>Sign in</title>", "bad_request", false],
  ["garbage", "data: \u0000\u0001\n\n", "stream_cut", true],
  ["JSON that is no reply", "data: 1\n\ndata: null\n\ndata: [{}]\n\n", "stream_cut", true],
];

test.each(STREAMS)("%s after HTTP 200", async (_, body, kind, retryable) => {
  const { failed, stop } = await summary(body);
  expect([String(failed?.kind), failed?.retryable, stop]).toEqual([kind, retryable, null]);
});

test("a reply that is cut anywhere has failed", async () => {
  const body = responsesBody({
    items: [
      { type: "message", text: "Hi" },
      { type: "function_call", id: "a", name: "read", input: { path: "x" } },
    ],
  });
  const end = body.lastIndexOf("\nevent: response.completed");
  for (let at = 0; at <= end; at += 1) {
    const { failed } = await summary(body.slice(0, at));
    expect([at, failed?.kind]).toEqual([at, "stream_cut"]);
  }
});

test("a message of an error never holds more than a line of it", async () => {
  const { failed } = await summary(sse(failing("server_error", "a\nb\u001b[31mc")));
  expect(failed?.message).toBe("the provider failed (HTTP 500): a b [31mc");
});
