// The vendors' servers of the tests notice what their vendors would refuse.
import { describe, expect, test } from "bun:test";
import { anthropicServer, type AnthropicReply } from "./anthropic-server.ts";
import { geminiServer, type GeminiReply } from "./gemini-server.ts";
import type { VendorServer } from "./vendor-server.ts";

type Body = Record<string, unknown>;

async function complaints(
  server: VendorServer,
  { path, headers, bodies }: { path: string; headers: Record<string, string>; bodies: Body[] },
): Promise<string[]> {
  await using running = server;
  for (const body of bodies) {
    await fetch(running.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }
  return running.complaints;
}

const CLAUDE: AnthropicReply[] = [
  {
    blocks: [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "tool_use", id: "a", name: "read", input: {} },
    ],
  },
  { blocks: [{ type: "text", text: "done" }] },
];
const USER = { role: "user", content: [{ type: "text", text: "Hi" }] };
const ANSWER = { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] };

function claude(content: unknown = CLAUDE[0]?.blocks, answer: unknown = ANSWER, more: Body = {}) {
  const base = { model: "m", stream: true, max_tokens: 9 };
  const said = { role: "assistant", content };
  return [
    { ...base, messages: [USER] },
    { ...base, ...more, messages: [USER, said, answer] },
  ];
}

const [THOUGHT, CALL] = CLAUDE[0]?.blocks ?? [];

describe("Anthropic's", () => {
  const headers = { "x-api-key": "k", "anthropic-version": "2023-06-01" };
  const asked = (bodies: Body[]) =>
    complaints(anthropicServer(CLAUDE), { path: "/v1/messages", headers, bodies });

  test("takes what is right", async () => {
    expect(await asked(claude())).toEqual([]);
  });

  const wrong: [what: string, bodies: Body[]][] = [
    ["another signature", claude([{ ...THOUGHT, signature: "x" }, CALL])],
    ["a lost thought", claude([CALL])],
    ["another id", claude([THOUGHT, { ...CALL, id: "b" }])],
    ["no result", claude(undefined, USER)],
    [
      "text before a result",
      claude(undefined, { role: "user", content: [...USER.content, ...ANSWER.content] }),
    ],
    [
      "roles that do not alternate",
      claude(undefined, { role: "assistant", content: USER.content }),
    ],
    ["an unknown field", claude(undefined, undefined, { top: 1 })],
    [
      "temperature with thinking",
      claude(undefined, undefined, { temperature: 1, thinking: { type: "adaptive" } }),
    ],
    [
      "a budget beyond the limit",
      claude(undefined, undefined, { thinking: { type: "enabled", budget_tokens: 2000 } }),
    ],
    [
      "a blank text",
      claude(undefined, {
        role: "user",
        content: [...ANSWER.content, { type: "text", text: " " }],
      }),
    ],
  ];
  test.each(wrong)("refuses %s", async (_, bodies) => {
    expect((await asked(bodies)).every((what) => what.startsWith("request 2: "))).toBe(true);
    expect(await asked(bodies)).not.toEqual([]);
  });
});

const GEMINI: GeminiReply[] = [
  { parts: [{ functionCall: { id: "a", name: "read", args: {} }, thoughtSignature: "s" }] },
  { parts: [{ text: "done" }] },
];
const PERSON = { role: "user", parts: [{ text: "Hi" }] };

function responding(functionResponse: Body): Body {
  return { role: "user", parts: [{ functionResponse }] };
}

const RIGHT = responding({ id: "a", name: "read", response: { output: "" } });

function google(parts: unknown = GEMINI[0]?.parts, answer: unknown = RIGHT, more: Body = {}) {
  const said = { role: "model", parts };
  return [{ contents: [PERSON] }, { ...more, contents: [PERSON, said, answer] }];
}

describe("Google's", () => {
  const path = "/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse";
  const headers = { "x-goog-api-key": "k" };
  const asked = (bodies: Body[]) => complaints(geminiServer(GEMINI), { path, headers, bodies });
  const [part] = GEMINI[0]?.parts ?? [];
  const call = part?.functionCall;

  test("takes what is right", async () => {
    expect(await asked(google())).toEqual([]);
  });

  const wrong: [what: string, bodies: Body[]][] = [
    ["another signature", google([{ ...part, thoughtSignature: "x" }])],
    ["no signature", google([{ functionCall: call }])],
    ["no response", google(undefined, PERSON)],
    [
      "a response to another call",
      google(undefined, responding({ id: "b", name: "read", response: { output: "" } })),
    ],
    [
      "a response of another tool",
      google(undefined, responding({ id: "a", name: "ls", response: { output: "" } })),
    ],
    ["an unknown field", google(undefined, undefined, { top: 1 })],
    [
      "level and budget",
      google(undefined, undefined, {
        generationConfig: { thinkingConfig: { thinkingLevel: "LOW", thinkingBudget: 1 } },
      }),
    ],
    [
      "a schema with what Gemini does not know",
      google(undefined, undefined, {
        tools: [
          {
            functionDeclarations: [
              {
                name: "a",
                description: "A.",
                parameters: { type: "OBJECT", properties: { x: { $ref: "#" } } },
              },
            ],
          },
        ],
      }),
    ],
  ];
  test.each(wrong)("refuses %s", async (_, bodies) => {
    expect((await asked(bodies)).every((what) => what.startsWith("request 2: "))).toBe(true);
    expect(await asked(bodies)).not.toEqual([]);
  });
});
