// The body of a generateContent request: parts, what goes back to whom, thinking by the model's generation.
import { describe, expect, test } from "bun:test";
import { gemini } from "../../../src/model/adapters/gemini.ts";
import type { Endpoint } from "../../../src/model/provider.ts";
import type {
  AssistantPart,
  Effort,
  ModelMessage,
  ModelRequest,
} from "../../../src/model/request.ts";
import { called, requestOf, result, user } from "../requests.ts";

const adapter = gemini();
const MODEL = "gemini-2.5-flash";

function endpoint(baseUrl: string): Endpoint {
  const credential = { kind: "key", key: "sekrit", source: "--api-key" } as const;
  return { provider: "gemini", baseUrl, credential };
}

const AT = endpoint("https://host");

function body(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(adapter.encode(AT, request).body);
}

function contents(messages: ModelMessage[], model = MODEL): unknown {
  return body(requestOf(messages, { model }))["contents"];
}

function assistant(...parts: AssistantPart[]): ModelMessage {
  return { role: "assistant", parts };
}

function call(id: string, name: string, item?: unknown, model = MODEL): AssistantPart {
  const kept = item === undefined ? {} : { kept: { wire: "gemini", model, item } };
  return { type: "tool_call", call: { id, name, arguments: '{"n":1}' }, ...kept };
}

function response(callId: string, name: string, text: string): ModelMessage {
  return { role: "tool", callId, name, parts: [{ type: "text", text }], isError: false };
}

describe("a request", () => {
  test("that asks for nothing special has only what is needed, the contents last", () => {
    const request = requestOf([user("Hi")], {
      model: "gemma-3",
      system: ["Be kind.", "", "Today."],
    });
    expect(adapter.encode(AT, request)).toEqual({
      url: "https://host/v1beta/models/gemma-3:streamGenerateContent?alt=sse",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        "x-goog-api-key": "sekrit",
      },
      body: '{"systemInstruction":{"parts":[{"text":"Be kind."},{"text":"Today."}]},"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
    });
  });

  test("sends what was asked for", () => {
    const tools = [
      { name: "a", description: "A.", parameters: { type: "object", properties: {} } },
      { name: "b", description: "B.", parameters: { properties: { x: { type: "string" } } } },
    ];
    const asked = {
      model: MODEL,
      tools,
      effort: "low",
      maxOutputTokens: 9,
      temperature: 0,
    } as const;
    expect(body(requestOf([user("Hi")], asked))).toEqual({
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 9,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 },
      },
      tools: [
        {
          functionDeclarations: [
            { name: "a", description: "A." },
            {
              name: "b",
              description: "B.",
              parameters: { type: "OBJECT", properties: { x: { type: "STRING" } } },
            },
          ],
        },
      ],
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    });
  });

  test.each([
    ["http://h", "m", "http://h/v1beta/models/m:streamGenerateContent?alt=sse"],
    ["http://h/v1/", "models/m", "http://h/v1/models/m:streamGenerateContent?alt=sse"],
    [
      "http://h/v1beta?x=1",
      "tunedModels/m",
      "http://h/v1beta/tunedModels/m:streamGenerateContent?x=1&alt=sse",
    ],
    [
      "http://h/v1/projects/p/locations/l/publishers/google",
      "m",
      "http://h/v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent?alt=sse",
    ],
  ])("to %s for %s goes to %s", (baseUrl, model, url) => {
    expect(adapter.encode(endpoint(baseUrl), requestOf([], { model })).url).toBe(url);
  });
});

describe("a conversation", () => {
  test("has roles in turn, and the results of a round in one content, paired by name and place", () => {
    const failed: ModelMessage = {
      role: "tool",
      callId: "b",
      name: "ls",
      parts: [{ type: "text", text: "no" }],
      isError: true,
    };
    const calls = assistant({ type: "text", text: "Look." }, call("a", "read"), call("b", "ls"));
    const list = [user("1"), user("2"), calls, response("a", "read", "one"), failed, user("go on")];
    expect(contents(list)).toEqual([
      { role: "user", parts: [{ text: "1" }, { text: "2" }] },
      {
        role: "model",
        parts: [
          { text: "Look." },
          { functionCall: { name: "read", args: { n: 1 } } },
          { functionCall: { name: "ls", args: { n: 1 } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "read", response: { output: "one" } } },
          { functionResponse: { name: "ls", response: { error: "no" } } },
          { text: "go on" },
        ],
      },
    ]);
  });

  test("carries the provider's own ids on both sides", () => {
    const list = [
      assistant(call("p1", "x", { id: "p1" }), call("own-1", "x")),
      response("p1", "x", "1"),
      response("own-1", "x", "2"),
    ];
    expect(contents(list)).toEqual([
      {
        role: "model",
        parts: [
          { functionCall: { id: "p1", name: "x", args: { n: 1 } } },
          { functionCall: { name: "x", args: { n: 1 } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "p1", name: "x", response: { output: "1" } } },
          { functionResponse: { name: "x", response: { output: "2" } } },
        ],
      },
    ]);
  });

  test("shows what results hold after all results of the round", () => {
    const image = { type: "image", mediaType: "image/png", data: "QUJD", name: "p.png" } as const;
    const shown: ModelMessage = {
      role: "tool",
      callId: "a",
      name: "read",
      parts: [{ type: "text", text: "seen" }, image],
      isError: false,
    };
    const list: ModelMessage[] = [
      { role: "user", parts: [image] },
      assistant(call("a", "read"), call("b", "ls")),
      shown,
      response("b", "ls", "two"),
    ];
    const inlineData = { mimeType: "image/png", data: "QUJD" };
    expect(contents(list)).toEqual([
      { role: "user", parts: [{ inlineData }] },
      {
        role: "model",
        parts: [
          { functionCall: { name: "read", args: { n: 1 } } },
          { functionCall: { name: "ls", args: { n: 1 } } },
        ],
      },
      {
        role: "user",
        parts: [
          {
            functionResponse: { name: "read", response: { output: "seen\n[image p.png follows]" } },
          },
          { functionResponse: { name: "ls", response: { output: "two" } } },
          { text: "[from the tool results above: p.png]" },
          { inlineData },
        ],
      },
    ]);
  });

  test("gives signatures back on the part they came with, to the model that gave them", () => {
    const kept = (thoughtSignature: string, chars: number) => ({
      kept: { wire: "gemini", model: MODEL, item: { thoughtSignature, chars } },
    });
    const said = assistant(
      { type: "reasoning", text: "hm" },
      { type: "reasoning", text: "a, so", ...kept("s0", 2) },
      { type: "text", text: "one two", ...kept("s1", 3) },
      { type: "text", text: "", ...kept("s2", 0) },
      call("a", "x", { thoughtSignature: "s3" }),
      call("b", "x"),
    );
    expect(contents([user("x"), said])).toMatchObject([
      {},
      {
        parts: [
          { thought: true, text: "so", thoughtSignature: "s0" },
          { text: "one " },
          { text: "two", thoughtSignature: "s1" },
          { text: "", thoughtSignature: "s2" },
          { functionCall: { name: "x" }, thoughtSignature: "s3" },
          { functionCall: { name: "x" } },
        ],
      },
    ]);
    const others = contents([user("x"), said], "gemini-2.5-pro");
    expect(JSON.stringify(others)).not.toContain("thoughtSignature");
    expect(others).toMatchObject([{}, { parts: [{ text: "one two" }, {}, {}] }]);
  });

  test("signs the first call of a content that has no signature where the model demands one", () => {
    const signatures = (model: string) =>
      JSON.stringify(
        contents(
          [
            assistant(call("a", "x"), call("b", "x")),
            response("a", "x", ""),
            response("b", "x", ""),
          ],
          model,
        ),
      ).match(/"thoughtSignature":"\w+"/g);
    expect(signatures(MODEL)).toBeNull();
    expect(signatures("gemini-3-pro-preview")).toEqual([
      '"thoughtSignature":"skip_thought_signature_validator"',
    ]);
  });

  test("grows only at its end", () => {
    const list = [user("1"), called("a", "x", "{}"), result("a", "r"), user("2"), user("3")];
    const bodies = list.map((_, at) => adapter.encode(AT, requestOf(list.slice(0, at + 1))).body);
    for (const [at, text] of bodies.entries()) {
      expect((bodies[at + 1] ?? text).startsWith(text.slice(0, -"]}]}".length))).toBe(true);
    }
  });

  test("sends no half of a surrogate pair", () => {
    const list = [user("a\ud83d"), called("a", "x", '{"t":"\\ud83d"}')];
    expect(adapter.encode(AT, requestOf(list)).body).not.toMatch(/\\ud83d/i);
  });
});

const THINKING: [model: string, effort: Effort | null, config: unknown][] = [
  ["gemini-2.0-flash", "high", undefined],
  ["gemma-3-27b-it", "high", undefined],
  [MODEL, null, { includeThoughts: true }],
  [MODEL, "off", { thinkingBudget: 0 }],
  [MODEL, "minimal", { includeThoughts: true, thinkingBudget: 512 }],
  [MODEL, "max", { includeThoughts: true, thinkingBudget: 24_576 }],
  ["gemini-flash-latest", "high", { includeThoughts: true, thinkingBudget: 16_384 }],
  ["gemini-2.5-pro", "off", { thinkingBudget: 128 }],
  ["gemini-2.5-pro", "max", { includeThoughts: true, thinkingBudget: 32_768 }],
  ["gemini-3-flash-preview", "off", { thinkingLevel: "MINIMAL" }],
  ["gemini-3-flash-preview", "medium", { includeThoughts: true, thinkingLevel: "MEDIUM" }],
  ["gemini-3-pro-preview", "minimal", { includeThoughts: true, thinkingLevel: "LOW" }],
  ["gemini-3-pro-preview", "medium", { includeThoughts: true, thinkingLevel: "HIGH" }],
  ["gemini-3.1-pro-preview", "medium", { includeThoughts: true, thinkingLevel: "MEDIUM" }],
  ["gemini-3.1-pro-preview", "xhigh", { includeThoughts: true, thinkingLevel: "HIGH" }],
];

test.each(THINKING)("thinking of %s at %p", (model, effort, thinkingConfig) => {
  const { generationConfig } = body(requestOf([user("x")], { model, effort }));
  expect(generationConfig).toEqual(thinkingConfig === undefined ? undefined : { thinkingConfig });
});
