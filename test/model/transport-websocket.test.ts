// Responses over a WebSocket: what is sent again and what is not, and what happens where the connection does not hold.
import { describe, expect, test } from "bun:test";
import { openaiResponses } from "../../src/model/adapters/openai-responses.ts";
import { summarize } from "../../src/model/decode.ts";
import type { ModelEvent, TransportFigures } from "../../src/model/event.ts";
import type { Model } from "../../src/model/provider.ts";
import type { AssistantPart, ModelMessage } from "../../src/model/request.ts";
import { openModel } from "../../src/model/stream.ts";
import type { TransportChoice } from "../../src/model/transport.ts";
import { DEFAULT_HTTP } from "../../src/wire/http.ts";
import { collect, streamOf } from "../support/collect.ts";
import type { ReplyItem, ResponsesReply } from "../support/responses-reply.ts";
import { responsesServer, type ResponsesServer } from "../support/responses-server.ts";
import { requestOf, user } from "./requests.ts";

const call = (id: string): ReplyItem => ({
  type: "function_call",
  id,
  name: "read",
  input: { path: id },
});
const CALLS: ResponsesReply = {
  items: [
    { type: "reasoning", id: "rs_1", summary: "Both.", encrypted: "b3BhcXVl" },
    { type: "message", text: "I look.", phase: "commentary" },
    call("a"),
    call("b"),
  ],
};
const TEXT: ResponsesReply = { items: [{ type: "message", text: "Done." }] };

const HELLO = requestOf([user("hello")], { model: "gpt-5.2" });

type Ways = { transport?: TransportChoice; firstByteMs?: number };

function modelAt(server: { url: string }, { transport = "auto", firstByteMs = 5000 }: Ways = {}) {
  return openModel({
    adapter: openaiResponses(),
    endpoint: {
      provider: "p",
      baseUrl: server.url,
      credential: { kind: "key", key: "sekrit", source: "test" },
    },
    modelId: "gpt-5.2",
    http: { ...DEFAULT_HTTP, timeouts: { firstByteMs, idleMs: 5000 } },
    transport,
  });
}

type Turned = { end: string; text: string; figures: TransportFigures | undefined };

/** A conversation as the agent holds one: each reply and what answers it become part of the next request. */
function conversation(model: Model) {
  const messages: ModelMessage[] = [];
  return {
    messages,
    async say(text: string, signal = new AbortController().signal): Promise<Turned> {
      messages.push({ role: "user", parts: [{ type: "text", text }] });
      return this.go(signal);
    },
    async go(signal = new AbortController().signal): Promise<Turned> {
      const request = requestOf(messages, { model: "gpt-5.2", system: ["Be brief."] });
      const events = await collect(model.stream(request, signal));
      const summary = await summarize(streamOf(events));
      const failed = summary.failed;
      const isWhole = failed === null;
      if (isWhole) messages.push({ role: "assistant", parts: partsOf(events, model) });
      for (const { id, name } of isWhole ? summary.calls : []) {
        messages.push({
          role: "tool",
          callId: id,
          name,
          parts: [{ type: "text", text: `of ${id}` }],
          isError: false,
        });
      }
      const metrics = events.flatMap((event) => (event.type === "metrics" ? [event.metrics] : []));
      return {
        end: failed === null ? `${summary.stop}` : failed.kind,
        text: summary.text,
        figures: metrics.at(-1)?.transport,
      };
    },
  };
}

function partsOf(events: ModelEvent[], { wire, id }: Model): AssistantPart[] {
  const parts: AssistantPart[] = [];
  const grow = (type: "text" | "reasoning", delta: string): void => {
    const last = parts.at(-1);
    if (last?.type === type && last.kept === undefined) last.text += delta;
    else parts.push({ type, text: delta });
  };
  for (const event of events) {
    if (event.type === "text") grow("text", event.delta);
    if (event.type === "thinking") grow("reasoning", event.delta);
    if (event.type === "call") parts.push({ type: "tool_call", call: event.call });
    const last = parts.at(-1);
    if (event.type === "keep" && last) last.kept = { wire, model: id, item: event.item };
  }
  return parts;
}

function seen({ requests }: ResponsesServer) {
  return requests.map(({ over, connection, body }) => ({
    over,
    connection,
    previous: body["previous_response_id"],
    types: Array.isArray(body["input"])
      ? body["input"].map((item: { type: string }) => item.type)
      : [],
  }));
}

const OUTPUTS = ["function_call_output", "function_call_output"];
const WHOLE = ["message", "reasoning", "message", "function_call", "function_call", ...OUTPUTS];

describe("a session over a WebSocket", () => {
  test("keeps one connection and sends only what is new", async () => {
    await using server = responsesServer([CALLS, TEXT, TEXT]);
    const talk = conversation(modelAt(server));
    const turns = [await talk.say("read both"), await talk.go(), await talk.say("sure?")];
    expect(server.complaints).toEqual([]);
    expect(turns.map(({ end, text }) => [end, text])).toEqual([
      ["calls", "I look."],
      ["end", "Done."],
      ["end", "Done."],
    ]);
    expect(seen(server)).toEqual([
      { over: "websocket", connection: 1, previous: undefined, types: ["message"] },
      { over: "websocket", connection: 1, previous: "resp_1", types: OUTPUTS },
      { over: "websocket", connection: 1, previous: "resp_2", types: ["message"] },
    ]);
    expect(turns.map(({ figures }) => figures)).toMatchObject([
      { kind: "websocket", isReused: false, isContinued: false, inputItems: 1, sentItems: 1 },
      { kind: "websocket", isReused: true, isContinued: true, inputItems: 7, sentItems: 2 },
      { kind: "websocket", isReused: true, isContinued: true, inputItems: 9, sentItems: 1 },
    ]);
    expect(server.handshakes).toHaveLength(1);
    expect(server.handshakes[0]).toMatchObject({
      authorization: "Bearer sekrit",
      "openai-beta": "responses_websockets=2026-02-06",
    });
  });

  test("sends all where the conversation was changed", async () => {
    await using server = responsesServer([TEXT, TEXT]);
    const talk = conversation(modelAt(server));
    await talk.say("one");
    talk.messages.splice(0, 2);
    const { figures } = await talk.say("two");
    // The reply that was taken out is missed by the server's own check.
    expect(server.complaints).toEqual(["request 2: every reply comes back unchanged"]);
    expect(seen(server)[1]).toEqual({
      over: "websocket",
      connection: 1,
      previous: undefined,
      types: ["message"],
    });
    expect(figures).toMatchObject({ isReused: true, isContinued: false });
  });

  test("opens a new connection where the server closed the old one meanwhile", async () => {
    await using server = responsesServer([CALLS, TEXT]);
    const talk = conversation(modelAt(server));
    await talk.say("read both");
    await server.closeSockets();
    const { end } = await talk.go();
    expect([end, server.complaints]).toEqual(["end", []]);
    expect(seen(server)[1]).toEqual({
      over: "websocket",
      connection: 2,
      previous: undefined,
      types: WHOLE,
    });
  });

  test.each([
    ["closed at once", 2, "the connection had gone stale"],
    ["closed before output", 2, "the connection had gone stale"],
    ["connection too old", 2, "the server does not keep a connection for so long"],
    ["reply forgotten", 1, "the server no longer had the last reply"],
  ] as const)("asks once more, whole, after: %s", async (fault, connection, fallback) => {
    await using server = responsesServer([CALLS, { fault }, TEXT]);
    const talk = conversation(modelAt(server));
    await talk.say("read both");
    const { end, text, figures } = await talk.go();
    expect([end, text, server.complaints]).toEqual(["end", "Done.", []]);
    expect(seen(server)[2]).toEqual({
      over: "websocket",
      connection,
      previous: undefined,
      types: WHOLE,
    });
    expect(figures).toMatchObject({ kind: "websocket", fallback });
  });

  test("is over HTTP for a request that comes while another one is on the way", async () => {
    await using server = responsesServer([TEXT, TEXT]);
    const model = modelAt(server);
    const ends = [];
    const first = model.stream(HELLO, new AbortController().signal);
    for await (const event of first) {
      if (event.type !== "text" || ends.length > 0) continue;
      const other = conversation(model);
      ends.push(await other.say("meanwhile"));
    }
    expect(ends[0]?.figures).toMatchObject({
      kind: "http",
      fallback: "another request was on the WebSocket",
    });
    expect(server.requests.map(({ over }) => over)).toEqual(["websocket", "http"]);
  });

  test("closes when it is stopped, and goes on over a new connection", async () => {
    await using server = responsesServer([{ fault: "stalled in the text" }, TEXT]);
    const model = modelAt(server);
    const stop = new AbortController();
    const kinds: string[] = [];
    for await (const event of model.stream(HELLO, stop.signal)) {
      kinds.push(event.type === "failed" ? event.error.kind : event.type);
      if (event.type === "text") stop.abort();
    }
    expect(kinds.at(-1)).toBe("aborted");
    const again = await collect(model.stream(HELLO, new AbortController().signal));
    expect(again.at(-1)).toEqual({ type: "stop", reason: "end" });
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});

test("a server that forgets everything each time is asked over HTTP in the end", async () => {
  const gone = { fault: "reply forgotten" } as const;
  await using server = responsesServer([gone, gone, gone, TEXT]);
  const { end, figures } = await conversation(modelAt(server)).say("x");
  expect([end, server.requests.map(({ over }) => over)]).toEqual([
    "end",
    ["websocket", "websocket", "websocket", "http"],
  ]);
  expect(figures?.fallback).toBe("no WebSocket held: the server no longer had the last reply");
});

describe("without a WebSocket", () => {
  test.each([401, 404, 426, 200, 502])(
    "a server that answers the handshake with %d is asked over HTTP from then on",
    async (upgrade) => {
      await using server = responsesServer([CALLS, TEXT], { upgrade });
      const talk = conversation(modelAt(server));
      const turns = [await talk.say("read both"), await talk.go()];
      const fallback = `${new URL(server.url).host} answers with HTTP ${upgrade} instead of opening a WebSocket`;
      expect(server.complaints).toEqual([]);
      expect(turns.map(({ end }) => end)).toEqual(["calls", "end"]);
      expect(turns.map(({ figures }) => figures)).toMatchObject([
        { kind: "http", fallback, sentItems: 1 },
        { kind: "http", fallback, sentItems: 7 },
      ]);
      expect(server.handshakes).toHaveLength(1);
    },
  );

  test.each(["closed at once", "closed before output"] as const)(
    "a first request that is %s goes over HTTP, and so do the next",
    async (fault) => {
      await using server = responsesServer([{ fault }, CALLS, TEXT]);
      const talk = conversation(modelAt(server));
      const turns = [await talk.say("read both"), await talk.go()];
      expect(server.complaints).toEqual([]);
      expect(turns.map(({ end, text }) => [end, text])).toEqual([
        ["calls", "I look."],
        ["end", "Done."],
      ]);
      expect(server.requests.map(({ over }) => over)).toEqual(["websocket", "http", "http"]);
    },
  );

  test("nothing is pinned where HTTP is refused as well", async () => {
    const error = { type: "error", message: "no" };
    await using server = responsesServer([{ fault: "closed at once" }, { error }, TEXT]);
    const talk = conversation(modelAt(server));
    expect((await talk.say("x")).end).toBe("bad_request");
    expect((await talk.go()).figures).toMatchObject({ kind: "websocket" });
  });

  test("the setting `http` opens none, the setting `websocket` takes nothing else", async () => {
    await using plain = responsesServer([TEXT]);
    expect((await conversation(modelAt(plain, { transport: "http" })).say("x")).end).toBe("end");
    expect(plain.handshakes).toEqual([]);

    await using refusing = responsesServer([TEXT], { upgrade: 401 });
    const talk = conversation(modelAt(refusing, { transport: "websocket" }));
    expect((await talk.say("x")).end).toBe("auth");
    expect(refusing.requests).toEqual([]);

    await using broken = responsesServer([{ fault: "closed before output" }]);
    const cut = await conversation(modelAt(broken, { transport: "websocket" })).say("x");
    expect(cut.end).toBe("transport");
  });
});

describe("a reply over a WebSocket", () => {
  test("that breaks off after its first words is not asked for again here", async () => {
    await using server = responsesServer([{ fault: "closed in the text" }, TEXT]);
    const talk = conversation(modelAt(server));
    const { end, text } = await talk.say("x");
    expect([end, text, server.requests.length]).toEqual(["stream_cut", "Hal", 1]);
  });

  test.each([
    [400, "context_length_exceeded", "context_overflow"],
    [429, "rate_limit_exceeded", "rate_limit"],
    [401, "invalid_api_key", "auth"],
    [500, "server_error", "server"],
  ])("that is refused with %d %s is the provider's answer", async (status, code, kind) => {
    const error = { type: "error", status, error: { code, message: "no" } };
    await using server = responsesServer([{ error }, TEXT]);
    const talk = conversation(modelAt(server));
    expect([(await talk.say("x")).end, server.requests.length]).toEqual([kind, 1]);
    // The connection is as good as before.
    expect((await talk.go()).figures).toMatchObject({ kind: "websocket", isReused: true });
  });

  test("that does not come goes over HTTP when its time is up", async () => {
    await using server = silentServer();
    const { end } = await conversation(modelAt(server, { firstByteMs: 50 })).say("x");
    expect([end, server.asked]).toEqual(["timeout", ["websocket", "http"]]);
  });
});

/** Opens WebSockets, takes requests, and never says a word. */
function silentServer(): AsyncDisposable & { url: string; asked: string[] } {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, self) {
      if (request.method === "GET" && self.upgrade(request)) return undefined;
      asked.push("http");
      return new Promise<Response>(() => undefined);
    },
    websocket: { message: () => void asked.push("websocket") },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
