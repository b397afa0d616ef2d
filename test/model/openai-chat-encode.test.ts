// The body of a Chat Completions request: what is sent, what is left out, and that a growing conversation keeps its bytes.
import { describe, expect, test } from "bun:test";
import {
  BASE_QUIRKS,
  encodeChat,
  type ChatQuirks,
} from "../../src/model/adapters/openai-chat-encode.ts";
import type { Endpoint } from "../../src/model/provider.ts";
import type { ModelMessage, ModelRequest } from "../../src/model/request.ts";
import { called, requestOf, result, user } from "./requests.ts";

const ENDPOINT: Endpoint = {
  provider: "p",
  baseUrl: "http://host/v1",
  credential: { kind: "key", key: "sekrit", source: "--api-key" },
};

function body(request: ModelRequest, quirks: Partial<ChatQuirks> = {}): Record<string, unknown> {
  return JSON.parse(encodeChat(ENDPOINT, request, { ...BASE_QUIRKS, ...quirks }).body);
}

const messages = (list: ModelMessage[], quirks: Partial<ChatQuirks> = {}): unknown =>
  body(requestOf(list), quirks)["messages"];

describe("a request", () => {
  test("that asks for nothing special sends only the base line", () => {
    expect(
      encodeChat(
        ENDPOINT,
        requestOf([user("Hi")], { system: ["Be kind.", "", "Be brief."] }),
        BASE_QUIRKS,
      ),
    ).toEqual({
      url: "http://host/v1/chat/completions",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        authorization: "Bearer sekrit",
      },
      body: '{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"system","content":"Be kind.\\n\\nBe brief."},{"role":"user","content":"Hi"}]}',
    });
  });

  test("sends what was asked for", () => {
    const tool = { name: "read", description: "Reads.", parameters: { type: "object" } };
    const asked = requestOf([], {
      tools: [tool],
      effort: "high",
      maxOutputTokens: 9,
      temperature: 0,
    });
    expect(body(asked)).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: 9,
      reasoning_effort: "high",
      tools: [{ type: "function", function: tool }],
      messages: [],
    });
  });

  test("follows the quirks of the provider", () => {
    const asked = requestOf([], { effort: "low", maxOutputTokens: 9, cacheKey: "k".repeat(70) });
    const quirks = {
      maxTokensField: "max_completion_tokens",
      streamUsage: false,
      effort: false,
      cacheKey: true,
    } as const;
    expect(body(asked, quirks)).toEqual({
      model: "m",
      stream: true,
      max_completion_tokens: 9,
      prompt_cache_key: "k".repeat(64),
      messages: [],
    });
  });

  test.each([
    ["off", "none"],
    ["minimal", "minimal"],
    ["xhigh", "xhigh"],
    ["max", "xhigh"],
  ] as const)("with the effort %p asks for %p", (effort, asked) => {
    expect(body(requestOf([], { effort }))["reasoning_effort"]).toBe(asked);
  });

  test("without a key has no authorization header", () => {
    const endpoint: Endpoint = { ...ENDPOINT, credential: { kind: "none" } };
    expect(encodeChat(endpoint, requestOf([]), BASE_QUIRKS).headers).not.toHaveProperty(
      "authorization",
    );
  });

  test.each([
    ["http://host/v1", "http://host/v1/chat/completions"],
    ["http://host/v1//", "http://host/v1/chat/completions"],
    ["http://host/v1/chat/completions", "http://host/v1/chat/completions"],
    ["http://host/v1?version=2", "http://host/v1/chat/completions?version=2"],
  ])("to %p goes to %p", (baseUrl, url) => {
    expect(encodeChat({ ...ENDPOINT, baseUrl }, requestOf([]), BASE_QUIRKS).url).toBe(url);
  });
});

describe("messages", () => {
  test("of a tool round", () => {
    const round = [user("Go"), called("a", "read", '{"path":"a"}', "I look."), result("a", "text")];
    expect(messages(round)).toEqual([
      { role: "user", content: "Go" },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "a", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "text" },
    ]);
  });

  test.each(["", '{"path":', '"text"', "[1]", "null"])(
    "arguments %p, which servers would choke on, go back empty",
    (args) => {
      expect(JSON.stringify(messages([called("a", "read", args)]))).toContain('"arguments":"{}"');
    },
  );

  test("arguments that are valid go back as they were written", () => {
    expect(JSON.stringify(messages([called("a", "read", '{ "n" : 1.0 }')]))).toContain(
      '"{ \\"n\\" : 1.0 }"',
    );
  });

  test("that say nothing are left out", () => {
    expect(
      messages([
        { role: "assistant", parts: [{ type: "reasoning", text: "hm" }] },
        { role: "assistant", parts: [] },
      ]),
    ).toEqual([]);
  });

  test("give thinking back only with calls and only where it is wanted", () => {
    const thought: ModelMessage = {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "Hi" },
      ],
    };
    const acted = called("a", "read", "{}");
    expect(JSON.stringify(messages([thought, acted]))).not.toContain("reasoning_content");
    const replayed = JSON.stringify(messages([thought, acted], { replayThinking: true }));
    expect(replayed).toContain('"content":null,"reasoning_content":""');
    expect(replayed).not.toContain("hm");
  });

  test("carry media as the API has them", () => {
    const parts = [
      { type: "text", text: "See" },
      { type: "image", mediaType: "image/png", data: "AA==", name: "a.png" },
      { type: "audio", mediaType: "audio/mpeg", data: "AA==", name: "a.mp3" },
      { type: "file", mediaType: "application/pdf", data: "AA==", name: "a.pdf" },
    ] as const;
    expect(messages([{ role: "user", parts: [...parts] }])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
          { type: "input_audio", input_audio: { data: "AA==", format: "mp3" } },
          {
            type: "file",
            file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" },
          },
        ],
      },
    ]);
  });

  test("of tools keep together; their pictures follow as a user's", () => {
    const picture = { type: "image", mediaType: "image/png", data: "AA==", name: "a.png" } as const;
    const seen: ModelMessage = {
      role: "tool",
      callId: "a",
      name: "read",
      parts: [picture],
      isError: false,
    };
    expect(messages([seen, result("b", "text"), user("Next")])).toEqual([
      { role: "tool", tool_call_id: "a", content: "[image a.png follows]" },
      { role: "tool", tool_call_id: "b", content: "text" },
      {
        role: "user",
        content: [
          { type: "text", text: "[from the tool results above: a.png]" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        ],
      },
      { role: "user", content: "Next" },
    ]);
  });

  test("hold no half surrogate pairs", () => {
    expect(messages([user("a\ud83d")])).toEqual([{ role: "user", content: "a\ufffd" }]);
  });
});

test("each request of a growing conversation begins with the bytes of the one before", () => {
  const conversation: ModelMessage[] = [user("Go")];
  const asked = (): string => {
    const request = requestOf([...conversation], {
      system: ["S"],
      tools: [{ name: "t", description: "", parameters: {} }],
    });
    return encodeChat(ENDPOINT, request, BASE_QUIRKS).body;
  };
  let before = asked();
  for (let round = 0; round < 20; round += 1) {
    conversation.push(
      called(`c${round}`, "t", `{"n":${round}}`),
      result(`c${round}`, "é".repeat(round)),
    );
    if (round % 3 === 0) {
      conversation.push(called(`p${round}`, "read", "{}"), {
        role: "tool",
        callId: `p${round}`,
        name: "read",
        parts: [{ type: "image", mediaType: "image/png", data: "AA==", name: "a.png" }],
        isError: false,
      });
    }
    if (round % 4 === 0) conversation.push(user("And?"));
    const next = asked();
    expect(next).toStartWith(before.slice(0, -"]}".length));
    before = next;
  }
});
