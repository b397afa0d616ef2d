// Every way the Gemini API refuses or fails becomes one error: its kind, whether to try again and when.
import { describe, expect, test } from "bun:test";
import { gemini } from "../../../src/model/adapters/gemini.ts";
import { geminiBody, sse } from "../../support/gemini-server.ts";
import { wireReply } from "./wire-reply.ts";

const { summary } = wireReply(gemini);

function said(code: number, status: string, message: string, details: object[] = []): string {
  return JSON.stringify({ error: { code, message, status, details } });
}

const PER_DAY = { violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel" }] };
const PER_MINUTE = { violations: [{ quotaId: "GenerateRequestsPerMinutePerProject" }] };
const QUOTA = "You exceeded your current quota, please check your plan and billing details.";

const REFUSALS: [status: number, body: string, kind: string, retryable: boolean][] = [
  [400, said(400, "INVALID_ARGUMENT", "Invalid JSON payload"), "bad_request", false],
  [
    400,
    said(
      400,
      "INVALID_ARGUMENT",
      "GenerateContentRequest.tools[0].function_declarations[3].parameters: bad",
    ),
    "bad_request",
    false,
  ],
  [
    400,
    said(
      400,
      "INVALID_ARGUMENT",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    "context_overflow",
    false,
  ],
  [
    400,
    said(400, "INVALID_ARGUMENT", "API key not valid.", [{ reason: "API_KEY_INVALID" }]),
    "auth",
    false,
  ],
  [400, `[${said(400, "INVALID_ARGUMENT", "in a list")}]`, "bad_request", false],
  [
    400,
    said(400, "INVALID_ARGUMENT", "Function calling is not enabled for models/gemma"),
    "tool_unsupported",
    false,
  ],
  [400, said(400, "FAILED_PRECONDITION", "Please enable billing on your project"), "quota", false],
  [401, said(401, "UNAUTHENTICATED", "no"), "auth", false],
  [403, said(403, "PERMISSION_DENIED", "no"), "auth", false],
  [
    404,
    said(404, "NOT_FOUND", "models/gemini-0 is not found for API version v1beta"),
    "model_not_found",
    false,
  ],
  [404, "Not Found", "bad_request", false],
  [408, "", "timeout", true],
  [409, said(409, "ABORTED", "conflict"), "server", true],
  [413, "", "context_overflow", false],
  [422, "", "bad_request", false],
  [429, said(429, "RESOURCE_EXHAUSTED", QUOTA, [PER_MINUTE]), "rate_limit", true],
  [429, said(429, "RESOURCE_EXHAUSTED", QUOTA, [PER_DAY]), "quota", false],
  [429, said(429, "RESOURCE_EXHAUSTED", `${QUOTA} limit: 0, model: x`), "quota", false],
  [500, said(500, "INTERNAL", "An internal error has occurred"), "server", true],
  [502, "<html><title>502 Bad Gateway</title></html>", "server", true],
  [503, said(503, "UNAVAILABLE", "The model is overloaded."), "overloaded", true],
  [504, said(504, "DEADLINE_EXCEEDED", "late"), "timeout", true],
  [529, "", "overloaded", true],
];

describe("a refusal", () => {
  test.each(REFUSALS)("HTTP %p %p is %p", async (status, body, kind, retryable) => {
    const { failed, stop } = await summary(body, { status, contentType: "application/json" });
    expect({ stop, failed }).toMatchObject({ stop: null, failed: { kind, retryable, status } });
  });

  test.each([
    ["in the details", "Slow down.", [{ retryDelay: "34s" }], 34_000],
    ["in the text", "Please retry in 1.5s.", [{ retryDelay: "34s" }], 1500],
    ["nowhere", "Slow down.", [], null],
  ])("says when to come back: %s", async (_, message, details, retryAfterMs) => {
    const body = said(429, "RESOURCE_EXHAUSTED", message, details);
    const { failed } = await summary(body, { status: 429, contentType: "application/json" });
    expect(failed).toMatchObject({ kind: "rate_limit", retryAfterMs });
  });
});

const TEXT = { candidates: [{ content: { parts: [{ text: "Hello" }] }, index: 0 }] };
const whole = geminiBody({ parts: [{ text: "Hello" }, { text: "you" }] });

function finishing(finishReason: string, finishMessage = ""): string {
  return sse(TEXT, { candidates: [{ finishReason, finishMessage, index: 0 }] });
}

const BREAKS: [what: string, body: string, kind: string, retryable: boolean][] = [
  ["a malformed call", finishing("MALFORMED_FUNCTION_CALL"), "server", true],
  ["a call of no tool", finishing("UNEXPECTED_TOOL_CALL"), "server", true],
  ["a missing signature", finishing("MISSING_THOUGHT_SIGNATURE"), "bad_request", false],
  ["no reason that is named", finishing("OTHER"), "server", true],
  [
    "a prompt that is blocked",
    sse({ promptFeedback: { blockReason: "SAFETY" } }),
    "content_filter",
    false,
  ],
  [
    "an error in its midst",
    sse(TEXT, JSON.parse(said(503, "UNAVAILABLE", "busy"))),
    "overloaded",
    true,
  ],
  [
    "an error at once",
    sse(JSON.parse(said(429, "RESOURCE_EXHAUSTED", "slow"))),
    "rate_limit",
    true,
  ],
  ["an error as its body", said(500, "INTERNAL", "no"), "server", true],
  [
    "an error in a list as its body",
    `[${said(400, "INVALID_ARGUMENT", "no")}]`,
    "bad_request",
    false,
  ],
  ["nothing at all", "", "stream_cut", true],
  ["an end in its text", whole.slice(0, whole.indexOf("llo")), "stream_cut", true],
  ["an end before its reason to stop", sse(TEXT), "stream_cut", true],
  ["garbage", 'data: {"candidates":\n\n', "stream_cut", true],
  ["a web page", "<!doctype html><title>Sign in</title>", "bad_request", false],
];

describe("a stream", () => {
  test.each(BREAKS)("with %s fails", async (_, body, kind, retryable) => {
    const contentType = body.startsWith("data") ? "text/event-stream" : "application/json";
    const { failed, stop } = await summary(body, { contentType });
    expect({ stop, failed }).toMatchObject({ stop: null, failed: { kind, retryable } });
  });

  test("says what was wrong, in the provider's words", async () => {
    const body = finishing("MALFORMED_FUNCTION_CALL", "Malformed function call: print(");
    expect((await summary(body)).failed?.message).toBe(
      "the model wrote a tool call that is none (MALFORMED_FUNCTION_CALL): Malformed function call: print(",
    );
  });
});
