// One reply: what is stored of it however it ends, and that only a whole one runs its calls.
import { describe, expect, test } from "bun:test";
import type { ModelEvent } from "../../src/model/event.ts";
import type { Model } from "../../src/model/provider.ts";
import type { ScriptTurn } from "../../src/model/script.ts";
import { fold } from "../../src/session/fold.ts";
import { ask, call, DONE, endOf, results, storedOf, tool, turnKit } from "./fixture.ts";

/** A model that says the events, and then throws where `problem` is given. */
function saying(events: ModelEvent[], problem: Error | null = null): Model {
  return {
    provider: "test",
    wire: "test-wire",
    id: "test-model",
    async *stream() {
      yield* events;
      if (problem !== null) throw problem;
    },
  };
}

/** The stored reply and what follows it up to the end of the turn. */
async function heard(events: ModelEvent[], problem: Error | null = null) {
  const { kit } = turnKit([], [], {
    model: saying(events, problem),
    price: () => Promise.resolve(0.5),
  });
  const all = await ask(kit);
  const stored = storedOf(all).map(({ type, data }) => ({ type, data }));
  return { stored: stored.slice(1, -1), end: endOf(all), log: kit.log };
}

const USAGE = { input: 5, cacheRead: 1, cacheWrite: 0, output: 2, reasoning: 1, costUsd: null };

test("parts keep the order in which they came, and neighbours of a kind are one", async () => {
  const { stored, end } = await heard([
    { type: "thinking", delta: "h" },
    { type: "thinking", delta: "m" },
    { type: "text", delta: "Hel" },
    { type: "text", delta: "lo" },
    { type: "thinking", delta: "more?" },
    { type: "text", delta: "!" },
    { type: "stop", reason: "end" },
  ]);
  expect(stored).toEqual([
    {
      type: "message.assistant",
      data: {
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "Hello" },
          { type: "reasoning", text: "more?" },
          { type: "text", text: "!" },
        ],
        status: "complete",
        stop: "end",
      },
    },
  ]);
  expect(end).toEqual({ status: "complete", text: "Hello!" });
});

test("text after a call is another part than the text before it", async () => {
  const { stored } = await heard([
    { type: "text", delta: "First." },
    { type: "call.begin", id: "a", name: "none" },
    { type: "text", delta: "Then." },
    { type: "call", call: { id: "a", name: "none", arguments: "{}" } },
    { type: "stop", reason: "filter" },
  ]);
  expect(stored[0]?.data).toMatchObject({
    content: [
      { type: "text", text: "First." },
      { type: "text", text: "Then." },
      { type: "tool_call", id: "a", name: "none", arguments: "{}" },
    ],
  });
});

test("what a reply says besides its content follows it in the log", async () => {
  const metrics = { requestBytes: 1, responseBytes: 2, headersMs: 3, firstEventMs: 4, totalMs: 5 };
  const { stored } = await heard([
    { type: "response", id: "r1", model: "served" },
    { type: "text", delta: "x" },
    { type: "keep", of: "text", item: { opaque: true } },
    { type: "usage", usage: USAGE },
    { type: "metrics", metrics },
    { type: "stop", reason: "end" },
  ]);
  expect(stored.slice(1)).toEqual([
    { type: "model.response", data: { responseId: "r1", model: "served" } },
    {
      type: "model.provider_item",
      data: { wire: "test-wire", model: "test-model", part: 0, item: { opaque: true } },
    },
    { type: "model.usage", data: { usage: USAGE, costUsd: 0.5, model: "test-model" } },
    { type: "model.metrics", data: metrics },
  ]);
});

test("each block of thinking keeps its own signature, also one that is not shown", async () => {
  const { stored } = await heard([
    { type: "thinking", delta: "one" },
    { type: "keep", of: "reasoning", item: 1 },
    { type: "thinking", delta: "two" },
    { type: "keep", of: "reasoning", item: 2 },
    { type: "keep", of: "reasoning", item: 3 },
    { type: "call", call: { id: "a", name: "none", arguments: "{}" } },
    { type: "keep", of: "tool_call", item: 4 },
    { type: "stop", reason: "calls" },
  ]);
  expect(stored[0]?.data).toMatchObject({
    content: [
      { type: "reasoning", text: "one" },
      { type: "reasoning", text: "two" },
      { type: "reasoning", text: "" },
      { type: "tool_call", id: "a" },
    ],
  });
  // The reply comes again in every round: what belongs to the first.
  const items = stored.filter(({ type }) => type === "model.provider_item").slice(0, 4);
  const own = { wire: "test-wire", model: "test-model" };
  expect(items.map(({ data }) => data)).toEqual(
    [1, 2, 3, 4].map((item, part) => ({ ...own, part, item })),
  );
});

test("the provider's own price goes before the computed one", async () => {
  const usage = { ...USAGE, costUsd: 0.25 };
  const { stored } = await heard([
    { type: "text", delta: "x" },
    { type: "usage", usage },
    { type: "stop", reason: "end" },
  ]);
  expect(stored[1]?.data).toEqual({ usage, costUsd: 0.25, model: "test-model" });
});

test("a refusal without text is shown and kept in the model's own words", async () => {
  const { stored, end } = await heard([
    { type: "stop", reason: "refusal", because: "I will not." },
  ]);
  expect(stored[0]?.data).toEqual({
    content: [{ type: "text", text: "I will not." }],
    status: "complete",
    stop: "refusal",
  });
  expect(end).toEqual({ status: "complete", text: "I will not." });
});

describe("an exception in the model stream", () => {
  const because = "burin failed while it listened to the model (a bug): wires crossed";

  test("ends the turn with a sentence, and what the person read is kept", async () => {
    const { stored, end } = await heard(
      [{ type: "text", delta: "half " }],
      new Error("wires crossed"),
    );
    expect(stored).toEqual([
      {
        type: "message.assistant",
        data: {
          content: [{ type: "text", text: "half " }],
          status: "error",
          stop: null,
          error: because,
        },
      },
    ]);
    expect(end).toEqual({ status: "error", message: because });
  });

  test("after a cancel is the cancel", async () => {
    const { kit, stop } = turnKit([], [], {});
    const model: Model = {
      ...saying([]),
      async *stream() {
        yield { type: "text", delta: "half " };
        stop.abort();
        throw new Error("aborted");
      },
    };
    expect(endOf(await ask({ ...kit, model }))).toEqual({ status: "interrupted" });
  });
});

test("a stream that ends without its end is a failed reply", async () => {
  const { stored, end } = await heard([{ type: "text", delta: "half" }]);
  const message = "the stream ended without its end";
  expect(stored[0]?.data).toEqual({
    content: [{ type: "text", text: "half" }],
    status: "error",
    stop: null,
    error: message,
  });
  expect(end).toEqual({ status: "error", message });
});

test.each<[string, ModelEvent[]]>([
  ["nothing at all", []],
  ["thoughts alone", [{ type: "thinking", delta: "hm" }]],
])("a reply of %s is a failure", async (_name, events) => {
  const { end } = await heard([...events, { type: "stop", reason: "end" }]);
  expect(end).toEqual({
    status: "error",
    message: "the model gave an empty reply: try again, or another model",
  });
});

describe("a reply that is not whole runs no call", () => {
  const calls = (end: ModelEvent): ModelEvent[] => [
    { type: "text", delta: "Now." },
    { type: "call", call: { id: "a", name: "write", arguments: "{}" } },
    end,
  ];
  const error = {
    retryable: false,
    retryAfterMs: null,
    status: null,
    requestId: null,
    message: "it broke",
  };
  test.each<[string, ModelEvent, string, RegExp]>([
    ["cut at the output limit", { type: "stop", reason: "length" }, "length", /output limit/],
    ["stopped by a content filter", { type: "stop", reason: "filter" }, "error", /content filter/],
    [
      "broken off",
      { type: "failed", error: { ...error, kind: "stream_cut" } },
      "error",
      /^it broke$/,
    ],
  ])("%s", async (_name, end, status, sentence) => {
    let ran = false;
    const write = tool("write", "write", () => String((ran = true)));
    const { kit, log } = turnKit([], [write], { model: saying(calls(end)) });
    const events = await ask(kit);
    expect({ ran, results: results(events) }).toEqual({ ran: false, results: [] });
    expect(endOf(events)).toEqual({ status: "error", message: expect.stringMatching(sentence) });
    expect(storedOf(events)[1]?.data).toMatchObject({ status });
    // The next request still answers the call, or no provider would take it.
    expect(fold(log.events()).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("cancelled", async () => {
    let ran = false;
    const write = tool("write", "write", () => String((ran = true)));
    const failed: ModelEvent = { type: "failed", error: { ...error, kind: "aborted" } };
    const events = await ask(turnKit([], [write], { model: saying(calls(failed)) }).kit);
    expect({ ran, end: endOf(events) }).toEqual({ ran: false, end: { status: "interrupted" } });
  });
});

test("a cancel in the middle of a reply keeps what came so far", async () => {
  const { kit, stop } = turnKit([{ steps: [{ text: ["one ", "two ", "three"] }] }]);
  const model: Model = {
    ...kit.model,
    async *stream(request, signal) {
      for await (const event of kit.model.stream(request, signal)) {
        yield event;
        if (event.type === "text" && event.delta === "two ") stop.abort();
      }
    },
  };
  const events = await ask({ ...kit, model });
  expect(storedOf(events)[1]?.data).toEqual({
    content: [{ type: "text", text: "one two " }],
    status: "interrupted",
    stop: null,
  });
});

test("calls stay as the model wrote them, byte for byte", async () => {
  const written = '{ "n" : 1.0,\t"s":"\\u00fc" }';
  const turns: ScriptTurn[] = [{ steps: [call("read", "a", written)] }, DONE];
  const { kit, model } = turnKit(turns, [tool("read", "read", () => "")]);
  await ask(kit);
  expect(model.requests[1]?.messages[1]).toEqual({
    role: "assistant",
    parts: [{ type: "tool_call", call: { id: "a", name: "read", arguments: written } }],
  });
});
