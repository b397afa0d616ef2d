// Responses replies to events: items in their order and out of it, what is kept, reasons to stop, figures.
import { describe, expect, test } from "bun:test";
import { openaiResponses } from "../../../src/model/adapters/openai-responses.ts";
import type { ModelEvent, StopReason } from "../../../src/model/event.ts";
import { collect } from "../../support/collect.ts";
import { responsesBody, sse, type StreamEvent } from "../../support/responses-reply.ts";
import { wireReply } from "./wire-reply.ts";

const { events, summary } = wireReply(openaiResponses);
const DONE = ended("completed");

function ended(status: string, more: object = {}): StreamEvent {
  return { type: `response.${status}`, response: { id: "r", model: "m", status, ...more } };
}

function begun(output_index: number, item: object): StreamEvent {
  return { type: "response.output_item.added", output_index, item };
}

function closed(output_index: number, item: object): StreamEvent {
  return { type: "response.output_item.done", output_index, item };
}

function grown(output_index: number, what: string, delta: string): StreamEvent {
  return { type: `response.${what}.delta`, output_index, delta };
}

function call(id: string, text?: unknown, name = "read"): object {
  return { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: text };
}

describe("a reply", () => {
  test("becomes events in the order of its items, each with what is kept of it", async () => {
    const body = responsesBody({
      items: [
        { type: "reasoning", id: "rs_1", summary: "hm", encrypted: "e1" },
        { type: "reasoning", id: "rs_2", summary: "", encrypted: "e2" },
        { type: "message", text: "Hi", phase: "commentary" },
        { type: "function_call", id: "a", name: "read", input: { path: "x" } },
      ],
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 3 },
        output_tokens_details: { reasoning_tokens: 5 },
      },
    });
    const thought = (id: string, said: object[], encrypted_content: string): ModelEvent => ({
      type: "keep",
      of: "reasoning",
      item: { type: "reasoning", id, summary: said, encrypted_content },
    });
    expect(await collect(events(body))).toEqual([
      { type: "response", id: "resp_1", model: "served-model" },
      { type: "thinking", delta: "h" },
      { type: "thinking", delta: "m" },
      thought("rs_1", [{ type: "summary_text", text: "hm" }], "e1"),
      thought("rs_2", [], "e2"),
      { type: "text", delta: "H" },
      { type: "text", delta: "i" },
      { type: "keep", of: "text", item: { type: "message", phase: "commentary" } },
      { type: "call.begin", id: "a", name: "read" },
      { type: "call.delta", id: "a", delta: '{"path' },
      { type: "call.delta", id: "a", delta: '":"x"}' },
      { type: "call", call: { id: "a", name: "read", arguments: '{"path":"x"}' } },
      {
        type: "usage",
        usage: {
          input: 7,
          cacheRead: 3,
          cacheWrite: 0,
          output: 20,
          reasoning: 5,
          costUsd: null,
        },
      },
      { type: "stop", reason: "calls" },
    ]);
  });

  test("may have calls that grow in turns", async () => {
    const growing = "function_call_arguments";
    const body = sse(
      begun(0, call("a", "")),
      begun(1, call("b", "")),
      grown(1, growing, '{"n":2'),
      grown(0, growing, '{"n":1}'),
      grown(1, growing, "}"),
      closed(1, call("b", '{"n":2}')),
      closed(0, call("a", '{"n":1}')),
      DONE,
    );
    expect((await summary(body)).calls).toEqual([
      { id: "b", name: "read", arguments: '{"n":2}' },
      { id: "a", name: "read", arguments: '{"n":1}' },
    ]);
  });

  test.each([
    ["as a whole", JSON.stringify({ object: "response", ...whole() }), "application/json"],
    ["with no events but the last", sse(ended("completed", whole())), "text/event-stream"],
  ])("%s is read from its output", async (_, body, contentType) => {
    expect(await summary(body, { contentType })).toMatchObject({
      text: "Hi",
      reasoning: "hm\n\nah",
      calls: [{ id: "a", name: "read", arguments: "{}" }],
      stop: "calls",
    });
  });

  test("without the events of its items is read from what came of them", async () => {
    const body = sse(
      grown(0, "output_text", "Hi"),
      grown(1, "function_call_arguments", '{"a"'),
      grown(1, "function_call_arguments", ":1}"),
      closed(1, call("a")),
      DONE,
    );
    expect(await summary(body)).toMatchObject({
      text: "Hi",
      calls: [{ id: "a", name: "read", arguments: '{"a":1}' }],
    });
  });

  test("shows the one or the other of two kinds of thinking, in paragraphs", async () => {
    const thought = (kind: string, delta: string, at: number): StreamEvent => ({
      ...grown(0, kind, delta),
      summary_index: at,
    });
    const body = sse(
      begun(0, { type: "reasoning", id: "rs" }),
      thought("reasoning_summary_text", "a", 0),
      thought("reasoning_text", "not shown", 0),
      thought("reasoning_summary_text", "b", 0),
      thought("reasoning_summary_text", "c", 1),
      closed(0, { type: "reasoning", id: "rs", summary: [] }),
      DONE,
    );
    expect((await summary(body)).reasoning).toBe("ab\n\nc");
  });

  test("keeps thinking in full, but no name for what the server does not hold", async () => {
    const full = { type: "reasoning", id: "a", content: [{ type: "reasoning_text", text: "hm" }] };
    const named = { type: "reasoning", id: "b", summary: [{ text: "ah" }] };
    const body = sse(closed(0, { ...full, status: "completed" }), closed(1, named), DONE);
    const kept = (await collect(events(body))).filter(({ type }) => type === "keep");
    expect(kept).toEqual([{ type: "keep", of: "reasoning", item: full }]);
  });
});

function whole(): object {
  return {
    id: "r",
    model: "m",
    status: "completed",
    output: [
      { type: "reasoning", id: "rs", summary: [{ text: "hm" }, { text: "ah" }] },
      { type: "message", content: [{ type: "output_text", text: "Hi" }] },
      call("a", ""),
    ],
  };
}

describe("arguments", () => {
  const growing = "function_call_arguments";
  const DONE_ARGUMENTS = { type: "response.function_call_arguments.done", output_index: 0 };

  test.each([
    ["blank", [closed(0, call("a", "  "))], "{}"],
    ["absent", [closed(0, call("a"))], "{}"],
    ["null", [closed(0, call("a", null))], "{}"],
    ["an object", [closed(0, call("a", { n: 1 }))], '{"n":1}'],
    [
      "whole at the beginning",
      [begun(0, call("a", '{"n":1}')), closed(0, call("a", '{"n":1}'))],
      '{"n":1}',
    ],
    [
      "only in pieces",
      [begun(0, call("a")), grown(0, growing, '{"n":1}'), closed(0, call("a"))],
      '{"n":1}',
    ],
    [
      "only in their own last event",
      [begun(0, call("a")), { ...DONE_ARGUMENTS, arguments: '{"n":1}' }],
      '{"n":1}',
    ],
    [
      "other than their pieces",
      [begun(0, call("a")), grown(0, growing, '{"n":2}'), closed(0, call("a", '{"n":1}'))],
      '{"n":1}',
    ],
  ])("that are %s", async (_, before, text) => {
    expect((await summary(sse(...before, DONE))).calls).toEqual([
      { id: "a", name: "read", arguments: text },
    ]);
  });

  test("come before the name is known, and are shown then", async () => {
    const body = sse(grown(0, growing, '{"n"'), closed(0, call("a", '{"n":1}')), DONE);
    expect((await collect(events(body))).slice(0, 4)).toEqual([
      { type: "call.begin", id: "a", name: "read" },
      { type: "call.delta", id: "a", delta: '{"n"' },
      { type: "call.delta", id: "a", delta: ":1}" },
      { type: "call", call: { id: "a", name: "read", arguments: '{"n":1}' } },
    ]);
  });

  test("belong to calls with ids of their own, whatever the server calls them", async () => {
    const nameless = { type: "function_call", name: "x", arguments: "{}" };
    const body = sse(
      closed(0, call("a", "{}")),
      closed(1, call("a", "{}")),
      closed(2, nameless),
      closed(3, { ...nameless, id: "fc" }),
      DONE,
    );
    const ids = (await summary(body)).calls.map(({ id }) => id);
    expect(ids).toEqual(["a", "own-1", "own-2", "fc"]);
  });
});

describe("the end", () => {
  const TEXT = grown(0, "output_text", "Hi");

  test.each<[status: string, more: object, stop: StopReason]>([
    ["completed", {}, "end"],
    ["done", {}, "end"],
    ["incomplete", { incomplete_details: { reason: "max_output_tokens" } }, "length"],
    ["incomplete", {}, "length"],
    ["incomplete", { incomplete_details: { reason: "content_filter" } }, "filter"],
    ["completed", { status: "incomplete" }, "length"],
  ])("%s %j is %p", async (status, more, stop) => {
    expect((await summary(sse(TEXT, ended(status, more)))).stop).toBe(stop);
  });

  test("is a refusal in the model's words", async () => {
    const streamed = sse(grown(0, "refusal", "I can"), grown(0, "refusal", "not."), DONE);
    const refused = { type: "message", content: [{ type: "refusal", refusal: "I cannot." }] };
    for (const body of [streamed, sse(closed(0, refused), DONE)]) {
      expect((await collect(events(body))).at(-1)).toEqual({
        type: "stop",
        reason: "refusal",
        because: "I cannot.",
      });
    }
  });

  test("waits for whoever can answer a call that is not one of ours", async () => {
    const body = sse(closed(0, { type: "apply_patch_call", call_id: "a" }), DONE);
    expect(await summary(body)).toMatchObject({ calls: [], stop: "calls" });
  });

  test("comes with calls also where the output was cut in the middle of one", async () => {
    const body = sse(
      begun(0, call("a")),
      grown(0, "function_call_arguments", '{"pa'),
      ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } }),
    );
    expect(await summary(body)).toMatchObject({
      calls: [{ id: "a", name: "read", arguments: '{"pa' }],
      stop: "length",
    });
  });

  test("is passed over where more comes behind it", async () => {
    const body = `${sse(TEXT, DONE)}data: [DONE]\n\ndata: {broken\n\n`;
    expect(await summary(body)).toMatchObject({ text: "Hi", stop: "end" });
  });
});

test.each([
  ["in dollars", { cost: 0.25 }, 0.25],
  ["in fractions of them", { cost_in_usd_ticks: 2_500_000_000 }, 0.25],
  ["not at all", {}, null],
])("what the reply cost, where it says so %s", async (_, usage, costUsd) => {
  const { usage: read } = await summary(sse(ended("completed", { usage })));
  expect(read?.costUsd).toBe(costUsd);
});
