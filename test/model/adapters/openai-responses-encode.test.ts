// The body of a Responses request: items in their order, what goes back to whom, thinking only for models that think.
import { describe, expect, test } from "bun:test";
import { openaiResponses } from "../../../src/model/adapters/openai-responses.ts";
import type { Endpoint } from "../../../src/model/provider.ts";
import type {
  AssistantPart,
  Effort,
  ModelMessage,
  ModelRequest,
} from "../../../src/model/request.ts";
import { called, requestOf, result, user } from "../requests.ts";

const adapter = openaiResponses();
const MODEL = "gpt-5.2";
const AT: Endpoint = {
  provider: "openai",
  baseUrl: "https://host/v1",
  credential: { kind: "key", key: "sekrit", source: "--api-key" },
};

function body(request: ModelRequest, endpoint = AT): Record<string, unknown> {
  return JSON.parse(adapter.encode(endpoint, request).body);
}

function input(messages: ModelMessage[], model = MODEL): unknown {
  return body(requestOf(messages, { model }))["input"];
}

function assistant(...parts: AssistantPart[]): ModelMessage {
  return { role: "assistant", parts };
}

function kept(item: unknown, model = MODEL, wire = "openai-responses") {
  return { kept: { wire, model, item } };
}

const THOUGHT = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "b3BhcXVl" };

describe("a request", () => {
  test("that asks for nothing special is stored nowhere, and has its input last", () => {
    const request = requestOf([user("Hi")], {
      model: "gpt-4.1",
      system: ["Be kind.", "", "Today."],
    });
    const { pieces, ...encoded } = adapter.encode(AT, request);
    expect(encoded).toEqual({
      url: "https://host/v1/responses",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        authorization: "Bearer sekrit",
      },
      body: '{"stream":true,"model":"gpt-4.1","store":false,"instructions":"Be kind.\\n\\nToday.","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}]}',
    });
    expect(`${pieces?.head}${pieces?.items.join(",")}]}`).toBe(encoded.body);
    expect(pieces?.parts).toEqual({ instructionBytes: 20, toolBytes: 2, tools: 0 });
  });

  test("has the session as the key of its cache, tools as they are, and its limits", () => {
    const parameters = { type: "object", properties: { path: { type: "string" } } };
    const request = requestOf([user("Hi")], {
      model: MODEL,
      tools: [{ name: "read", description: "Reads.", parameters }],
      cacheKey: "s".repeat(70),
      maxOutputTokens: 100,
      temperature: 0.5,
    });
    expect(body(request)).toMatchObject({
      prompt_cache_key: "s".repeat(64),
      tools: [{ type: "function", name: "read", description: "Reads.", parameters, strict: false }],
      max_output_tokens: 100,
      temperature: 0.5,
    });
    const signedIn = body(request, { ...AT, provider: "codex" });
    expect(signedIn).not.toHaveProperty("max_output_tokens");
    expect(signedIn).not.toHaveProperty("temperature");
  });

  test("sends no key where there is none", () => {
    const { headers } = adapter.encode({ ...AT, credential: { kind: "none" } }, requestOf([]));
    expect(headers).not.toHaveProperty("authorization");
  });

  test.each([
    ["https://host", "https://host/responses"],
    ["https://host/v1/", "https://host/v1/responses"],
    ["https://host/v1/responses", "https://host/v1/responses"],
    ["https://host/openai/v1?api-version=1", "https://host/openai/v1/responses?api-version=1"],
  ])("to %s goes to %s", (baseUrl, url) => {
    expect(adapter.encode({ ...AT, baseUrl }, requestOf([])).url).toBe(url);
  });

  test("begins with the bytes of the one before it", () => {
    const first = [user("Hi")];
    const then = [...first, called("a", "read", '{"path":"x"}', "I look."), result("a", "text")];
    const [before, after] = [first, then].map(
      (messages) => adapter.encode(AT, requestOf(messages, { model: MODEL })).body,
    );
    expect(after?.startsWith(before?.slice(0, -"]}".length) ?? "?")).toBe(true);
  });
});

const EFFORTS: [effort: Effort | null, model: string, reasoning: unknown, include: boolean][] = [
  [null, "gpt-5.2", undefined, true],
  [null, "openai/o4-mini", undefined, true],
  [null, "codex-mini-latest", undefined, true],
  [null, "gpt-oss-120b", undefined, true],
  [null, "gpt-4o", undefined, false],
  [null, "gpt-5-chat-latest", undefined, false],
  [null, "grok-4", undefined, false],
  ["off", "gpt-5.2", { effort: "none" }, false],
  ["minimal", "gpt-5", { effort: "minimal", summary: "auto" }, true],
  ["high", "anything", { effort: "high", summary: "auto" }, true],
  ["xhigh", "gpt-5.2", { effort: "xhigh", summary: "auto" }, true],
  ["max", "gpt-5.2", { effort: "xhigh", summary: "auto" }, true],
];

test.each(EFFORTS)("effort %p of %s", (effort, model, reasoning, include) => {
  const sent = body(requestOf([user("Hi")], { model, effort }));
  expect([sent["reasoning"], sent["include"]]).toEqual([
    reasoning,
    include ? ["reasoning.encrypted_content"] : undefined,
  ]);
});

describe("a message", () => {
  test("of each kind is an item of its own", () => {
    const messages = [
      user("Hi"),
      called("a", "read", '{"path":"x"}', "I look."),
      result("a", "text"),
    ];
    expect(input(messages)).toEqual([
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
      { type: "message", role: "assistant", content: "I look." },
      { type: "function_call", call_id: "a", name: "read", arguments: '{"path":"x"}' },
      { type: "function_call_output", call_id: "a", output: "text" },
    ]);
  });

  test("can hold images and files; text in a file is text", () => {
    const media = (type: "image" | "audio" | "file", mediaType: string, name: string) => ({
      type,
      mediaType,
      name,
      data: "aGk=",
    });
    const parts = [
      media("image", "image/png", "a.png"),
      media("file", "application/pdf", "b.pdf"),
      media("file", "text/csv", "c.csv"),
      media("audio", "audio/mpeg", "d.mp3"),
      media("audio", "audio/x-wav", "e.wav"),
    ];
    const content = [
      { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" },
      {
        type: "input_file",
        filename: "b.pdf",
        file_data: "data:application/pdf;base64,aGk=",
      },
      { type: "input_text", text: "c.csv:\nhi" },
      { type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } },
      { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } },
    ];
    expect(input([{ role: "user", parts }])).toEqual([{ type: "message", role: "user", content }]);
    expect(
      input([
        { role: "tool", callId: "a", name: "read", isError: false, parts: parts.slice(0, 1) },
      ]),
    ).toEqual([{ type: "function_call_output", call_id: "a", output: content.slice(0, 1) }]);
  });

  test.each([
    ["without anything in it", assistant()],
    ["of empty text", assistant({ type: "text", text: "" })],
    ["of bare thinking", assistant({ type: "reasoning", text: "hm" })],
    [
      "that broke off after its thinking",
      assistant({ type: "reasoning", text: "hm", ...kept(THOUGHT) }),
    ],
  ])("%s is left out", (_, message) => {
    expect(input([message])).toEqual([]);
  });
});

describe("what was kept", () => {
  const said = [
    { type: "reasoning", text: "hm", ...kept(THOUGHT) },
    { type: "text", text: "I look.", ...kept({ type: "message", phase: "commentary" }) },
    { type: "tool_call", call: { id: "a", name: "read", arguments: "{}" } },
  ] as const;

  test("goes back as it came, in its place", () => {
    expect(input([assistant(...said)])).toEqual([
      THOUGHT,
      { type: "message", role: "assistant", phase: "commentary", content: "I look." },
      { type: "function_call", call_id: "a", name: "read", arguments: "{}" },
    ]);
  });

  test.each([
    ["another model", kept(THOUGHT, "gpt-5.1")],
    ["another wire", kept(THOUGHT, MODEL, "anthropic")],
    ["nothing that this wire keeps", kept("text")],
  ])("does not go back where it is of %s", (_, more) => {
    const parts = [{ type: "reasoning", text: "hm", ...more }, said[2]] as const;
    expect(input([assistant(...parts)])).toEqual([
      { type: "function_call", call_id: "a", name: "read", arguments: "{}" },
    ]);
  });
});

describe("a call", () => {
  test.each([
    ["", "{}"],
    ['{"path":', "{}"],
    ["[1]", "{}"],
    ['{"a":1}', '{"a":1}'],
  ])("with arguments %j goes back with %j", (text, sent) => {
    expect(input([called("a", "read", text)])).toMatchObject([{ arguments: sent }]);
  });

  test("has an id that is short enough, the same for its result", () => {
    const id = `toolu_${"x".repeat(80)}`;
    const other = `${id}y`;
    const messages = [called(id, "read", "{}"), result(id, "t"), called(other, "read", "{}")];
    const ids = messages.map((message) => {
      const sent = JSON.stringify(input([message]));
      return /"call_id":"([^"]*)"/.exec(sent)?.[1] ?? "";
    });
    expect(ids.every((one) => one.length <= 64)).toBe(true);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  });

  test("has no half of a surrogate pair in it", () => {
    const lone = "\ud83d";
    const text = JSON.stringify(
      input([user(lone), called("a", "x", "{}", lone), result("a", lone)]),
    );
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain("\\ud83d");
  });
});
