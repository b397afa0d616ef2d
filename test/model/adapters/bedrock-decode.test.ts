// What is made of ConverseStream's messages: thinking with its signatures, calls, usage, exceptions, and every way to fail.
import { describe, expect, test } from "bun:test";
import { bedrock } from "../../../src/model/adapters/bedrock.ts";
import type { ProviderError, ProviderErrorKind } from "../../../src/model/event.ts";
import { bedrockBody } from "../../support/bedrock-server.ts";
import { collect, pieces } from "../../support/collect.ts";
import {
  eventMessage,
  exceptionEvent,
  jsonEvent,
  rawEvent,
  text,
} from "../../support/event-stream-writer.ts";
import { random } from "../../support/random.ts";
import { mutated } from "./mutate.ts";
import { wireReply } from "./wire-reply.ts";

const reply = wireReply(bedrock);
const HEAD = { contentType: "application/vnd.amazon.eventstream" };
const FULL = bedrockBody({
  blocks: [
    { reasoningContent: { reasoningText: { text: "hmm", signature: "c2ln" } } },
    { reasoningContent: { redactedContent: "cmVk" } },
    { text: "Hi" },
    { toolUse: { toolUseId: "a", name: "read", input: { path: "é" } } },
    { toolUse: { toolUseId: "b", name: "list", input: {} } },
  ],
  usage: { cacheReadInputTokens: 100, cacheWriteInputTokens: 5 },
});
const said = (words: string): Buffer<ArrayBuffer> =>
  jsonEvent("contentBlockDelta", { contentBlockIndex: 0, delta: { text: words } });
const stop = (stopReason: string): Buffer<ArrayBuffer> => jsonEvent("messageStop", { stopReason });

describe("a reply", () => {
  test("is told event by event", async () => {
    const headers = { "x-amzn-requestid": "r1" };
    expect(await collect(reply.events([FULL], { ...HEAD, headers }))).toEqual([
      { type: "response", id: "r1", model: null },
      { type: "thinking", delta: "hm" },
      { type: "thinking", delta: "m" },
      {
        type: "keep",
        of: "reasoning",
        item: { reasoningText: { text: "hmm", signature: "c2ln" } },
      },
      { type: "keep", of: "reasoning", item: { redactedContent: "cmVk" } },
      { type: "text", delta: "H" },
      { type: "text", delta: "i" },
      { type: "call.begin", id: "a", name: "read" },
      { type: "call.delta", id: "a", delta: '{"path' },
      { type: "call.delta", id: "a", delta: '":"é"}' },
      { type: "call.begin", id: "b", name: "list" },
      { type: "call.delta", id: "b", delta: "{" },
      { type: "call.delta", id: "b", delta: "}" },
      { type: "call", call: { id: "a", name: "read", arguments: '{"path":"é"}' } },
      { type: "call", call: { id: "b", name: "list", arguments: "{}" } },
      {
        type: "usage",
        usage: {
          input: 115,
          cacheRead: 100,
          cacheWrite: 5,
          output: 20,
          reasoning: 0,
          costUsd: null,
        },
      },
      { type: "stop", reason: "calls" },
    ]);
  });

  test("reads the same however it is cut", async () => {
    const whole = await collect(reply.events([FULL], HEAD));
    for (let seed = 1; seed <= 20; seed += 1) {
      const cut = pieces(FULL, random(seed), 1 + seed * 3);
      expect([seed, await collect(reply.events(cut, HEAD))]).toEqual([seed, whole]);
    }
  });

  test.each([
    ["end_turn", "end"],
    ["stop_sequence", "end"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["guardrail_intervened", "filter"],
    ["content_filtered", "filter"],
    ["refusal", "refusal"],
    ["something new", "end"],
  ])("with the reason %p stops with %p", async (reason, expected) => {
    const { stop: got } = await reply.summary([said("a"), stop(reason)], HEAD);
    expect(String(got)).toBe(expected);
  });

  test("passes over messages that are newer than this", async () => {
    const { text: got } = await reply.summary(
      [jsonEvent("newEvent", {}), said("a"), stop("")],
      HEAD,
    );
    expect(got).toBe("a");
  });

  test("survives any damage, and has one end, last", async () => {
    for (let seed = 1; seed <= 5000; seed += 1) {
      const chance = random(seed);
      expect([seed, await endsOf([mutated(FULL, chance)])]).toEqual([seed, "one, last"]);
    }
  });

  test("survives any damage inside its messages", async () => {
    const payload = Buffer.from(
      JSON.stringify({
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: "a", name: "read" } },
        delta: { text: "a", toolUse: { input: "{" }, reasoningContent: { text: "b" } },
        usage: { inputTokens: 1 },
        stopReason: "tool_use",
      }),
    );
    const names = ["contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"];
    for (let seed = 1; seed <= 5000; seed += 1) {
      const chance = random(seed);
      const events = [...names, "metadata"].map((name) =>
        rawEvent(name, chance.chance(0.5) ? String(mutated(payload, chance)) : String(payload)),
      );
      expect([seed, await endsOf(events)]).toEqual([seed, "one, last"]);
    }
  });
});

async function endsOf(bytes: Uint8Array[]): Promise<string> {
  const events = await collect(reply.events(bytes, HEAD));
  const ends = events.flatMap(({ type }, at) => (type === "stop" || type === "failed" ? [at] : []));
  return ends.length === 1 && ends[0] === events.length - 1 ? "one, last" : JSON.stringify(ends);
}

type Expected = ProviderErrorKind | `${ProviderErrorKind}, again`;

/** Its kind, and whether it is worth another try. */
function kindOf(error: ProviderError | null): string {
  return `${error?.kind}${error?.retryable === true ? ", again" : ""}`;
}

describe("a failure", () => {
  test.each<[string, number, [type: string, message: string], Expected]>([
    ["a bad schema", 400, ["ValidationException", "Malformed input request"], "bad_request"],
    [
      "too long",
      400,
      ["ValidationException", "Input is too long for requested model"],
      "context_overflow",
    ],
    [
      "no such model",
      400,
      ["ValidationException", "The provided model identifier is invalid"],
      "model_not_found",
    ],
    [
      "no tools",
      400,
      ["ValidationException", "This model doesn't support tool use"],
      "tool_unsupported",
    ],
    ["quota", 400, ["ServiceQuotaExceededException", ""], "quota"],
    ["no token", 401, ["", ""], "auth"],
    ["no access", 403, ["AccessDeniedException", "You don't have access"], "auth"],
    ["a wrong key", 403, ["UnrecognizedClientException", "token is invalid"], "auth"],
    ["an old key", 403, ["ExpiredTokenException", "expired"], "auth"],
    ["a wrong signature", 403, ["InvalidSignatureException", "expired: now"], "auth"],
    ["no model", 404, ["ResourceNotFoundException:http://x/", "not found"], "model_not_found"],
    ["a timeout", 408, ["ModelTimeoutException", ""], "timeout, again"],
    ["a conflict", 409, ["", ""], "server, again"],
    ["too large", 413, ["", ""], "context_overflow"],
    ["not understood", 422, ["", ""], "bad_request"],
    ["the model", 424, ["ModelErrorException", ""], "server, again"],
    ["throttling", 429, ["ThrottlingException", "Too many tokens"], "rate_limit, again"],
    ["not ready", 429, ["ModelNotReadyException", ""], "overloaded, again"],
    ["the service", 500, ["InternalServerException", ""], "server, again"],
    ["a gateway", 502, ["", ""], "server, again"],
    ["unavailable", 503, ["ServiceUnavailableException", ""], "overloaded, again"],
  ])("by status: %s", async (_, status, [type, message], expected) => {
    const headers = { "x-amzn-errortype": type, "x-amzn-requestid": "r1" };
    const head = { status, contentType: "application/json", headers };
    const { failed } = await reply.summary(JSON.stringify({ message }), head);
    expect([kindOf(failed), failed?.status, failed?.requestId]).toEqual([expected, status, "r1"]);
    expect(failed?.message).toContain(message);
  });

  test.each<[string, Uint8Array, Expected]>([
    ["throttling", exceptionEvent("throttlingException", { message: "slow" }), "rate_limit, again"],
    ["the service", exceptionEvent("internalServerException", {}), "server, again"],
    ["unavailable", exceptionEvent("serviceUnavailableException", {}), "overloaded, again"],
    ["the model", exceptionEvent("modelStreamErrorException", {}), "server, again"],
    [
      "too long",
      exceptionEvent("validationException", { message: "Input is too long" }),
      "context_overflow",
    ],
    [
      "an error without a model",
      eventMessage(
        {
          ":message-type": text("error"),
          ":error-code": text("InternalServerError"),
          ":error-message": text("oops"),
        },
        "",
      ),
      "server, again",
    ],
    ["what the model wrote", stop("malformed_tool_use"), "server, again"],
    ["a cut", said("b"), "stream_cut, again"],
    ["a cut in a message", said("b").subarray(0, -3), "stream_cut, again"],
    ["garbage", Buffer.from("\u0001\u0002 garbage, and more of it"), "stream_cut, again"],
    ["a message that is no JSON", rawEvent("contentBlockDelta", "{"), "stream_cut, again"],
  ])("in a good stream: %s", async (_, bytes, expected) => {
    const { failed, stop: stopped, text: words } = await reply.summary([said("a"), bytes], HEAD);
    expect([kindOf(failed), stopped]).toEqual([expected, null]);
    expect(words).toStartWith("a");
  });

  test("in an empty stream is one", async () => {
    const { failed } = await reply.summary([], HEAD);
    expect(failed).toMatchObject({ kind: "stream_cut", retryable: true });
  });

  test.each([
    ["application/json", '{"message":"gone wrong"}', "gone wrong"],
    ["text/html", "<!doctype html><title>Sign in</title>", "a web page came instead"],
  ])("in a body of %p with a good status is named", async (contentType, body, words) => {
    const { failed } = await reply.summary(body, { contentType });
    expect(failed?.message).toContain(words);
  });

  test("runs no call of the half that came", async () => {
    const { calls } = await reply.summary([FULL.subarray(0, FULL.length - 400)], HEAD);
    expect(calls).toEqual([]);
  });
});
