// Every way a provider refuses or fails becomes one error: its kind, whether to try again and when, and a sentence.
import { describe, expect, test } from "bun:test";
import type { ProviderError } from "../../src/model/event.ts";
import { delta, sse, summary, type Head } from "./chat-reply.ts";

async function failure(body: string, head: Head = {}): Promise<Partial<ProviderError>> {
  const contentType = body.startsWith("data:") ? "text/event-stream" : "application/json";
  const { failed, stop } = await summary(body, { contentType, ...head });
  expect(stop).toBeNull();
  if (failed === null) throw new Error("no failure");
  return failed;
}

const said = (message: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ error: { message, ...more } });

const REFUSALS: [status: number, body: string, kind: string, retryable: boolean][] = [
  [400, said("bad field"), "bad_request", false],
  [400, said("This model's maximum context length is 8192 tokens."), "context_overflow", false],
  [400, said("too long", { code: "context_length_exceeded" }), "context_overflow", false],
  [400, said("the request exceeds the available context size"), "context_overflow", false],
  [400, said("llama3 does not support tools"), "tool_unsupported", false],
  [400, said("flagged", { code: "content_filter" }), "content_filter", false],
  [400, said("unknown model: x"), "model_not_found", false],
  [401, said("Incorrect API key provided"), "auth", false],
  [401, "", "auth", false],
  [402, said("Insufficient Balance"), "quota", false],
  [403, said("no access"), "auth", false],
  [404, said("no", { code: "model_not_found" }), "model_not_found", false],
  [404, said("The model `x` does not exist"), "model_not_found", false],
  [404, said("No endpoints found that support tool use"), "tool_unsupported", false],
  [404, "404 page not found", "bad_request", false],
  [408, "", "timeout", true],
  [413, "", "context_overflow", false],
  [422, '{"detail":[{"msg":"field required"}]}', "bad_request", false],
  [429, said("slow down"), "rate_limit", true],
  [429, said("You exceeded your current quota", { code: "insufficient_quota" }), "quota", false],
  [498, "", "overloaded", true],
  [500, said("oops"), "server", true],
  [501, "", "server", false],
  [502, "<html><title>502 Bad Gateway</title></html>", "server", true],
  [503, said("busy"), "overloaded", true],
  [503, said("The model is not available just now"), "overloaded", true],
  [504, "", "timeout", true],
  [529, "", "overloaded", true],
  [418, '{"object":"error","message":"short and stout","code":418}', "bad_request", false],
  [400, '[{"error":{"message":"in a list"}}]', "bad_request", false],
];

describe("a refusal", () => {
  test.each(REFUSALS)("HTTP %p %p is %p", async (status, body, kind, retryable) => {
    expect(await failure(body, { status })).toMatchObject({ kind, retryable, status });
  });

  test("says what the provider said, and what to do", async () => {
    const got = await failure(said("Incorrect API key provided."), { status: 401 });
    expect(got.message).toBe(
      "the provider did not accept the credential (HTTP 401): Incorrect API key provided; check the API key and what it may use",
    );
  });

  test("reads a web page by its title", async () => {
    const page = "<!doctype html><title>502 Bad\n Gateway</title><p>nginx";
    const got = await failure(page, { status: 502, contentType: "text/html" });
    expect(got.message).toBe("the provider failed (HTTP 502): 502 Bad Gateway");
  });

  test("reads a plain text", async () => {
    const got = await failure("upstream\tdown\n", { status: 500, contentType: "text/plain" });
    expect(got.message).toBe("the provider failed (HTTP 500): upstream down");
  });

  test("names the host that a redirect leads to, not its address", async () => {
    const headers = { location: "https://elsewhere.example/sign-in?token=sekrit" };
    const got = await failure("", { status: 307, headers });
    expect(got).toMatchObject({ kind: "bad_request", retryable: false });
    expect(got.message).toContain("elsewhere.example;");
    expect(got.message).not.toContain("sekrit");
  });

  test("passes on what the provider behind a router said", async () => {
    const body = said("Provider returned error", { code: 502, metadata: { raw: "model crashed" } });
    expect((await failure(body, { status: 502 })).message).toContain(
      "Provider returned error: model crashed",
    );
  });

  test("takes control characters out and cuts what is endless", async () => {
    const got = await failure(said(`\u001b[31mred\u0007 ${"x".repeat(5000)}`), { status: 500 });
    expect(got.message).toStartWith("the provider failed (HTTP 500): [31mred xxx");
    expect(got.message?.length).toBeLessThan(700);
  });

  test("keeps the id of the request", async () => {
    const got = await failure(said("x"), { status: 500, headers: { "x-request-id": "req-1" } });
    expect(got.requestId).toBe("req-1");
  });
});

const WAITS: [what: string, headers: Record<string, string>, message: string, ms: number | null][] =
  [
    ["seconds", { "retry-after": "2" }, "", 2000],
    ["part of a second", { "retry-after": "0.25" }, "", 250],
    ["milliseconds", { "retry-after-ms": "1500", "retry-after": "9" }, "", 1500],
    [
      "a date, by the server's clock",
      { "retry-after": "Wed, 01 Jan 2020 00:00:30 GMT", date: "Wed, 01 Jan 2020 00:00:00 GMT" },
      "",
      30_000,
    ],
    ["a date that is past", { "retry-after": "Wed, 01 Jan 2020 00:00:30 GMT" }, "", 0],
    ["words", {}, "Rate limit reached. Please try again in 1m2.5s.", 62_500],
    ["words in milliseconds", {}, "try again in 250ms", 250],
    ["nothing", {}, "slow down", null],
    ["nonsense", { "retry-after": "soon", "retry-after-ms": "-1" }, "", null],
  ];

test.each(WAITS)("the time to wait is read from %s", async (_, headers, message, ms) => {
  expect((await failure(said(message), { status: 429, headers })).retryAfterMs ?? null).toBe(ms);
});

describe("after HTTP 200", () => {
  const frames: [what: string, body: string, kind: string, retryable: boolean][] = [
    [
      "an error frame",
      sse(delta({ content: "Hi" }), { error: { message: "x", type: "server_error" } }),
      "server",
      true,
    ],
    [
      "an error frame with a status",
      sse({ error: { message: "x", code: 429 } }),
      "rate_limit",
      true,
    ],
    ["an error as text", sse({ error: "it broke" }), "server", true],
    ["an error of no words", sse({ error: {} }), "server", true],
    [
      "an error beside choices",
      sse({
        error: { message: "x", code: 503 },
        choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      }),
      "overloaded",
      true,
    ],
    ["a bare error", sse({ object: "error", message: "x", code: 400 }), "bad_request", false],
    [
      "an event named error",
      'event: error\ndata: {"message":"x","type":"overloaded_error"}\n\n',
      "overloaded",
      true,
    ],
    [
      "an error after the reason to stop",
      sse(delta({ content: "Hi" }, { finish_reason: "stop" }), { error: { message: "x" } }),
      "server",
      true,
    ],
    ["an error body", said("no", { type: "invalid_api_key" }), "auth", false],
    ["a web page", "<html><title>Sign in</title></html>", "bad_request", false],
    ["JSON without an answer", "{}", "stream_cut", true],
    ["broken JSON", '{"choices":[', "stream_cut", true],
    ["a broken frame", "data: {broken\n\n", "stream_cut", true],
    ["only the closing mark", "data: [DONE]\n\n", "stream_cut", true],
    ["an empty body", "", "stream_cut", true],
    ["no reason to stop", sse(delta({ content: "Hi" })), "stream_cut", true],
  ];
  test.each(frames)("%s is a failure", async (_, body, kind, retryable) => {
    expect(await failure(body)).toMatchObject({ kind, retryable });
  });

  test("`error: null` is none", async () => {
    const body = sse({
      error: null,
      choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }],
    });
    expect(await summary(body)).toMatchObject({ text: "Hi", stop: "end", failed: null });
  });

  test("a web page is named as such", async () => {
    expect(
      (await failure("<html><title>Sign in</title></html>", { contentType: "text/html" })).message,
    ).toBe(
      "a web page came instead of a model's reply (Sign in); check the base URL and any proxy in between",
    );
  });
});
