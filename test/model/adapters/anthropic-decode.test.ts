// Messages replies to events: blocks in their order, what is kept with them, reasons to stop, figures.
import { describe, expect, test } from "bun:test";
import { anthropic } from "../../../src/model/adapters/anthropic.ts";
import type { Summary } from "../../../src/model/decode.ts";
import type { StopReason, Usage } from "../../../src/model/event.ts";
import { anthropicBody, sse } from "../../support/anthropic-server.ts";
import { collect } from "../../support/collect.ts";
import { wireReply } from "./wire-reply.ts";

const { events, summary } = wireReply(anthropic);
const ZERO: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  costUsd: null,
};
const START = { type: "message_start", message: { id: "m1", model: "m", content: [] } };
const STOP = { type: "message_stop" };

function ended(reason: string | null, more: object = {}) {
  return { type: "message_delta", delta: { stop_reason: reason, ...more } };
}

function begun(index: number, content_block: object) {
  return { type: "content_block_start", index, content_block };
}

function grown(index: number, delta: object) {
  return { type: "content_block_delta", index, delta };
}

function closed(index: number) {
  return { type: "content_block_stop", index };
}

describe("a reply", () => {
  test("becomes events in the order of its blocks, each with what is kept of it", async () => {
    const body = anthropicBody({
      blocks: [
        { type: "thinking", thinking: "hm", signature: "s1" },
        { type: "redacted_thinking", data: "d" },
        { type: "text", text: "Hi" },
        { type: "tool_use", id: "a", name: "read", input: { path: "x" } },
      ],
      usage: { input_tokens: 7 },
    });
    expect(await collect(events(body))).toEqual([
      { type: "response", id: "msg_1", model: "served-model" },
      { type: "thinking", delta: "h" },
      { type: "thinking", delta: "m" },
      { type: "keep", of: "reasoning", item: { type: "thinking", signature: "s1" } },
      { type: "keep", of: "reasoning", item: { type: "redacted_thinking", data: "d" } },
      { type: "text", delta: "H" },
      { type: "text", delta: "i" },
      { type: "call.begin", id: "a", name: "read" },
      { type: "call.delta", id: "a", delta: '{"path' },
      { type: "call.delta", id: "a", delta: '":"x"}' },
      { type: "call", call: { id: "a", name: "read", arguments: '{"path":"x"}' } },
      { type: "usage", usage: { ...ZERO, input: 7, output: 20 } },
      { type: "stop", reason: "calls" },
    ]);
  });

  test("may have blocks that grow in turns", async () => {
    const body = sse(
      START,
      begun(0, { type: "tool_use", id: "a", name: "x", input: {} }),
      begun(1, { type: "tool_use", id: "b", name: "y", input: {} }),
      grown(1, { type: "input_json_delta", partial_json: '{"n":2' }),
      grown(0, { type: "input_json_delta", partial_json: '{"n":1}' }),
      grown(1, { type: "input_json_delta", partial_json: "}" }),
      closed(0),
      closed(1),
      ended("tool_use"),
      STOP,
    );
    expect((await summary(body)).calls).toEqual([
      { id: "a", name: "x", arguments: '{"n":1}' },
      { id: "b", name: "y", arguments: '{"n":2}' },
    ]);
  });

  test("may hold the arguments in the beginning of a call, or none", async () => {
    const body = sse(
      START,
      begun(0, { type: "tool_use", id: "a", name: "x", input: { n: 1 } }),
      closed(0),
      begun(1, { type: "tool_use", id: "b", name: "y" }),
      closed(1),
      ended("tool_use"),
      STOP,
    );
    expect((await summary(body)).calls).toEqual([
      { id: "a", name: "x", arguments: '{"n":1}' },
      { id: "b", name: "y", arguments: "{}" },
    ]);
  });

  test("names the calls that have no name of their own, or one that is taken", async () => {
    const call = { type: "tool_use", name: "x", input: {} };
    const body = sse(
      START,
      begun(0, { ...call, id: "a" }),
      begun(1, { ...call, id: "a" }),
      begun(2, call),
      ended("tool_use"),
      STOP,
    );
    expect((await summary(body)).calls.map(({ id }) => id)).toEqual(["a", "own-1", "own-2"]);
  });

  test("may be whole in its first event, or one JSON body", async () => {
    const message = {
      id: "m1",
      type: "message",
      model: "m",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "Hi" },
        { type: "tool_use", id: "a", name: "x", input: { n: 1 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const whole: Summary = {
      text: "Hi",
      reasoning: "hm",
      calls: [{ id: "a", name: "x", arguments: '{"n":1}' }],
      stop: "calls",
      failed: null,
      usage: { ...ZERO, input: 3, output: 4 },
    };
    expect(await summary(sse({ type: "message_start", message }, STOP))).toEqual(whole);
    expect(await summary(JSON.stringify(message), { contentType: "application/json" })).toEqual(
      whole,
    );
  });

  test("keeps what the provider's own tools did, to be sent back as it came", async () => {
    const use = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
    const found = { type: "web_search_tool_result", tool_use_id: "s", content: [{ url: "u" }] };
    const body = sse(
      START,
      begun(0, use),
      grown(0, { type: "input_json_delta", partial_json: '{"q":"x"}' }),
      closed(0),
      begun(1, found),
      closed(1),
      ended("pause_turn"),
      STOP,
    );
    expect(await collect(events(body))).toEqual([
      { type: "response", id: "m1", model: "m" },
      { type: "keep", of: "text", item: { ...use, input: { q: "x" } } },
      { type: "keep", of: "text", item: found },
      { type: "stop", reason: "paused" },
    ]);
  });

  test("passes over pings, comments, and events, deltas and blocks of kinds that came later", async () => {
    const body = `: hello\n\n${sse(
      START,
      { type: "ping" },
      { type: "news", index: 0 },
      begun(0, { type: "text", text: "" }),
      grown(0, { type: "citations_delta", citation: {} }),
      grown(0, { type: "text_delta", text: "Hi" }),
      closed(0),
      ended("end_turn"),
      STOP,
    )}`;
    expect(await summary(body)).toMatchObject({ text: "Hi", stop: "end", failed: null });
  });

  test("is complete with its reason to stop, and not spoilt by damage after it", async () => {
    const body = `${sse(
      START,
      begun(0, { type: "text", text: "Hi" }),
      ended("end_turn"),
    )}data: {"type":"message_st`;
    expect(await summary(body)).toMatchObject({ text: "Hi", stop: "end", failed: null });
  });

  test("reads a field of the wrong type as absent", async () => {
    const body = sse(
      { type: "message_start", message: { id: 7, model: null, content: "x", usage: [] } },
      begun(0, { type: "text", text: 5 }),
      { type: "content_block_start", index: 1, content_block: "text" },
      grown(0, { type: "text_delta", text: {} }),
      { type: "content_block_delta", index: "0", delta: 3 },
      grown(0, { type: "text_delta", text: "Hi" }),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: "x" } },
      STOP,
    );
    expect(await collect(events(body))).toEqual([
      { type: "text", delta: "Hi" },
      { type: "usage", usage: ZERO },
      { type: "stop", reason: "end" },
    ]);
  });
});

const STOPS: [reason: string, stop: StopReason][] = [
  ["end_turn", "end"],
  ["stop_sequence", "end"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["pause_turn", "paused"],
  ["refusal", "refusal"],
  ["tool_use", "end"],
  ["something new", "end"],
];

describe("a reason to stop", () => {
  test.each(STOPS)("%p is %p", async (reason, stop) => {
    const body = anthropicBody({ blocks: [{ type: "text", text: "x" }], stop: reason });
    expect(await summary(body)).toMatchObject({ stop, failed: null });
  });

  test("“end_turn” after calls is a stop for calls", async () => {
    const call = { type: "tool_use", id: "a", name: "x", input: {} } as const;
    expect((await summary(anthropicBody({ blocks: [call], stop: "end_turn" }))).stop).toBe("calls");
  });

  test("a refusal comes with what the provider says of it", async () => {
    const stop_details = { type: "refusal", category: "cyber", explanation: "Not this." };
    const body = sse(START, ended("refusal", { stop_details }), STOP);
    expect((await collect(events(body))).at(-1)).toEqual({
      type: "stop",
      reason: "refusal",
      because: "Not this.",
    });
  });

  test("the limit leaves half a call as it is", async () => {
    const body = sse(
      START,
      begun(0, { type: "tool_use", id: "a", name: "x", input: {} }),
      grown(0, { type: "input_json_delta", partial_json: '{"text":"ha' }),
      ended("max_tokens"),
      STOP,
    );
    expect(await summary(body)).toMatchObject({
      calls: [{ id: "a", name: "x", arguments: '{"text":"ha' }],
      stop: "length",
    });
  });
});

describe("usage", () => {
  test("counts what was read from and written to the cache as input too", async () => {
    const body = anthropicBody({
      blocks: [],
      usage: { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 30 },
    });
    expect((await summary(body)).usage).toEqual({
      ...ZERO,
      input: 135,
      cacheRead: 100,
      cacheWrite: 30,
      output: 20,
    });
  });

  test("is a running total: later figures go before earlier, but not zeros before figures", async () => {
    const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 8 };
    const body = sse(
      { type: "message_start", message: { content: [], usage } },
      {
        ...ended("end_turn"),
        usage: {
          input_tokens: 40,
          output_tokens: 9,
          cache_read_input_tokens: 0,
          output_tokens_details: { thinking_tokens: 6 },
        },
      },
      STOP,
    );
    expect((await summary(body)).usage).toEqual({
      ...ZERO,
      input: 48,
      cacheRead: 8,
      output: 9,
      reasoning: 6,
    });
  });
});
