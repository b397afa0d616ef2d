// generateContent replies to events: parts in their order, signatures, calls whole and in pieces, reasons to stop, figures.
import { describe, expect, test } from "bun:test";
import { gemini } from "../../../src/model/adapters/gemini.ts";
import type { StopReason, Usage } from "../../../src/model/event.ts";
import { geminiBody, sse } from "../../support/gemini-server.ts";
import { collect } from "../../support/collect.ts";
import { wireReply } from "./wire-reply.ts";

const { events, summary } = wireReply(gemini);
const ZERO: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  costUsd: null,
};

function chunk(parts: unknown, finishReason?: string, more: object = {}): unknown {
  return { candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }], ...more };
}

function call(functionCall: object, more: object = {}): unknown {
  return chunk([{ functionCall, ...more }]);
}

function piece(jsonPath: string, value: object, willContinue = true): unknown {
  return call({ partialArgs: [{ jsonPath, ...value }], willContinue });
}

const END = chunk([{ text: "" }], "STOP");

describe("a reply", () => {
  test("becomes events in the order of its parts, each with what is kept of it", async () => {
    const body = geminiBody({
      parts: [
        { text: "hm", thought: true },
        { text: "Hi" },
        { functionCall: { name: "read", args: { path: "x" } }, thoughtSignature: "s1" },
        { functionCall: { id: "p2", name: "ls", args: {} } },
      ],
    });
    expect(await collect(events(body))).toEqual([
      { type: "response", id: "r1", model: "served-model" },
      { type: "thinking", delta: "hm" },
      { type: "text", delta: "Hi" },
      { type: "call.begin", id: "own-1", name: "read" },
      { type: "call.delta", id: "own-1", delta: '{"path":"x"}' },
      { type: "call", call: { id: "own-1", name: "read", arguments: '{"path":"x"}' } },
      { type: "keep", of: "tool_call", item: { thoughtSignature: "s1" } },
      { type: "call.begin", id: "p2", name: "ls" },
      { type: "call.delta", id: "p2", delta: "{}" },
      { type: "call", call: { id: "p2", name: "ls", arguments: "{}" } },
      { type: "keep", of: "tool_call", item: { id: "p2" } },
      { type: "usage", usage: { ...ZERO, input: 10, output: 5 } },
      { type: "stop", reason: "calls" },
    ]);
  });

  test("tells which part of its text a signature is for", async () => {
    const body = sse(
      chunk([{ text: "one " }]),
      chunk([{ text: "two", thoughtSignature: "s1" }]),
      chunk([{ text: "", thoughtSignature: "s2" }], "STOP"),
    );
    expect(await collect(events(body))).toEqual([
      { type: "text", delta: "one " },
      { type: "text", delta: "two" },
      { type: "keep", of: "text", item: { thoughtSignature: "s1", chars: 3 } },
      { type: "keep", of: "text", item: { thoughtSignature: "s2", chars: 0 } },
      { type: "stop", reason: "end" },
    ]);
  });

  test("names the calls whose id is taken", async () => {
    const same = { functionCall: { id: "a", name: "x", args: {} } };
    const { calls } = await summary(sse(chunk([same, same], "STOP")));
    expect(calls.map(({ id }) => id)).toEqual(["a", "own-1"]);
  });

  test("may be one JSON body, or a list of what would have been its chunks", async () => {
    const whole = chunk([{ text: "Hi" }], "STOP", { usageMetadata: { promptTokenCount: 2 } });
    const json = { contentType: "application/json" };
    const expected = { text: "Hi", stop: "end", failed: null, usage: { ...ZERO, input: 2 } };
    expect(await summary(JSON.stringify(whole), json)).toMatchObject(expected);
    const list = [
      chunk([{ text: "H" }]),
      chunk([{ text: "i" }]),
      { ...Object(whole), candidates: [{ finishReason: "STOP" }] },
    ];
    expect(await summary(JSON.stringify(list), json)).toMatchObject(expected);
  });

  test("counts only its first candidate", async () => {
    const other = { index: 1, content: { parts: [{ text: "no" }] }, finishReason: "SAFETY" };
    const first = { index: 0, content: { parts: [{ text: "yes" }] }, finishReason: "STOP" };
    expect(await summary(sse({ candidates: [other, first] }))).toMatchObject({
      text: "yes",
      stop: "end",
    });
  });

  test("is not spoilt by damage after its reason to stop", async () => {
    const body = `${sse(chunk([{ text: "Hi" }], "STOP"))}data: {"usageMeta`;
    expect(await summary(body)).toMatchObject({ text: "Hi", stop: "end", failed: null });
  });

  test("reads a field of the wrong type as absent", async () => {
    const body = sse(
      { candidates: "x", usageMetadata: 3, promptFeedback: [] },
      {
        candidates: [
          null,
          4,
          { content: { parts: [null, 5, { text: 7 }, { functionCall: "f" }] } },
        ],
      },
      "text",
      null,
      chunk([{ text: "Hi", thought: "yes", thoughtSignature: 5 }], "STOP"),
    );
    expect(await collect(events(body))).toEqual([
      { type: "text", delta: "Hi" },
      { type: "stop", reason: "end" },
    ]);
  });
});

describe("arguments in pieces", () => {
  async function put(...pieces: unknown[]) {
    const body = sse(call({ name: "x", willContinue: true }), ...pieces, call({}), END);
    const { calls, stop, failed } = await summary(body);
    return { arguments: calls[0]?.arguments, stop, failed: failed?.kind };
  }

  test("grow into one object, texts going on until they end", async () => {
    expect(
      await put(
        piece("$.files[0].name", { stringValue: "a.", willContinue: true }),
        piece("$.files[0].name", { stringValue: "ts" }),
        piece("$.files[0].size", { numberValue: 3 }),
        piece("$.files[1].name", { stringValue: "b" }),
        piece("$['odd key']", { boolValue: true }),
        piece("$.none", { nullValue: "NULL_VALUE" }),
        piece("$.list[0][0]", { numberValue: 1 }),
      ),
    ).toEqual({
      arguments:
        '{"files":[{"name":"a.ts","size":3},{"name":"b"}],"odd key":true,"none":null,"list":[[1]]}',
      stop: "calls",
      failed: undefined,
    });
  });

  test("may have a field with any name", async () => {
    expect((await put(piece("$.__proto__.x", { numberValue: 1 }))).arguments).toBe(
      '{"__proto__":{"x":1}}',
    );
  });

  test.each([
    ["far out in a list", [piece("$.a[4294967290]", { numberValue: 1 })]],
    ["no path", [piece("a.b", { numberValue: 1 })]],
    ["no place", [piece("$", { numberValue: 1 })]],
    ["a broken path", [piece("$.a[", { numberValue: 1 })]],
    ["inside a text", [piece("$.a", { stringValue: "x" }), piece("$.a.b", { numberValue: 1 })]],
    [
      "a field of a list",
      [piece("$.a[0]", { numberValue: 1 }), piece("$.a.b", { numberValue: 1 })],
    ],
  ])("that have %s make no call", async (_, pieces) => {
    expect(await put(...pieces)).toEqual({
      arguments: undefined,
      stop: null,
      failed: "stream_cut",
    });
  });

  test("that never end make no call", async () => {
    const body = sse(call({ name: "x", willContinue: true }), END);
    expect(await summary(body)).toMatchObject({ calls: [], failed: { kind: "stream_cut" } });
  });

  test("that end with their last piece, or with the next call, are whole", async () => {
    const body = sse(
      call({ name: "x", willContinue: true }, { thoughtSignature: "s" }),
      piece("$.n", { numberValue: 1 }, false),
      call({ name: "y", willContinue: true }),
      call({ name: "z" }),
      END,
    );
    expect((await summary(body)).calls.map(({ name, arguments: text }) => name + text)).toEqual([
      'x{"n":1}',
      "y{}",
      "z{}",
    ]);
  });
});

const STOPS: [reason: string, stop: StopReason][] = [
  ["STOP", "end"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "filter"],
  ["RECITATION", "filter"],
  ["PROHIBITED_CONTENT", "filter"],
  ["SPII", "filter"],
  ["BLOCKLIST", "filter"],
  ["LANGUAGE", "filter"],
  ["SOMETHING_NEW", "end"],
];

describe("a reason to stop", () => {
  test.each(STOPS)("%p is %p", async (finish, stop) => {
    const got = await summary(geminiBody({ parts: [{ text: "x" }], finish }));
    expect(got).toMatchObject({ stop, failed: null });
  });

  test("the limit shows a call as far as it came", async () => {
    const body = sse(
      call({ name: "x", willContinue: true }),
      piece("$.text", { stringValue: "ha", willContinue: true }),
      chunk([], "MAX_TOKENS"),
    );
    expect(await summary(body)).toMatchObject({
      calls: [{ name: "x", arguments: '{"text":"ha"}' }],
      stop: "length",
    });
  });
});

test("usage has the thoughts in the output, and the last figures", async () => {
  const figures = (thoughtsTokenCount: number) => ({
    usageMetadata: {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 5,
      thoughtsTokenCount,
      toolUsePromptTokenCount: 3,
    },
  });
  const body = sse(chunk([{ text: "x" }], undefined, figures(1)), chunk([], "STOP", figures(9)), {
    usageMetadata: { trafficType: "ON_DEMAND" },
  });
  expect((await summary(body)).usage).toEqual({
    ...ZERO,
    input: 103,
    cacheRead: 60,
    output: 14,
    reasoning: 9,
  });
});
