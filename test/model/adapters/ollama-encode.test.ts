// The body of Ollama's POST /api/chat: what is sent, what is left out, and that a growing conversation keeps its bytes.
import { describe, expect, test } from "bun:test";
import { encodeOllama, ollamaUrl } from "../../../src/model/adapters/ollama-encode.ts";
import type { Endpoint } from "../../../src/model/provider.ts";
import type { ModelMessage, ModelRequest } from "../../../src/model/request.ts";
import { called, requestOf, result, user } from "../requests.ts";

const ENDPOINT: Endpoint = {
  provider: "ollama",
  baseUrl: "http://host:11434",
  credential: { kind: "none" },
};

function body(request: ModelRequest, endpoint = ENDPOINT): Record<string, unknown> {
  return JSON.parse(encodeOllama(endpoint, request).body);
}

const messages = (...list: ModelMessage[]): unknown => body(requestOf(list))["messages"];

describe("a request", () => {
  test("that asks for nothing special asks to be refused rather than cut", () => {
    const asked = requestOf([user("Hi")], { system: ["Be kind.", "", "Be brief."] });
    expect(encodeOllama(ENDPOINT, asked)).toEqual({
      url: "http://host:11434/api/chat",
      headers: {
        "content-type": "application/json",
        accept: "application/x-ndjson, application/json",
      },
      body: '{"model":"m","stream":true,"truncate":false,"shift":false,"messages":[{"role":"system","content":"Be kind.\\n\\nBe brief."},{"role":"user","content":"Hi"}]}',
    });
  });

  test("sends what was asked for, and the window the settings name", () => {
    const tool = { name: "read", description: "Reads.", parameters: { type: "object" } };
    const more = { tools: [tool], effort: "high", maxOutputTokens: 9, temperature: 0 } as const;
    const asked = requestOf([], { ...more, tools: [tool] });
    expect(body(asked, { ...ENDPOINT, window: 32_768 })).toEqual({
      model: "m",
      stream: true,
      truncate: false,
      shift: false,
      options: { num_ctx: 32_768, num_predict: 9, temperature: 0 },
      think: true,
      tools: [{ type: "function", function: tool }],
      messages: [],
    });
  });

  test.each([
    ["m", null, undefined],
    ["m", "off", false],
    ["m", "minimal", true],
    ["gpt-oss:20b", "off", "low"],
    ["gpt-oss:20b", "medium", "medium"],
    ["gpt-oss:20b", "max", "high"],
  ] as const)("to %p with the effort %p thinks: %p", (model, effort, think) => {
    expect(body(requestOf([], { model, effort }))["think"]).toBe(think);
  });

  test("with a key sends it", () => {
    const credential = { kind: "key", key: "sekrit", source: "--api-key" } as const;
    const { headers } = encodeOllama({ ...ENDPOINT, credential }, requestOf([]));
    expect(headers["authorization"]).toBe("Bearer sekrit");
  });

  test.each([
    ["http://host:1", "http://host:1/api/chat"],
    ["http://host:1/", "http://host:1/api/chat"],
    ["http://host:1/v1", "http://host:1/api/chat"],
    ["http://host:1/v1/", "http://host:1/api/chat"],
    ["http://host:1/api", "http://host:1/api/chat"],
    ["http://host:1/api/chat", "http://host:1/api/chat"],
    ["http://host/ollama/v1?a=b", "http://host/ollama/api/chat?a=b"],
  ])("to %p goes to %p", (baseUrl, url) => {
    expect(ollamaUrl(baseUrl, "chat")).toBe(url);
  });
});

describe("messages", () => {
  test("of a tool round name the tool and hold the arguments as an object", () => {
    const round = [user("Go"), called("a", "read", '{"path":"a"}', "I look."), result("a", "text")];
    expect(messages(...round)).toEqual([
      { role: "user", content: "Go" },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [{ function: { name: "read", arguments: { path: "a" } } }],
      },
      { role: "tool", tool_name: "tool", content: "text" },
    ]);
  });

  test.each(['{"path":', "[1]", "null", ""])("replace the broken arguments %p", (args) => {
    expect(messages(called("a", "read", args))).toEqual([
      {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "read", arguments: {} } }],
      },
    ]);
  });

  test("give thinking back with the calls it led to, and with nothing else", () => {
    const thought = { type: "reasoning", text: "hm" } as const;
    const call = { id: "a", name: "read", arguments: "{}" };
    expect(
      messages(
        { role: "assistant", parts: [thought, { type: "tool_call", call }] },
        { role: "assistant", parts: [thought, { type: "text", text: "Done." }] },
        { role: "assistant", parts: [thought] },
      ),
    ).toEqual([
      {
        role: "assistant",
        content: "",
        thinking: "hm",
        tool_calls: [{ function: { name: "read", arguments: {} } }],
      },
      { role: "assistant", content: "Done." },
    ]);
  });

  test("hold images as bare base64, those of tools in a message after all results", () => {
    const image = { type: "image", mediaType: "image/png", data: "AAAA", name: "a.png" } as const;
    const shown = (callId: string): ModelMessage => ({
      role: "tool",
      callId,
      name: "look",
      parts: [{ type: "text", text: "see" }, image],
      isError: false,
    });
    const asked: ModelMessage = { role: "user", parts: [{ type: "text", text: "What?" }, image] };
    expect(messages(asked, shown("a"), shown("b"), user("And?"))).toEqual([
      { role: "user", content: "What?", images: ["AAAA"] },
      { role: "tool", tool_name: "look", content: "see\n[image a.png follows]" },
      { role: "tool", tool_name: "look", content: "see\n[image a.png follows]" },
      {
        role: "user",
        content: "[from the tool results above: a.png, a.png]",
        images: ["AAAA", "AAAA"],
      },
      { role: "user", content: "And?" },
    ]);
  });

  test("say what could not be sent", () => {
    const file = { type: "file", mediaType: "application/pdf", data: "AA", name: "a.pdf" } as const;
    expect(messages({ role: "user", parts: [file] })).toEqual([
      { role: "user", content: "[file a.pdf: it cannot be sent here]" },
    ]);
  });

  test("hold no half of a surrogate pair", () => {
    expect(encodeOllama(ENDPOINT, requestOf([user("a\ud83d")])).body).not.toContain("\\ud83d");
  });
});

test("the request of a round begins with the bytes of the one before", () => {
  const rounds = [user("Go"), called("a", "read", "{}"), result("a", "1"), user("On")];
  const bodies = rounds.map((_, at) =>
    encodeOllama(ENDPOINT, requestOf(rounds.slice(0, at + 1))).body.slice(0, -2),
  );
  expect(bodies.map((text, at) => (bodies[at + 1] ?? text).startsWith(text))).toEqual(
    bodies.map(() => true),
  );
});
