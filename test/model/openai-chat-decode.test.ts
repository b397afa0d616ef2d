// Chat Completions replies, as many servers write them, to events.
import { describe, expect, test } from "bun:test";
import type { Summary } from "../../src/model/decode.ts";
import type { StopReason, Usage } from "../../src/model/event.ts";
import { collect, pieces } from "../support/collect.ts";
import { random } from "../support/random.ts";
import { chatBody } from "../support/replay-server.ts";
import { delta, events, finish, sse, summary } from "./chat-reply.ts";

const READ = { id: "a", name: "read", arguments: '{"path":"a"}' };
const NO_USAGE: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  costUsd: null,
};

describe("a reply", () => {
  test("becomes events in the order they came, the stop last", async () => {
    const body = sse(
      { id: "r1", model: "m1", choices: [{ index: 0, delta: { role: "assistant", content: "" } }] },
      delta({ reasoning_content: "hm" }),
      delta({ content: "Hel" }),
      delta({ content: "lo" }),
      delta({ tool_calls: [{ index: 0, id: "a", function: { name: "read", arguments: "" } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: READ.arguments } }] }),
      finish("tool_calls"),
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } },
    );
    expect(await collect(events(body))).toEqual([
      { type: "response", id: "r1", model: "m1" },
      { type: "thinking", delta: "hm" },
      { type: "text", delta: "Hel" },
      { type: "text", delta: "lo" },
      { type: "call.begin", id: "a", name: "read" },
      { type: "call.delta", id: "a", delta: READ.arguments },
      { type: "call", call: READ },
      { type: "usage", usage: { ...NO_USAGE, input: 7, output: 3 } },
      { type: "stop", reason: "calls" },
    ]);
  });

  test("that is refused keeps the model's words with the stop", async () => {
    const body = sse(delta({ refusal: "I will " }), delta({ refusal: "not." }), finish("stop"));
    expect(await collect(events(body))).toEqual([
      { type: "stop", reason: "refusal", because: "I will not." },
    ]);
  });

  test("may be one JSON body, streamed or not", async () => {
    const body = JSON.stringify({
      id: "r",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Hi",
            reasoning: "hm",
            tool_calls: [{ id: "a", type: "function", function: READ }],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    const whole: Summary = {
      text: "Hi",
      reasoning: "hm",
      calls: [READ],
      stop: "calls",
      failed: null,
      usage: { ...NO_USAGE, input: 1, output: 2 },
    };
    expect(await summary(body, { contentType: "application/json" })).toEqual(whole);
    expect(await summary(`\uFEFF  ${body}`)).toEqual(whole);
  });

  test("as a body without a finish reason is complete", async () => {
    expect((await summary('{"choices":[{"message":{"content":"x"}}]}')).stop).toBe("end");
  });

  test("uses the old function_call", async () => {
    const body = sse(
      delta({ function_call: { name: "read", arguments: "" } }),
      delta({ function_call: { arguments: '{"path":"a"}' } }),
      finish("function_call"),
    );
    expect((await summary(body)).calls).toEqual([{ ...READ, id: "own-1" }]);
  });

  test("may hold text and thinking as parts", async () => {
    const thinking = [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }];
    const body = sse(
      delta({ content: thinking }),
      delta({ content: [{ type: "text", text: "Hi" }] }),
      finish("stop"),
    );
    expect(await summary(body)).toMatchObject({ text: "Hi", reasoning: "hm", stop: "end" });
  });

  test("names one thinking in two fields but says it once", async () => {
    const details = [{ type: "reasoning.text", text: "hm" }];
    const body = sse(delta({ reasoning: "hm", reasoning_details: details }), finish("stop"));
    expect((await summary(body)).reasoning).toBe("hm");
  });

  test("may have its thinking in details alone", async () => {
    const details = [
      { type: "reasoning.summary", summary: "h" },
      { text: "m" },
      { type: "reasoning.encrypted", data: "x" },
    ];
    expect(
      (await summary(sse(delta({ reasoning_details: details }), finish("stop")))).reasoning,
    ).toBe("hm");
  });

  test("counts only its first choice", async () => {
    const other = {
      choices: [
        { index: 1, delta: { content: "no" } },
        { index: 0, delta: { content: "yes" } },
      ],
    };
    expect((await summary(sse(other, finish("stop")))).text).toBe("yes");
  });

  test("ends with its reason when the closing mark is missing", async () => {
    const body = chatBody({ steps: [{ text: "Hi" }], done: false });
    expect(await summary(body)).toMatchObject({ text: "Hi", stop: "end", failed: null });
  });

  test("is not spoilt by damage after its reason to stop", async () => {
    const body = `${chatBody({ steps: [{ text: "Hi" }], done: false })}data: {"choices":[],"usa`;
    expect(await summary(body)).toMatchObject({ text: "Hi", stop: "end", failed: null });
  });

  test("reads a field of the wrong type as absent", async () => {
    const body = sse(
      {
        id: 7,
        model: null,
        choices: [null, 3, { index: "0", delta: { content: 5, tool_calls: "x", refusal: [] } }],
      },
      { choices: { 0: "x" }, usage: "many" },
      null,
      17,
      "text",
      delta({ content: "Hi", tool_calls: [null, 1, { index: "x", id: 3, function: "f" }] }),
      finish("stop"),
    );
    expect(await collect(events(body))).toEqual([
      { type: "text", delta: "Hi" },
      { type: "stop", reason: "end" },
    ]);
  });
});

const STOPS: [reason: string, stop: StopReason][] = [
  ["stop", "end"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["content_filter", "filter"],
  ["refusal", "refusal"],
  ["something new", "end"],
];

describe("a reason to stop", () => {
  test.each(STOPS)("%p is %p", async (reason, stop) => {
    const got = await summary(sse(delta({ content: "x" }), finish(reason)));
    expect({ stop: got.stop, failed: got.failed }).toEqual({ stop, failed: null });
  });

  test("“stop” after calls is a stop for calls", async () => {
    const body = sse(delta({ tool_calls: [{ id: "a", function: READ }] }), finish("stop"));
    expect(await summary(body)).toMatchObject({ calls: [READ], stop: "calls" });
  });

  test("a cut that a router renamed is still a cut", async () => {
    const body = sse(delta({ tool_calls: [{ id: "a", function: READ }] }), {
      choices: [
        { index: 0, delta: {}, finish_reason: "tool_calls", native_finish_reason: "MAX_TOKENS" },
      ],
    });
    expect((await summary(body)).stop).toBe("length");
  });

  test("“error” is a failure", async () => {
    expect((await summary(sse(delta({ content: "x" }), finish("error")))).failed?.kind).toBe(
      "server",
    );
  });
});

function counting(tokens: number): unknown {
  return { choices: [], usage: { completion_tokens: tokens } };
}

describe("usage", () => {
  const places: [place: string, chunk: unknown][] = [
    [
      "in a chunk without choices",
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    ],
    [
      "in a choice",
      { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 5, completion_tokens: 2 } }] },
    ],
    ["in x_groq", { choices: [], x_groq: { usage: { prompt_tokens: 5, completion_tokens: 2 } } }],
  ];
  test.each(places)("is found %s", async (_, chunk) => {
    const got = await summary(sse(delta({ content: "x" }), finish("stop"), chunk));
    expect(got.usage).toEqual({ ...NO_USAGE, input: 5, output: 2 });
  });

  const forms: [form: string, usage: unknown, expected: Partial<Usage>][] = [
    [
      "details",
      {
        prompt_tokens: 9,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
      { input: 9, output: 4, cacheRead: 6, cacheWrite: 2, reasoning: 3 },
    ],
    [
      "DeepSeek's cache hits",
      { prompt_tokens: 9, prompt_cache_hit_tokens: 6 },
      { input: 9, cacheRead: 6 },
    ],
    [
      "figures that are no figures",
      { prompt_tokens: "9", completion_tokens: -1, prompt_tokens_details: 3 },
      {},
    ],
    ["a reported cost", { prompt_tokens: 9, cost: 0.5 }, { input: 9, costUsd: 0.5 }],
    [
      "a cost in parts",
      { prompt_tokens: 9, cost: { total_cost: 0.25 } },
      { input: 9, costUsd: 0.25 },
    ],
    [
      "xAI's ticks",
      { prompt_tokens: 9, cost_in_usd_ticks: 5_000_000_000 },
      { input: 9, costUsd: 0.5 },
    ],
  ];
  test.each(forms)("understands %s", async (_, usage, expected) => {
    const got = await summary(sse(finish("stop"), { choices: [], usage }));
    expect(got.usage).toEqual({ ...NO_USAGE, ...expected });
  });

  test("is the last of running totals, said once", async () => {
    const all = await collect(events(sse(counting(1), counting(2), finish("stop"), counting(3))));
    expect(all).toEqual([
      { type: "usage", usage: { ...NO_USAGE, output: 3 } },
      { type: "stop", reason: "end" },
    ]);
  });

  test("is told with a failure too", async () => {
    const body = sse({ choices: [], usage: { prompt_tokens: 5 } }, { error: { message: "no" } });
    expect(await summary(body)).toMatchObject({ usage: { input: 5 }, failed: { kind: "server" } });
  });
});

// Own bodies, written by hand; each is the reply of some kind of server.
const BODIES: string[] = [
  chatBody({
    steps: [{ reasoning: "é漢😀" }, { text: "Hello, " }, { text: "wörld" }],
    usage: { prompt_tokens: 3 },
  }),
  chatBody({
    steps: [
      { text: "Two." },
      { call: READ, fragments: 4 },
      { call: { ...READ, id: "b" }, fragments: 3 },
    ],
  }),
  chatBody({ steps: [{ text: "Hi" }] }).replaceAll("\n", "\r\n"),
  `: ping\n\n${chatBody({ steps: [{ text: "Hi" }], done: false })}`,
  sse(delta({ content: "a" }), { error: { message: "over", code: 429 } }),
  '{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}',
  "<html><title>Sign in</title></html>",
  "data: {broken\n\n",
  "",
];

test("any cut of any reply gives the same events", async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    for (const body of BODIES) {
      const cut = pieces(Buffer.from(body), random(seed), 1 + (seed % 11));
      expect([seed, await collect(events(cut))]).toEqual([seed, await collect(events(body))]);
    }
  }
});

test("a reply cut off anywhere before its reason to stop fails, and has no whole calls", async () => {
  const body = Buffer.from(chatBody({ steps: [{ text: "Hi" }, { call: READ, fragments: 3 }] }));
  const end = body.indexOf('"tool_calls"}');
  for (let at = 0; at < end; at += 1) {
    const got = await summary([body.subarray(0, at)]);
    expect([at, got.failed?.kind, got.calls]).toEqual([at, "stream_cut", []]);
  }
});

test("a mutated reply never throws and ends exactly once", async () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const chance = random(seed);
    const bytes = Buffer.from(chance.pick(BODIES));
    for (let count = chance.int(6); count > 0 && bytes.length > 0; count -= 1) {
      bytes[chance.int(bytes.length)] = chance.chance(0.5) ? chance.int(256) : 34;
    }
    const all = await collect(events(pieces(bytes, chance, 40)));
    const ends = all.map(({ type }) => type === "stop" || type === "failed");
    expect([seed, ends.indexOf(true)]).toEqual([seed, all.length - 1]);
  }
});
