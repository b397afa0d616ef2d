// Sessions of the compiled binary on the vendors' own wires: each request is checked as the vendor's reference has it.
import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  anthropicBody,
  anthropicServer,
  unmarked,
  type AnthropicReply,
} from "../support/anthropic-server.ts";
import { home, type Home, type Ran } from "../support/binary.ts";
import { geminiBody, geminiServer, type GeminiReply } from "../support/gemini-server.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";
import type { VendorServer } from "../support/vendor-server.ts";

const ANTHROPIC: AnthropicReply[] = [
  {
    blocks: [
      { type: "thinking", thinking: "Both files matter.\n", signature: "c2lnbmVkLTE=" },
      { type: "text", text: "I read both." },
      { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.txt" } },
      { type: "tool_use", id: "toolu_2", name: "read", input: { path: "b.txt" } },
    ],
    usage: { input_tokens: 100, cache_creation_input_tokens: 50 },
  },
  {
    blocks: [
      { type: "redacted_thinking", data: "b3BhcXVl" },
      { type: "thinking", thinking: "", signature: "c2lnbmVkLTI=" },
      { type: "tool_use", id: "toolu_3", name: "read", input: { path: "gone.txt" } },
      { type: "tool_use", id: "toolu_4", name: "grep", input: { pattern: "alpha" } },
    ],
    usage: { input_tokens: 20, cache_read_input_tokens: 150 },
  },
  {
    blocks: [
      { type: "thinking", thinking: "Enough.", signature: "c2lnbmVkLTM=" },
      { type: "text", text: "Alpha and beta." },
    ],
  },
  { blocks: [{ type: "text", text: "Still so." }] },
];

const GEMINI: GeminiReply[] = [
  {
    parts: [
      { text: "Both files matter.", thought: true },
      { text: "I read both." },
      {
        functionCall: { name: "read", args: { path: "a.txt" } },
        thoughtSignature: "c2lnbmVkLTE=",
      },
      { functionCall: { name: "read", args: { path: "b.txt" } } },
    ],
    usage: { promptTokenCount: 100, thoughtsTokenCount: 7 },
  },
  {
    parts: [
      {
        functionCall: { id: "own-3", name: "read", args: { path: "gone.txt" } },
        thoughtSignature: "c2lnbmVkLTI=",
      },
      { functionCall: { id: "own-4", name: "grep", args: { pattern: "alpha" } } },
    ],
    usage: { promptTokenCount: 200, cachedContentTokenCount: 150 },
  },
  { parts: [{ text: "Alpha and beta." }, { text: "", thoughtSignature: "c2lnbmVkLTM=" }] },
  { parts: [{ text: "Still so." }] },
];

const WIRES = [
  {
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    serve: () => anthropicServer(ANTHROPIC),
    usage: { input: 330, cached: 150, output: 60, reasoning: 0 },
    end: "]}",
  },
  {
    provider: "anthropic",
    model: "claude-opus-4-7",
    serve: () => anthropicServer(ANTHROPIC),
    usage: { input: 330, cached: 150, output: 60, reasoning: 0 },
    end: "]}",
  },
  {
    provider: "gemini",
    model: "gemini-3-flash-preview",
    serve: () => geminiServer(GEMINI),
    usage: { input: 310, cached: 150, output: 22, reasoning: 7 },
    end: "]}",
  },
  {
    provider: "gemini",
    model: "gemini-2.5-pro",
    serve: () => geminiServer(GEMINI),
    usage: { input: 310, cached: 150, output: 22, reasoning: 7 },
    end: "]}",
  },
] as const;

type Wire = (typeof WIRES)[number];

/** Three rounds with tools, then the session goes on in another process. */
async function session(at: Home, server: VendorServer, { provider, model }: Wire): Promise<Ran[]> {
  writeFileSync(join(at.path, "a.txt"), "alpha\n");
  writeFileSync(join(at.path, "b.txt"), "beta\n");
  const where = [
    "--provider",
    provider,
    "--base-url",
    server.url,
    "-m",
    model,
    "--api-key",
    "sekrit",
  ];
  const how = ["--reasoning-effort", "high", "--output", "stream-json"];
  const first = await at.run(["-p", "what is in the files?", "--name", "s", ...where, ...how]);
  const second = await at.run(["-p", "really?", "--resume", "s", ...where, ...how]);
  return [first, second];
}

function lastLine({ out }: Ran): Record<string, unknown> {
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}");
}

describe.each(WIRES)("a session with $model", (wire) => {
  test("breaks no rule of the vendor's, and sends only more from round to round", async () => {
    using at = home();
    await using server = wire.serve();
    const [first, second] = await session(at, server, wire);
    if (first === undefined || second === undefined) throw new Error("no run");

    expect(server.complaints).toEqual([]);
    expect(lastLine(first)).toMatchObject({
      result: "Alpha and beta.",
      exit: 0,
      rounds: 3,
      tool_calls: 4,
      usage: wire.usage,
    });
    expect(lastLine(second)).toMatchObject({ result: "Still so.", exit: 0 });

    const bodies = server.requests.map(({ text }) => unmarked(text));
    expect(bodies.length).toBe(4);
    for (const [index, body] of bodies.entries()) {
      const next = bodies[index + 1] ?? body;
      expect(next.startsWith(body.slice(0, -"]}]}".length))).toBe(true);
    }
  });
});

const EVENTS = { "content-type": "text/event-stream" };

const FAILURES: [what: string, provider: string, turn: ReplayTurn, said: string][] = [
  [
    "a key that is refused",
    "anthropic",
    {
      status: 401,
      body: '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    },
    "the provider did not accept the credential (HTTP 401): invalid x-api-key",
  ],
  [
    "half a call at the limit",
    "anthropic",
    {
      headers: EVENTS,
      body: anthropicBody({
        blocks: [{ type: "tool_use", id: "a", name: "write", input: { path: "x", content: "y" } }],
        stop: "max_tokens",
      }),
    },
    "the reply was cut at the model's output limit",
  ],
  [
    "a key that is refused",
    "gemini",
    {
      status: 400,
      body: '[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]',
    },
    "the provider did not accept the credential (HTTP 400): API key not valid",
  ],
  [
    "a call at the limit",
    "gemini",
    {
      headers: EVENTS,
      body: geminiBody({
        parts: [{ functionCall: { name: "write", args: { path: "x", content: "y" } } }],
        finish: "MAX_TOKENS",
      }),
    },
    "the reply was cut at the model's output limit",
  ],
  [
    "a reply that is filtered",
    "gemini",
    { headers: EVENTS, body: geminiBody({ parts: [{ text: "" }], finish: "SAFETY" }) },
    "the provider's content filter stopped the reply",
  ],
];

test.each(FAILURES)("%s at %s ends the run with one sentence", async (_, provider, turn, said) => {
  using at = home();
  await using server = await replayServer([turn]);
  const where = [
    "--provider",
    provider,
    "--base-url",
    server.url,
    "-m",
    "m",
    "--api-key",
    "sekrit",
  ];
  const ran = await at.run(["-p", "x", ...where]);
  expect({ code: ran.code, out: ran.out, wrote: existsSync(join(at.path, "x")) }).toEqual({
    code: 1,
    out: "",
    wrote: false,
  });
  expect(ran.err).toContain(said);
  expect(server.requests.length).toBe(1);
});
