// Sessions of the compiled binary on the Responses wire, over server-sent events and over a WebSocket.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, type Home, type Ran } from "../support/binary.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";
import { responsesBody, sse, type ReplyItem } from "../support/responses-reply.ts";
import { responsesServer, type ResponsesServer, type Turn } from "../support/responses-server.ts";

function call(id: string, name: string, input: Record<string, unknown>): ReplyItem {
  return { type: "function_call", id, name, input };
}

const SESSION: Turn[] = [
  {
    items: [
      { type: "reasoning", id: "rs_1", summary: "Both files matter.", encrypted: "b25l" },
      { type: "message", text: "I read both.", phase: "commentary" },
      call("call_1", "read", { path: "a.txt" }),
      call("call_2", "read", { path: "b.txt" }),
    ],
    usage: { input_tokens: 100, output_tokens_details: { reasoning_tokens: 7 } },
  },
  {
    items: [
      { type: "reasoning", id: "rs_2", summary: "", encrypted: "dHdv" },
      { type: "reasoning", id: "rs_3", summary: "One more.", encrypted: "dGhyZWU=" },
      call("call_3", "read", { path: "gone.txt" }),
      call("call_4", "grep", { pattern: "alpha" }),
    ],
    usage: { input_tokens: 200, input_tokens_details: { cached_tokens: 150 } },
  },
  { items: [{ type: "message", text: "Alpha and beta.", phase: "final_answer" }] },
  { items: [{ type: "message", text: "Still so." }] },
];

/** A home whose settings know the server as the provider `mine`. */
function homeWith(url: string, transport: string): Home {
  const at = home();
  mkdirSync(join(at.path, ".config/burin"), { recursive: true });
  writeFileSync(
    join(at.path, ".config/burin/config.toml"),
    `[providers.mine]\nbase_url = "${url}"\nwire = "openai-responses"\ntransport = "${transport}"\n`,
  );
  writeFileSync(join(at.path, "a.txt"), "alpha\n");
  writeFileSync(join(at.path, "b.txt"), "beta\n");
  return at;
}

const MODEL = ["-m", "mine/gpt-5.2", "--api-key", "sekrit"];
const HOW = ["--reasoning-effort", "high", "--output", "stream-json"];

function ask(at: Home, prompt: string, ...session: string[]): Promise<Ran> {
  return at.run(["-p", prompt, ...session, ...MODEL, ...HOW]);
}

function lastLine({ out }: Ran): Record<string, unknown> {
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}");
}

function travelled({ requests }: ResponsesServer): unknown[] {
  return requests.map(({ over, body }) => [over, body["previous_response_id"]]);
}

const RESULT = {
  result: "Alpha and beta.",
  exit: 0,
  rounds: 3,
  tool_calls: 4,
  usage: { input: 310, cached: 150, output: 60, reasoning: 7 },
};

describe.each(["http", "websocket", "auto"])("a session by %s", (transport) => {
  test("breaks no rule of the vendor's, in three rounds and after it is resumed", async () => {
    await using server = responsesServer(SESSION);
    using at = homeWith(server.url, transport);
    const first = await ask(at, "what is in the files?", "--name", "s");
    const second = await ask(at, "really?", "--resume", "s");
    expect(server.complaints).toEqual([]);
    expect(lastLine(first)).toMatchObject(RESULT);
    expect(lastLine(second)).toMatchObject({ result: "Still so.", exit: 0 });
    const isSocket = transport !== "http";
    const over = isSocket ? "websocket" : "http";
    expect(travelled(server)).toEqual([
      [over, undefined],
      [over, isSocket ? "resp_1" : undefined],
      [over, isSocket ? "resp_2" : undefined],
      [over, undefined],
    ]);
  });
});

test("what a session by websocket sent again and what not is in its figures", async () => {
  await using server = responsesServer(SESSION);
  using at = homeWith(server.url, "websocket");
  await ask(at, "what is in the files?", "--name", "s");
  const { out } = await at.run(["show", "s", "--stats"]);
  expect(out.split("\n").map((line) => /websocket.*/.exec(line)?.[0] ?? "")).toEqual([
    "",
    "websocket",
    "websocket, reused, continued (2 of 7 items)",
    "websocket, reused, continued (2 of 13 items)",
    "",
    "",
  ]);
  expect(out).toContain("2 on an open connection");
});

test("a session by http sends only more from round to round", async () => {
  await using server = responsesServer(SESSION);
  using at = homeWith(server.url, "http");
  await ask(at, "what is in the files?", "--name", "s");
  await ask(at, "really?", "--resume", "s");
  const bodies = server.requests.map(({ text }) => text);
  for (const [index, body] of bodies.entries()) {
    const next = bodies[index + 1] ?? body;
    expect(next.startsWith(body.slice(0, -"]}".length))).toBe(true);
  }
});

test("a session by auto goes on over HTTP where no WebSocket is to be had, and the log says why", async () => {
  await using server = responsesServer(SESSION, { upgrade: 426 });
  using at = homeWith(server.url, "auto");
  const ran = await ask(at, "what is in the files?", "--name", "s");
  expect(server.complaints).toEqual([]);
  expect(lastLine(ran)).toMatchObject(RESULT);
  expect([server.handshakes.length, travelled(server)]).toEqual([
    1,
    [
      ["http", undefined],
      ["http", undefined],
      ["http", undefined],
    ],
  ]);
  const shown = await at.run(["show", "s", "--json"]);
  const metrics = shown.out
    .split("\n")
    .filter((line) => line.includes('"model.metrics"'))
    .map((line): unknown => JSON.parse(line).data.transport);
  const fallback = `${new URL(server.url).host} answers with HTTP 426 instead of opening a WebSocket`;
  expect(metrics).toMatchObject([
    { kind: "http", inputItems: 1, sentItems: 1, fallback },
    { kind: "http", inputItems: 7, sentItems: 7, fallback },
    { kind: "http", inputItems: 13, sentItems: 13, fallback },
  ]);
});

test("a wire that nobody knows is named, and those that are", async () => {
  using at = homeWith("http://127.0.0.1:1/v1", "http");
  const ran = await at.run(["-p", "x", ...MODEL, "--setting", "providers.mine.wire=morse"]);
  expect([ran.code, ran.err]).toEqual([
    2,
    expect.stringContaining(
      'wire = "morse": there is no such wire (known: openai-chat, openai-responses',
    ),
  ]);
});

const EVENTS = { "content-type": "text/event-stream" };
const WRITE: ReplyItem = call("a", "write", { path: "x", content: "y" });

const FAILURES: [what: string, turn: ReplayTurn, said: string][] = [
  [
    "a key that is refused",
    {
      status: 401,
      body: '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}',
    },
    "the provider did not accept the credential (HTTP 401): Incorrect API key provided",
  ],
  [
    "half a call at the limit",
    { headers: EVENTS, body: responsesBody({ items: [WRITE], incomplete: "max_output_tokens" }) },
    "the reply was cut at the model's output limit",
  ],
  [
    "a reply that is filtered",
    { headers: EVENTS, body: responsesBody({ items: [WRITE], incomplete: "content_filter" }) },
    "the provider's content filter stopped the reply",
  ],
  [
    "a request that is not understood",
    {
      headers: EVENTS,
      body: sse({ type: "error", code: "invalid_prompt", message: "bad prompt" }),
    },
    "the provider refused the request (HTTP 400): bad prompt",
  ],
];

test.each(FAILURES)(
  "%s ends the run with one sentence, and nothing is done",
  async (_, turn, said) => {
    await using server = await replayServer([turn]);
    using at = homeWith(`${server.url}/v1`, "http");
    const ran = await at.run(["-p", "x", ...MODEL]);
    expect({ code: ran.code, out: ran.out, wrote: existsSync(join(at.path, "x")) }).toEqual({
      code: 1,
      out: "",
      wrote: false,
    });
    expect(ran.err).toContain(said);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/responses"]);
  },
);
