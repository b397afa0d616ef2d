// A model behind HTTP: whatever the line does, the stream of events ends with exactly one stop or failed, and nothing throws.
import { describe, expect, test } from "bun:test";
import { BASE_QUIRKS } from "../../src/model/adapters/openai-chat-encode.ts";
import { openaiChat } from "../../src/model/adapters/openai-chat.ts";
import type { ModelEvent, ProviderError } from "../../src/model/event.ts";
import type { Model } from "../../src/model/provider.ts";
import { openModel } from "../../src/model/stream.ts";
import { DEFAULT_HTTP } from "../../src/wire/http.ts";
import { collect } from "../support/collect.ts";
import { chatBody, replayServer, type ReplayTurn } from "../support/replay-server.ts";
import { until } from "../support/until.ts";
import { requestOf, user } from "./requests.ts";

const KEY = "sk-sekrit-0123456789";
const READ = { id: "a", name: "read", arguments: '{"path":"é"}' };
const never = new AbortController().signal;

function modelAt(url: string, timeouts = DEFAULT_HTTP.timeouts): Model {
  return openModel({
    adapter: openaiChat(BASE_QUIRKS),
    endpoint: {
      provider: "test",
      baseUrl: `${url}/v1`,
      credential: { kind: "key", key: KEY, source: "--api-key" },
    },
    modelId: "m",
    http: { ...DEFAULT_HTTP, timeouts },
  });
}

async function play(turn: ReplayTurn, timeouts = DEFAULT_HTTP.timeouts): Promise<ModelEvent[]> {
  await using server = await replayServer([turn]);
  return await collect(modelAt(server.url, timeouts).stream(requestOf([user("Hi")]), never));
}

/** What came before the figures, and the failure. */
function outcome(events: ModelEvent[]): { said: ModelEvent[]; error: ProviderError | null } {
  const last = events.at(-1);
  const said = events.filter(({ type }) => type === "text" || type === "call");
  return { said, error: last?.type === "failed" ? last.error : null };
}

describe("a good reply", () => {
  test("comes as the adapter's events, then the figures, then the stop", async () => {
    const turn = {
      steps: [{ text: "Hi" }, { call: READ, fragments: 2 }],
      usage: { prompt_tokens: 5 },
      chunk: 7,
    };
    const events = await play(turn);
    expect(events.map(({ type }) => type)).toEqual([
      "response",
      "text",
      "call.begin",
      "call.delta",
      "call.delta",
      "call",
      "usage",
      "metrics",
      "stop",
    ]);
    expect(events).toContainEqual({ type: "call", call: READ });
    expect(events).toContainEqual({ type: "response", id: "chatcmpl-test", model: "served-model" });
    const metrics = events.find((event) => event.type === "metrics")?.metrics;
    expect(metrics?.responseBytes).toBe(Buffer.byteLength(chatBody(turn)));
  });

  test("answers a request with key, user agent and body", async () => {
    await using server = await replayServer([{ steps: [{ text: "Hi" }] }]);
    const events = await collect(modelAt(server.url).stream(requestOf([user("é")]), never));
    const [seen] = server.requests;
    expect([seen?.method, seen?.path]).toEqual(["POST", "/v1/chat/completions"]);
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, "user-agent": "burin" });
    expect(JSON.parse(seen?.body ?? "")).toMatchObject({
      model: "m",
      messages: [{ role: "user", content: "é" }],
    });
    const metrics = events.find((event) => event.type === "metrics")?.metrics;
    expect(metrics?.requestBytes).toBe(Buffer.byteLength(seen?.body ?? ""));
  });

  test("leaves the connection for the next request", async () => {
    await using server = await replayServer([
      { steps: [{ text: "1" }] },
      { steps: [{ text: "2" }] },
    ]);
    const model = modelAt(server.url);
    for (const _ of [1, 2]) await collect(model.stream(requestOf([]), never));
    expect([server.requests.length, server.connections().opened]).toEqual([2, 1]);
  });

  test("is complete though the line goes dead after the reason to stop", async () => {
    const turn = { steps: [{ text: "Hi" }], done: false };
    const at = chatBody(turn).length;
    const events = await play(
      { ...turn, fault: { at, kind: "stall" } },
      { firstByteMs: 0, idleMs: 40 },
    );
    expect(events.at(-1)).toEqual({ type: "stop", reason: "end" });
  });
});

describe("a fault of the line", () => {
  test.each(["cut", "reset", "garble"] as const)(
    "%s anywhere before the reason to stop is a cut that can be tried again",
    async (kind) => {
      const turn = { steps: [{ text: "Hi" }, { call: READ }], chunk: 60 };
      const end = Buffer.from(chatBody(turn)).indexOf('"tool_calls"}');
      for (let at = 0; at < end; at += 29) {
        const { said, error } = outcome(await play({ ...turn, fault: { at, kind } }));
        expect(["stream_cut", "transport"]).toContain(error?.kind ?? "none");
        expect(error?.retryable).toBe(true);
        expect(said.filter(({ type }) => type === "call")).toEqual([]);
      }
    },
  );

  test("silence in the middle is a time-out; what was said stays said, once", async () => {
    const turn = { steps: [{ text: "Hi" }, { text: "there" }] };
    const at = chatBody({ ...turn, finish: null, done: false }).length;
    const events = await play(
      { ...turn, fault: { at, kind: "stall" } },
      { firstByteMs: 0, idleMs: 40 },
    );
    const { said, error } = outcome(events);
    expect(said).toEqual([
      { type: "text", delta: "Hi" },
      { type: "text", delta: "there" },
    ]);
    expect(error).toMatchObject({ kind: "timeout", retryable: true, status: 200 });
    expect(error?.message).toEndWith("sent nothing more for 0.04 s");
  });

  test("no reply at all is a time-out", async () => {
    const events = await play({ fault: { at: -1, kind: "stall" } }, { firstByteMs: 40, idleMs: 0 });
    expect(outcome(events).error).toMatchObject({ kind: "timeout", retryable: true, status: null });
  });

  test("a server that is not there", async () => {
    const server = await replayServer([]);
    await server[Symbol.asyncDispose]();
    const events = await collect(modelAt(server.url).stream(requestOf([]), never));
    expect(events.map(({ type }) => type)).toEqual(["metrics", "failed"]);
    expect(outcome(events).error).toMatchObject({ kind: "transport", retryable: true });
  });

  test("a base URL that is none", async () => {
    const events = await collect(modelAt("nonsense").stream(requestOf([]), never));
    expect(outcome(events).error).toMatchObject({ kind: "bad_request", retryable: false });
  });
});

describe("a failure", () => {
  test("never holds the key, though the provider quotes it", async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}` } });
    const { error } = outcome(await play({ status: 401, body }));
    expect(error?.kind).toBe("auth");
    expect(error?.message).toContain("Incorrect API key provided: •••");
    expect(JSON.stringify(error)).not.toContain(KEY);
  });

  test("keeps what the headers say", async () => {
    const headers = { "retry-after": "3", "x-request-id": "r-1" };
    const { error } = outcome(await play({ status: 429, headers, body: "{}" }));
    expect(error).toMatchObject({
      kind: "rate_limit",
      retryAfterMs: 3000,
      requestId: "r-1",
      status: 429,
    });
  });
});

describe("stopping", () => {
  test("before the request", async () => {
    await using server = await replayServer([{ steps: [] }]);
    const events = await collect(modelAt(server.url).stream(requestOf([]), AbortSignal.abort()));
    expect(outcome(events).error).toMatchObject({ kind: "aborted", retryable: false });
    expect(server.requests).toEqual([]);
  });

  test("while the model speaks closes the connection and drops what was not yet shown", async () => {
    const turn = { steps: [{ text: "1" }, { text: "2" }] };
    const at = chatBody({ ...turn, finish: null, done: false }).length;
    await using server = await replayServer([{ ...turn, fault: { at, kind: "stall" } }]);
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of modelAt(server.url).stream(requestOf([]), controller.signal)) {
      events.push(event);
      if (event.type === "text") controller.abort();
    }
    expect(outcome(events).said).toEqual([{ type: "text", delta: "1" }]);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["metrics", "failed"]);
    expect(outcome(events).error?.kind).toBe("aborted");
    await until("the connection is closed", () => server.connections().open === 0);
  });

  test("by no longer listening closes the connection", async () => {
    await using server = await replayServer([
      { steps: [{ text: "1" }], fault: { at: 200, kind: "stall" } },
    ]);
    for await (const event of modelAt(server.url).stream(requestOf([]), never)) {
      if (event.type === "text") break;
    }
    await until("the connection is closed", () => server.connections().open === 0);
  });
});
