// What is made of Ollama's replies: lines, calls without ids, errors in between, and every way to fail.
import { describe, expect, test } from "bun:test";
import { ollama } from "../../../src/model/adapters/ollama.ts";
import type { ProviderError, ProviderErrorKind } from "../../../src/model/event.ts";
import { collect } from "../../support/collect.ts";
import { ndjson, ollamaBody } from "../../support/ollama-server.ts";
import { wireReply } from "./wire-reply.ts";

const reply = wireReply(ollama);
const said = (content: string): object => ({ model: "m", message: { content }, done: false });
const DONE = { model: "m", message: { content: "" }, done: true, done_reason: "stop" };

describe("a reply", () => {
  test("is told event by event", async () => {
    const body = ollamaBody({
      thinking: "hm",
      text: "I look.",
      calls: [
        { name: "read", arguments: { path: "a" } },
        { name: "list", arguments: {} },
      ],
    });
    expect(await collect(reply.events(body))).toEqual([
      { type: "response", id: null, model: "served-model" },
      { type: "thinking", delta: "hm" },
      { type: "text", delta: "I " },
      { type: "text", delta: "look." },
      { type: "call.begin", id: "own-1", name: "read" },
      { type: "call.delta", id: "own-1", delta: '{"path":"a"}' },
      { type: "call.begin", id: "own-2", name: "list" },
      { type: "call.delta", id: "own-2", delta: "{}" },
      {
        type: "usage",
        usage: { input: 20, cacheRead: 0, cacheWrite: 0, output: 7, reasoning: 0, costUsd: null },
      },
      { type: "call", call: { id: "own-1", name: "read", arguments: '{"path":"a"}' } },
      { type: "call", call: { id: "own-2", name: "list", arguments: "{}" } },
      { type: "stop", reason: "calls" },
    ]);
  });

  test.each([
    ["stop", "end"],
    ["length", "length"],
    ["load", "end"],
    ["", "end"],
  ])("that is done because of %p stops with %p", async (done_reason, stop) => {
    const { stop: got } = await reply.summary(ndjson(said("a"), { ...DONE, done_reason }));
    expect(String(got)).toBe(stop);
  });

  test("keeps two calls apart that bear one id or one index", async () => {
    const call = (path: string): object => ({
      id: "x",
      function: { index: 0, name: "read", arguments: { path } },
    });
    const body = ndjson({ message: { tool_calls: [call("a"), call("b")] } }, DONE);
    expect((await reply.summary(body)).calls).toEqual([
      { id: "x", name: "read", arguments: '{"path":"a"}' },
      { id: "own-1", name: "read", arguments: '{"path":"b"}' },
    ]);
  });

  test.each([
    ["as text", '{"a":1}', '{"a":1}'],
    ["as broken text, which is not repaired", '{"a":', '{"a":'],
    ["not at all", undefined, "{}"],
    ["as null", null, "{}"],
  ])("takes arguments %s", async (_, given, expected) => {
    const calls = [{ function: { name: "read", arguments: given } }];
    const { calls: got } = await reply.summary(ndjson({ message: { tool_calls: calls } }, DONE));
    expect(got.map((call) => call.arguments)).toEqual([expected]);
  });

  test("may be one body", async () => {
    const whole = { ...DONE, message: { role: "assistant", content: "Hi" } };
    const { text, stop } = await reply.summary(JSON.stringify(whole), {
      contentType: "application/json",
    });
    expect({ text, stop }).toEqual({ text: "Hi", stop: "end" });
  });

  test("is over when it says so", async () => {
    expect((await reply.summary(ndjson(said("a"), DONE, said("b")))).text).toBe("a");
  });
});

const ENGINE = JSON.stringify({
  error: {
    code: 400,
    message: "request (2622 tokens) exceeds the available context size (512 tokens)",
    type: "exceed_context_size_error",
  },
});

type Expected = ProviderErrorKind | `${ProviderErrorKind}, again`;

/** Its kind, and whether it is worth another try. */
function kindOf(error: ProviderError | null): string {
  return `${error?.kind}${error?.retryable === true ? ", again" : ""}`;
}

describe("a failure", () => {
  test.each<[string, number, unknown, Expected]>([
    ["a bad request", 400, { error: "invalid options" }, "bad_request"],
    ["no tools", 400, { error: "x does not support tools" }, "tool_unsupported"],
    ["no thinking", 400, { error: '"x" does not support thinking' }, "bad_request"],
    ["too long", 400, { error: "the input length exceeds the context length" }, "context_overflow"],
    ["too long for the engine", 400, { error: ENGINE }, "context_overflow"],
    ["no key", 401, { error: "unauthorized" }, "auth"],
    ["no right", 403, { error: "forbidden" }, "auth"],
    ["no model", 404, { error: 'model "x" not found, try pulling it first' }, "model_not_found"],
    ["a timeout", 408, {}, "timeout, again"],
    ["a conflict", 409, {}, "server, again"],
    ["too large", 413, {}, "context_overflow"],
    ["not understood", 422, {}, "bad_request"],
    ["a rate limit", 429, { error: "too many requests" }, "rate_limit, again"],
    ["an error of the server", 500, { error: "unexpected EOF" }, "server, again"],
    [
      "too little memory",
      500,
      { error: "model requires more system memory (9 GiB) than is available (5 GiB)" },
      "server",
    ],
    ["a gateway", 502, "<html><title>Bad gateway</title></html>", "server, again"],
    ["busy", 503, { error: "server busy, please try again" }, "overloaded, again"],
    ["overloaded", 529, {}, "overloaded, again"],
  ])("by status: %s", async (_, status, body, expected) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { failed } = await reply.summary(text, { status, contentType: "application/json" });
    expect([kindOf(failed), failed?.status]).toEqual([expected, status]);
  });

  test.each<[string, string, Expected]>([
    ["an error line", ndjson(said("a"), { error: "unexpected EOF" }), "server, again"],
    ["a cut", ndjson(said("a")), "stream_cut, again"],
    ["a cut in a line", `${ndjson(said("a"))}{"mess`, "stream_cut, again"],
    ["nothing", "", "stream_cut, again"],
    ["garbage", "\u0000\u0001garbage", "stream_cut, again"],
    ["no objects", "[1]\n", "stream_cut, again"],
  ])("in a good stream: %s", async (_, body, expected) => {
    const { failed, stop } = await reply.summary(body, { contentType: "application/x-ndjson" });
    expect([kindOf(failed), stop]).toEqual([expected, null]);
  });

  test("by a web page says so", async () => {
    const page = "<!doctype html><title>Sign in</title>";
    const { failed } = await reply.summary(page, { contentType: "text/html" });
    expect(failed).toMatchObject({ kind: "bad_request", retryable: false });
    expect(failed?.message).toContain("a web page came instead of a model's reply (Sign in)");
  });

  test("for want of room says how to make more", async () => {
    const head = { status: 400, contentType: "application/json" };
    const { failed } = await reply.summary(JSON.stringify({ error: ENGINE }), head);
    expect(failed?.message).toBe(
      'the request is larger than the model\'s context (HTTP 400): request (2622 tokens) exceeds the available context size (512 tokens); if the machine can hold more, say so in the settings: context = 32768 under [models."NAME"]',
    );
  });

  test("runs no call of the half that came", async () => {
    const call = { function: { name: "read", arguments: {} } };
    const { calls } = await reply.summary(ndjson({ message: { tool_calls: [call] }, done: false }));
    expect(calls).toEqual([]);
  });
});
