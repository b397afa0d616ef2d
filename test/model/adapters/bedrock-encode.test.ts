// The body of ConverseStream: what is sent, what is left out, what goes back, and that a growing conversation keeps its bytes.
import { describe, expect, test } from "bun:test";
import { encodeBedrock } from "../../../src/model/adapters/bedrock-encode.ts";
import type { Endpoint } from "../../../src/model/provider.ts";
import type { AssistantPart, ModelMessage, ModelRequest } from "../../../src/model/request.ts";
import { uncached } from "../../support/bedrock-server.ts";
import { called, requestOf, result, user } from "../requests.ts";

const ENDPOINT: Endpoint = {
  provider: "bedrock",
  baseUrl: "https://host",
  credential: { kind: "none" },
};
const CLAUDE = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
const POINT = { cachePoint: { type: "default" } };
const TOOL = { name: "read", description: "Reads.", parameters: { type: "object" } };

function body(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(encodeBedrock(ENDPOINT, request).body);
}

const messages = (...list: ModelMessage[]): unknown => body(requestOf(list))["messages"];

describe("a request", () => {
  test("that asks for nothing special sends only what was said", () => {
    const asked = requestOf([user("Hi")], { system: ["Be kind.", " ", "Be brief."] });
    expect(encodeBedrock(ENDPOINT, asked)).toEqual({
      url: "https://host/model/m/converse-stream",
      headers: {
        "content-type": "application/json",
        accept: "application/vnd.amazon.eventstream",
      },
      body: '{"system":[{"text":"Be kind.\\n\\nBe brief."}],"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
    });
  });

  test("sends what was asked for", () => {
    const asked = requestOf([], { tools: [TOOL], maxOutputTokens: 9, temperature: 0 });
    expect(body(asked)).toEqual({
      inferenceConfig: { maxTokens: 9, temperature: 0 },
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: "read",
              description: "Reads.",
              inputSchema: { json: { type: "object" } },
            },
          },
        ],
      },
      messages: [],
    });
  });

  test("with a key sends it as a bearer token", () => {
    const credential = { kind: "key", key: "sekrit", source: "--api-key" } as const;
    const { headers } = encodeBedrock({ ...ENDPOINT, credential }, requestOf([]));
    expect(headers["authorization"]).toBe("Bearer sekrit");
  });

  test.each([
    ["https://host", "m", "https://host/model/m/converse-stream"],
    ["https://host/", "a.b-v1:0", "https://host/model/a.b-v1%3A0/converse-stream"],
    [
      "https://host/gate?k=v",
      "arn:aws:bedrock:eu-west-1:1:inference-profile/x",
      "https://host/gate/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Fx/converse-stream?k=v",
    ],
  ])("to %p for %p goes to %p", (baseUrl, model, url) => {
    expect(encodeBedrock({ ...ENDPOINT, baseUrl }, requestOf([], { model })).url).toBe(url);
  });

  test("names the tools that were used, where none may be used any more", () => {
    const rounds = [user("Go"), called("a", "read", "{}"), result("a", "text")];
    expect(body(requestOf(rounds))["toolConfig"]).toEqual({
      tools: [{ toolSpec: { name: "read", inputSchema: { json: { type: "object" } } } }],
    });
  });
});

describe("models", () => {
  test("that cache get points after tools, system and the last two messages of the user", () => {
    const rounds = [user("1"), called("a", "read", "{}"), result("a", "2"), user("3")];
    const asked = body(
      requestOf([...rounds, called("b", "read", "{}"), result("b", "4")], {
        model: CLAUDE,
        system: ["Be kind."],
        tools: [TOOL],
      }),
    );
    expect(asked["system"]).toEqual([{ text: "Be kind." }, POINT]);
    expect(JSON.stringify(asked["toolConfig"])).toEndWith(`${JSON.stringify(POINT)}]}`);
    const list = asked["messages"];
    const ends = Array.isArray(list) ? list.map(({ content }) => content.at(-1)) : [];
    expect(ends.map((block) => Bun.deepEquals(block, POINT))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  test.each([
    ["amazon.nova-pro-v1:0", ["system"]],
    ["anthropic.claude-3-haiku-20240307-v1:0", []],
    ["meta.llama3-70b-instruct-v1:0", []],
  ])("%p get cache points in %p", (model, places) => {
    const asked = body(requestOf([user("1")], { model, system: ["Be kind."], tools: [TOOL] }));
    const found = Object.keys(asked).filter((key) =>
      JSON.stringify(asked[key]).includes("cachePoint"),
    );
    expect(found).toEqual(places);
  });

  test.each([
    [CLAUDE, null, undefined],
    [CLAUDE, "off", undefined],
    [CLAUDE, "low", { thinking: { type: "enabled", budget_tokens: 4096 } }],
    [
      "anthropic.claude-opus-4-6-v1",
      "high",
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
    ],
    ["openai.gpt-oss-120b-1:0", "max", { reasoning_effort: "high" }],
    ["amazon.nova-pro-v1:0", "high", undefined],
  ] as const)("%p with the effort %p are asked to think by %p", (model, effort, fields) => {
    const asked = body(requestOf([user("1")], { model, effort, temperature: 0.5 }));
    expect(asked["additionalModelRequestFields"]).toEqual(fields as unknown);
    const config = JSON.stringify(asked["inferenceConfig"]);
    const thinks = fields !== undefined && "thinking" in fields;
    expect(config.includes("temperature")).toBe(!thinks);
  });

  test("whose turn another one began do not go on thinking by a budget", () => {
    const rounds = [user("Go"), called("a", "read", "{}"), result("a", "1")];
    const asked = body(requestOf(rounds, { model: CLAUDE, effort: "high" }));
    expect(asked["additionalModelRequestFields"]).toBeUndefined();
  });
});

describe("messages", () => {
  test("of a round are one message of the user, with what was typed meanwhile", () => {
    const call = { type: "tool_call", call: { id: "b", name: "list", arguments: "{}" } } as const;
    const asked = called("a", "read", '{"path":"a"}', "I look.");
    const both = asked.role === "assistant" ? { ...asked, parts: [...asked.parts, call] } : asked;
    const failed: ModelMessage = {
      role: "tool",
      callId: "b",
      name: "list",
      parts: [{ type: "text", text: "no" }],
      isError: true,
    };
    expect(messages(user("Go"), both, result("a", "text"), failed, user("And?"))).toEqual([
      { role: "user", content: [{ text: "Go" }] },
      {
        role: "assistant",
        content: [
          { text: "I look." },
          { toolUse: { toolUseId: "a", name: "read", input: { path: "a" } } },
          { toolUse: { toolUseId: "b", name: "list", input: {} } },
        ],
      },
      {
        role: "user",
        content: [
          { toolResult: { toolUseId: "a", content: [{ text: "text" }], status: "success" } },
          { toolResult: { toolUseId: "b", content: [{ text: "no" }], status: "error" } },
          { text: "And?" },
        ],
      },
    ]);
  });

  test("hold nothing blank", () => {
    const blank: ModelMessage = { role: "assistant", parts: [{ type: "text", text: " \n" }] };
    expect(messages(user("Go"), blank, user(""), result("a", ""))).toEqual([
      {
        role: "user",
        content: [
          { text: "Go" },
          { toolResult: { toolUseId: "a", content: [{ text: "(no output)" }], status: "success" } },
        ],
      },
    ]);
  });

  test("give a call and its result one id that Bedrock takes", () => {
    const id = `fc_${"x".repeat(80)}|y`;
    const text = JSON.stringify(messages(called(id, "read", "{}"), result(id, "1")));
    const ids = [...text.matchAll(/"toolUseId":"([^"]*)"/g)].map(([, given]) => given ?? "");
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[\w-]{1,64}$/);
  });

  test("hold images and documents by their formats", () => {
    const media = [
      { type: "image", mediaType: "image/jpeg", data: "AAAA", name: "a.jpg" },
      { type: "file", mediaType: "application/pdf", data: "BBBB", name: "my_file.v2.pdf" },
      { type: "audio", mediaType: "audio/mpeg", data: "CCCC", name: "a.mp3" },
    ] as const;
    expect(messages({ role: "user", parts: [...media] })).toEqual([
      {
        role: "user",
        content: [
          { image: { format: "jpeg", source: { bytes: "AAAA" } } },
          { document: { format: "pdf", name: "my-file-v2-pdf", source: { bytes: "BBBB" } } },
          { text: "[audio a.mp3: it cannot be sent here]" },
        ],
      },
    ]);
  });
});

describe("thinking", () => {
  const signed = { reasoningText: { text: "hm", signature: "c2ln" } };
  const thought: AssistantPart = { type: "reasoning", text: "hm" };
  const kept = (wire: string, model: string): AssistantPart => ({
    ...thought,
    kept: { wire, model, item: signed },
  });

  test.each<[string, AssistantPart, boolean]>([
    ["signed by this model", kept("bedrock", "m"), true],
    ["of another model", kept("bedrock", "n"), false],
    ["of another wire", kept("anthropic", "m"), false],
    ["without a signature", thought, false],
  ])("%s goes back or does not", (_, part, goesBack) => {
    const text: AssistantPart = { type: "text", text: "Hi" };
    expect(messages(user("Go"), { role: "assistant", parts: [part, text] })).toEqual([
      { role: "user", content: [{ text: "Go" }] },
      {
        role: "assistant",
        content: [...(goesBack ? [{ reasoningContent: signed }] : []), { text: "Hi" }],
      },
    ]);
  });
});

test("the request of a round begins with the bytes of the one before, but for cache points", () => {
  const rounds = [
    user("Go"),
    called("a", "read", "{}"),
    result("a", "1"),
    called("b", "read", "{}"),
    result("b", "2"),
  ];
  const bodies = [1, 3, 5].map((length) => {
    const more = { model: CLAUDE, system: ["Be kind."], tools: [TOOL] };
    const request = requestOf(rounds.slice(0, length), more);
    return uncached(encodeBedrock(ENDPOINT, request).body).slice(0, -2);
  });
  expect(bodies.map((text, at) => (bodies[at + 1] ?? text).startsWith(text))).toEqual([
    true,
    true,
    true,
  ]);
});
