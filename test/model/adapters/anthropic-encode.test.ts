// The body of a Messages request: blocks, what goes back to whom, thinking by the model's generation, marks for the cache.
import { describe, expect, test } from "bun:test";
import { anthropic } from "../../../src/model/adapters/anthropic.ts";
import type { Endpoint } from "../../../src/model/provider.ts";
import type {
  AssistantPart,
  Effort,
  ModelMessage,
  ModelRequest,
} from "../../../src/model/request.ts";
import { unmarked } from "../../support/anthropic-server.ts";
import { called, requestOf, result, user } from "../requests.ts";

const adapter = anthropic();
const MODEL = "claude-sonnet-4-5";
const MARK = { cache_control: { type: "ephemeral" } };

function endpoint(baseUrl: string): Endpoint {
  const credential = { kind: "key", key: "sekrit", source: "--api-key" } as const;
  return { provider: "anthropic", baseUrl, credential };
}

const AT = endpoint("https://host");

function body(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(adapter.encode(AT, request).body);
}

function turns(messages: ModelMessage[], model = MODEL): unknown {
  return JSON.parse(unmarked(JSON.stringify(body(requestOf(messages, { model }))["messages"])));
}

function assistant(...parts: AssistantPart[]): ModelMessage {
  return { role: "assistant", parts };
}

function kept(item: unknown, model = MODEL, wire = "anthropic") {
  return { kept: { wire, model, item } };
}

describe("a request", () => {
  test("that asks for nothing special has what the wire demands, the messages last", () => {
    const request = requestOf([user("Hi")], { model: MODEL, system: ["Be kind.", " ", "Today."] });
    expect(adapter.encode(AT, request)).toEqual({
      url: "https://host/v1/messages",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        "anthropic-version": "2023-06-01",
        "x-api-key": "sekrit",
      },
      body: '{"model":"claude-sonnet-4-5","stream":true,"max_tokens":32000,"system":[{"type":"text","text":"Be kind."},{"type":"text","text":"Today.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}]}]}',
    });
  });

  test("sends no key where there is none", () => {
    const request = requestOf([user("Hi")]);
    const { headers } = adapter.encode({ ...AT, credential: { kind: "none" } }, request);
    expect(headers).not.toHaveProperty("x-api-key");
  });

  test.each([
    ["http://h", "http://h/v1/messages"],
    ["http://h/", "http://h/v1/messages"],
    ["http://h/v1", "http://h/v1/messages"],
    ["http://h/v1/messages", "http://h/v1/messages"],
    ["http://h/api/anthropic?x=1", "http://h/api/anthropic/v1/messages?x=1"],
  ])("to %s goes to %s", (baseUrl, url) => {
    expect(adapter.encode(endpoint(baseUrl), requestOf([])).url).toBe(url);
  });

  test("gives tools with an object for parameters, the last with a mark", () => {
    const field = { type: "string" };
    const tools = [
      { name: "a", description: "A.", parameters: { type: "object", properties: { x: field } } },
      { name: "b", description: "B.", parameters: { anyOf: [{ properties: { y: field } }] } },
    ];
    expect(body(requestOf([], { tools }))["tools"]).toEqual([
      { name: "a", description: "A.", input_schema: { type: "object", properties: { x: field } } },
      {
        name: "b",
        description: "B.",
        input_schema: { type: "object", properties: { y: field } },
        ...MARK,
      },
    ]);
  });
});

describe("a conversation", () => {
  test("has roles in turn, and the results of a round in one message before what was said then", () => {
    const calls = assistant(
      { type: "text", text: "Look." },
      { type: "tool_call", call: { id: "a", name: "read", arguments: '{"path":"x"}' } },
      { type: "tool_call", call: { id: "b", name: "read", arguments: "{broken" } },
    );
    const failed: ModelMessage = {
      role: "tool",
      callId: "b",
      name: "read",
      parts: [{ type: "text", text: "no" }],
      isError: true,
    };
    const list = [user("1"), user("2"), calls, result("a", "one"), failed, user("go on")];
    expect(turns(list)).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "1" },
          { type: "text", text: "2" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Look." },
          { type: "tool_use", id: "a", name: "read", input: { path: "x" } },
          { type: "tool_use", id: "b", name: "read", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "one" }] },
          {
            type: "tool_result",
            tool_use_id: "b",
            content: [{ type: "text", text: "no" }],
            is_error: true,
          },
          { type: "text", text: "go on" },
        ],
      },
    ]);
  });

  test("names calls of other wires with the characters of this one", () => {
    expect(turns([called("call|1:x", "read", "{}"), result("call|1:x", "")])).toEqual([
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "call_1_x", name: "read", input: {} }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1_x" }] },
    ]);
  });

  test("shows images and documents, in results too, and says what it cannot show", () => {
    const media = (type: "image" | "audio" | "file", mediaType: string, data = "QUJD") => ({
      type,
      mediaType,
      data,
      name: "n",
    });
    const image = media("image", "image/png");
    const shown: ModelMessage = {
      role: "tool",
      callId: "a",
      name: "read",
      parts: [{ type: "text", text: "seen" }, image],
      isError: false,
    };
    const source = { type: "base64", media_type: "image/png", data: "QUJD" };
    const given: ModelMessage = {
      role: "user",
      parts: [
        image,
        media("file", "application/pdf"),
        media("file", "text/plain"),
        media("audio", "audio/wav"),
        media("image", "image/tiff"),
      ],
    };
    const note = (what: string) => ({ type: "text", text: `[the ${what} cannot be shown here]` });
    expect(turns([given, called("a", "read", "{}"), shown, { ...shown, isError: true }])).toEqual([
      {
        role: "user",
        content: [
          { type: "image", source },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "QUJD" },
            title: "n",
          },
          { type: "text", text: "n:\nABC" },
          note("audio n is left out: audio/wav"),
          note("image n is left out: image/tiff"),
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [
              { type: "text", text: "seen" },
              { type: "image", source },
            ],
          },
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [{ type: "text", text: "seen" }, note("image n is left out: image/png")],
            is_error: true,
          },
        ],
      },
    ]);
  });

  test("gives thinking back with its signature, to the model that thought it", () => {
    const search = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
    const parts: AssistantPart[] = [
      { type: "reasoning", text: "hm", ...kept({ type: "thinking", signature: "s1" }) },
      { type: "reasoning", text: "", ...kept({ type: "redacted_thinking", data: "d" }) },
      { type: "text", text: "Hi", ...kept(search) },
    ];
    expect(turns([user("x"), assistant(...parts)])).toMatchObject([
      {},
      {
        content: [
          { type: "thinking", thinking: "hm", signature: "s1" },
          { type: "redacted_thinking", data: "d" },
          { type: "text", text: "Hi" },
          search,
        ],
      },
    ]);
    const plain = [{}, { content: [{ type: "text", text: "Hi" }] }];
    expect(turns([user("x"), assistant(...parts)], "claude-opus-4-6")).toMatchObject(plain);
  });

  test("drops what another wire kept, thinking without signature, and blank texts", () => {
    const parts: AssistantPart[] = [
      { type: "reasoning", text: "hm" },
      { type: "reasoning", text: "so", ...kept({ thoughtSignature: "x" }, MODEL, "gemini") },
      { type: "text", text: " \n" },
      { type: "text", text: "Hi" },
    ];
    expect(turns([user("x"), user(" "), assistant(...parts)])).toEqual([
      { role: "user", content: [{ type: "text", text: "x" }] },
      { role: "assistant", content: [{ type: "text", text: "Hi" }] },
    ]);
  });

  test("sends no half of a surrogate pair", () => {
    const list = [user("a\ud83d"), called("a", "x", '{"t":"\\ud83d"}')];
    expect(adapter.encode(AT, requestOf(list)).body).not.toMatch(/\\ud83d/i);
  });

  test("marks the ends of the last two user turns, and grows only at its end but for the marks", () => {
    const list = [
      user("1"),
      called("a", "x", "{}"),
      result("a", "r"),
      called("b", "x", "{}"),
      result("b", "r"),
      user("2"),
    ];
    const bodies = [1, 3, 5, 6].map(
      (end) => adapter.encode(AT, requestOf(list.slice(0, end))).body,
    );
    const marks = bodies.map((text) => text.match(/"cache_control"/g)?.length ?? 0);
    expect(marks).toEqual([1, 2, 2, 2]);
    expect(bodies[2]).toContain('"tool_use_id":"b","content":[{"type":"text","text":"r"}],"cache');
    const plain = bodies.map(unmarked);
    for (const [at, text] of plain.entries()) {
      expect((plain[at + 1] ?? text).startsWith(text.slice(0, -"]}]}".length))).toBe(true);
    }
  });
});

function limits(model: string, effort: Effort | null, more: Partial<ModelRequest> = {}) {
  const { max_tokens, thinking, output_config, temperature } = body(
    requestOf([user("x")], { model, effort, temperature: 2, ...more }),
  );
  return { max_tokens, thinking, output_config, temperature };
}

function budget(budget_tokens: number) {
  return { type: "enabled", budget_tokens };
}

const ADAPTIVE = { type: "adaptive", display: "summarized" };

const LIMITS: [model: string, effort: Effort | null, fields: Record<string, unknown>][] = [
  ["claude-3-opus-20240229", "high", { max_tokens: 4096, temperature: 1 }],
  ["claude-3-5-haiku-latest", "high", { max_tokens: 8192, temperature: 1 }],
  ["claude-3-7-sonnet-20250219", null, { max_tokens: 32_000, temperature: 1 }],
  ["claude-3-7-sonnet-20250219", "low", { max_tokens: 36_096, thinking: budget(4096) }],
  ["claude-opus-4-20250514", "high", { max_tokens: 32_000, thinking: budget(16_000) }],
  ["claude-opus-4-1", "max", { max_tokens: 32_000, thinking: budget(27_904) }],
  ["claude-sonnet-4-5", "off", { max_tokens: 32_000, temperature: 1 }],
  ["claude-sonnet-4-5", "minimal", { max_tokens: 33_024, thinking: budget(1024) }],
  ["claude-haiku-4-5-20251001", "max", { max_tokens: 63_999, thinking: budget(31_999) }],
  ["kimi-k2", "medium", { max_tokens: 32_000, thinking: budget(10_000) }],
  ["claude-opus-4-6", null, { max_tokens: 64_000, temperature: 1 }],
  ["claude-opus-4-6", "off", { max_tokens: 64_000, temperature: 1 }],
  [
    "claude-sonnet-4.6",
    "minimal",
    { max_tokens: 64_000, thinking: ADAPTIVE, output_config: { effort: "low" } },
  ],
  [
    "claude-opus-4-6",
    "xhigh",
    { max_tokens: 64_000, thinking: ADAPTIVE, output_config: { effort: "high" } },
  ],
  [
    "anthropic.claude-opus-4-7-v1",
    "xhigh",
    { max_tokens: 64_000, thinking: ADAPTIVE, output_config: { effort: "xhigh" } },
  ],
  ["claude-opus-4-7", null, { max_tokens: 64_000 }],
  ["claude-opus-5-5", null, { max_tokens: 64_000, thinking: ADAPTIVE }],
  ["claude-mythos-preview", "off", { max_tokens: 64_000, output_config: { effort: "low" } }],
  [
    "claude-fable-5",
    "max",
    { max_tokens: 64_000, thinking: ADAPTIVE, output_config: { effort: "max" } },
  ],
];

describe("thinking", () => {
  test.each(LIMITS)("of %s at %p", (model, effort, fields) => {
    const none = { thinking: undefined, output_config: undefined, temperature: undefined };
    expect(limits(model, effort)).toEqual({ max_tokens: 0, ...none, ...fields });
  });

  test("leaves room for the answer below a limit that was set, or stays away", () => {
    expect(limits(MODEL, "high", { maxOutputTokens: 10_000 })).toMatchObject({
      max_tokens: 10_000,
      thinking: budget(5904),
    });
    expect(limits(MODEL, "high", { maxOutputTokens: 5000 })).toMatchObject({
      max_tokens: 5000,
      thinking: undefined,
    });
  });

  test("by budget goes with the header that lets it go on between calls", () => {
    const header = (model: string) =>
      adapter.encode(AT, requestOf([user("x")], { model, effort: "high" })).headers[
        "anthropic-beta"
      ];
    expect([header(MODEL), header("claude-opus-4-6")]).toEqual([
      "interleaved-thinking-2025-05-14",
      undefined,
    ]);
  });

  test("by budget does not begin in the midst of a turn that began without", () => {
    const item = { type: "thinking", signature: "s" };
    const thought = { type: "reasoning", text: "hm", ...kept(item) } as const;
    const call = { type: "tool_call", call: { id: "a", name: "x", arguments: "{}" } } as const;
    const turn = (...parts: AssistantPart[]) =>
      body(
        requestOf([user("1"), assistant(...parts), result("a", "r")], {
          model: MODEL,
          effort: "high",
        }),
      )["thinking"];
    expect([turn(call), turn(thought, call)]).toEqual([undefined, budget(16_000)]);
  });
});
