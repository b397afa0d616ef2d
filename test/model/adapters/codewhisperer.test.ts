// CodeWhisperer as its vendor's published client speaks it: what is sent, and what is made of the replies.
import { describe, expect, test } from "bun:test";
import { codewhisperer } from "../../../src/model/adapters/codewhisperer.ts";
import type { ModelMessage, ModelRequest } from "../../../src/model/request.ts";
import { collect } from "../../support/collect.ts";
import { exceptionEvent, jsonEvent, rawEvent } from "../../support/event-stream-writer.ts";
import { random } from "../../support/random.ts";
import { called, requestOf, result, user } from "../requests.ts";
import { mutated } from "./mutate.ts";
import { wireReply } from "./wire-reply.ts";

const TOOL = { name: "read", description: "Reads.", parameters: { type: "object" } };
const CREDENTIAL = { kind: "key", key: "sekrit", source: "KIRO_API_KEY" } as const;

function encoded(request: ModelRequest) {
  const endpoint = { provider: "codewhisperer", baseUrl: "https://host", credential: CREDENTIAL };
  return codewhisperer().encode(endpoint, request);
}

function said(content: string, more: object = {}): object {
  return { userInputMessage: { content, origin: "CLI", modelId: "m", ...more } };
}

describe("a request", () => {
  test("names the operation, and begins the first message with the system's words", () => {
    const asked = requestOf([user("Hi")], { system: ["Be kind.", "Be brief."], cacheKey: "s1" });
    const { url, headers, body } = encoded(asked);
    expect({ url, headers, body: JSON.parse(body) }).toEqual({
      url: "https://host/",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        accept: "application/vnd.amazon.eventstream",
        "x-amz-target": "AmazonCodeWhispererStreamingService.GenerateAssistantResponse",
        "x-amzn-codewhisperer-optout": "true",
        authorization: "Bearer sekrit",
        tokentype: "API_KEY",
      },
      body: {
        conversationState: {
          chatTriggerType: "MANUAL",
          conversationId: "s1",
          history: [],
          currentMessage: said("Be kind.\n\nBe brief.\n\nHi"),
        },
      },
    });
  });

  test("of a tool round answers the calls in the message to answer, which alone names the tools", () => {
    const call = { type: "tool_call", call: { id: "b", name: "list", arguments: "{" } } as const;
    const asked = called("a", "read", '{"path":"a"}', "I look.");
    const both: ModelMessage =
      asked.role === "assistant" ? { ...asked, parts: [...asked.parts, call] } : asked;
    const rounds = [user("Go"), both, result("a", "text"), result("b", "no"), user("And?")];
    expect(JSON.parse(encoded(requestOf(rounds, { tools: [TOOL] })).body)).toEqual({
      conversationState: {
        chatTriggerType: "MANUAL",
        history: [
          said("Go"),
          {
            assistantResponseMessage: {
              content: "I look.",
              toolUses: [
                { toolUseId: "a", name: "read", input: { path: "a" } },
                { toolUseId: "b", name: "list", input: {} },
              ],
            },
          },
        ],
        currentMessage: said("And?", {
          userInputMessageContext: {
            toolResults: [
              { toolUseId: "a", content: [{ text: "text" }], status: "success" },
              { toolUseId: "b", content: [{ text: "no" }], status: "success" },
            ],
            tools: [
              {
                toolSpecification: {
                  name: "read",
                  description: "Reads.",
                  inputSchema: { json: { type: "object" } },
                },
              },
            ],
          },
        }),
      },
    });
  });

  test("holds images by their formats", () => {
    const image = { type: "image", mediaType: "image/png", data: "AAAA", name: "a.png" } as const;
    const { body } = encoded(requestOf([{ role: "user", parts: [image] }]));
    expect(JSON.parse(body).conversationState.currentMessage).toEqual(
      said("", { images: [{ format: "png", source: { bytes: "AAAA" } }] }),
    );
  });

  test("keeps the bytes of its history from round to round", () => {
    const rounds = [
      user("1"),
      called("a", "read", "{}"),
      result("a", "2"),
      called("b", "read", "{}"),
    ];
    const history = (length: number): string => {
      const { body } = encoded(requestOf([...rounds.slice(0, length), user("?")]));
      return body.slice(0, body.indexOf('],"currentMessage"'));
    };
    expect(history(4)).toStartWith(history(2));
  });
});

const reply = wireReply(codewhisperer);
const HEAD = { contentType: "application/vnd.amazon.eventstream" };
const text = (content: string): Uint8Array => jsonEvent("assistantResponseEvent", { content });
const call = (more: object): Uint8Array =>
  jsonEvent("toolUseEvent", { toolUseId: "a", name: "read", ...more });
const end = (stopReason: string): Uint8Array => jsonEvent("metadataEvent", { stopReason });

describe("a reply", () => {
  test("is told event by event", async () => {
    const tokenUsage = { uncachedInputTokens: 5, outputTokens: 7, cacheReadInputTokens: 100 };
    const events = [
      jsonEvent("messageMetadataEvent", { conversationId: "c" }),
      jsonEvent("reasoningContentEvent", { text: "hm" }),
      text("I look."),
      call({}),
      call({ input: '{"path":' }),
      call({ input: '"a"}' }),
      call({ stop: true }),
      call({ toolUseId: "b", name: "list", input: "", stop: true }),
      jsonEvent("meteringEvent", { usage: 0.1, unit: "credit" }),
      jsonEvent("metadataEvent", { tokenUsage, stopReason: "TOOL_USE" }),
    ];
    expect(await collect(reply.events(events, HEAD))).toEqual([
      { type: "thinking", delta: "hm" },
      { type: "text", delta: "I look." },
      { type: "call.begin", id: "a", name: "read" },
      { type: "call.delta", id: "a", delta: '{"path":' },
      { type: "call.delta", id: "a", delta: '"a"}' },
      { type: "call.begin", id: "b", name: "list" },
      { type: "call", call: { id: "a", name: "read", arguments: '{"path":"a"}' } },
      { type: "call", call: { id: "b", name: "list", arguments: "{}" } },
      {
        type: "usage",
        usage: {
          input: 105,
          cacheRead: 100,
          cacheWrite: 0,
          output: 7,
          reasoning: 0,
          costUsd: null,
        },
      },
      { type: "stop", reason: "calls" },
    ]);
  });

  test.each([
    ["END_TURN", "end"],
    ["MAX_TOKENS", "length"],
    ["MODEL_CONTEXT_WINDOW_EXCEEDED", "length"],
    ["CONTENT_FILTERED", "filter"],
    ["PAUSE_TURN", "paused"],
    ["", "end"],
  ])("with the reason %p stops with %p", async (reason, stop) => {
    expect(String((await reply.summary([text("a"), end(reason)], HEAD)).stop)).toBe(stop);
  });

  test("survives any damage inside its messages, and has one end, last", async () => {
    const payload = Buffer.from(
      '{"content":"a","text":"b","toolUseId":"c","name":"read","input":"{","stop":true,"stopReason":"END_TURN"}',
    );
    const names = ["assistantResponseEvent", "toolUseEvent", "metadataEvent", "newEvent"];
    for (let seed = 1; seed <= 5000; seed += 1) {
      const chance = random(seed);
      const messages = names.map((name) => rawEvent(name, String(mutated(payload, chance))));
      const bytes = Buffer.concat(messages);
      const damaged = chance.chance(0.5) ? bytes : mutated(bytes, chance);
      const events = await collect(reply.events([damaged], HEAD));
      const ends = events.flatMap(({ type }, at) =>
        type === "stop" || type === "failed" ? [at] : [],
      );
      expect([seed, ends]).toEqual([seed, [events.length - 1]]);
    }
  });
});

describe("a failure", () => {
  test.each<[string, number, object, string]>([
    ["throttling", 400, { __type: "com.amazon#ThrottlingException" }, "rate_limit"],
    ["no access", 403, { __type: "AccessDeniedException" }, "auth"],
    [
      "too long",
      400,
      { __type: "ValidationException", message: "Input is too long." },
      "context_overflow",
    ],
    ["quota", 400, { __type: "ServiceQuotaExceededException" }, "quota"],
    ["unavailable", 500, { __type: "ServiceUnavailableException" }, "overloaded"],
    ["of the service", 500, { __type: "InternalServerException" }, "server"],
  ])("by status: %s", async (_, status, body, kind) => {
    const head = { status, contentType: "application/x-amz-json-1.0" };
    const { failed } = await reply.summary(JSON.stringify(body), head);
    expect([String(failed?.kind), failed?.status]).toEqual([kind, status]);
  });

  test.each<[string, Uint8Array, string]>([
    ["an exception", exceptionEvent("ThrottlingException", {}), "rate_limit"],
    [
      "a state it cannot go on with",
      jsonEvent("invalidStateEvent", { message: "no" }),
      "bad_request",
    ],
    ["half a call", call({ input: "{" }), "stream_cut"],
    ["half a message", text("b").subarray(0, -2), "stream_cut"],
    ["garbage", rawEvent("assistantResponseEvent", "{"), "stream_cut"],
  ])("in a good stream: %s", async (_, bytes, kind) => {
    const { failed, stop, calls } = await reply.summary([text("a"), bytes], HEAD);
    expect([String(failed?.kind), stop, calls]).toEqual([kind, null, []]);
  });

  test("in an empty stream is one", async () => {
    expect((await reply.summary([], HEAD)).failed?.kind).toBe("stream_cut");
  });
});
