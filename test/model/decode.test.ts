// Recorded bytes to events and to a summary, as `burin debug decode` shows them; and the guard against endless replies.
import { describe, expect, test } from "bun:test";
import { openaiChat } from "../../src/model/adapters/openai-chat.ts";
import { BASE_QUIRKS } from "../../src/model/adapters/openai-chat-encode.ts";
import { decodeRecording, summarize } from "../../src/model/decode.ts";
import { framesOf } from "../../src/model/frames.ts";
import { WIRES } from "../../src/model/wire-names.ts";
import { collect, streamOf } from "../support/collect.ts";
import { chatBody } from "../support/replay-server.ts";

const recorded = (text: string, wire = "openai-chat") =>
  decodeRecording({
    wire,
    status: 200,
    contentType: "text/event-stream",
    body: streamOf([Buffer.from(text)]),
  });

describe("a recording", () => {
  test("is summed up", async () => {
    const call = { id: "a", name: "read", arguments: "{}" };
    const events = await recorded(
      chatBody({
        steps: [{ reasoning: "hm" }, { text: "Hi" }, { call }],
        usage: { prompt_tokens: 2 },
      }),
    );
    if (!events.ok) throw new Error("refused");
    expect(await summarize(events.value)).toEqual({
      text: "Hi",
      reasoning: "hm",
      calls: [call],
      stop: "calls",
      failed: null,
      usage: { input: 2, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0, costUsd: null },
    });
  });

  test("of a wire that nobody knows is refused with those that are known", async () => {
    expect(await recorded("", "telex")).toEqual({
      ok: false,
      failure: {
        kind: "invalid",
        what: `no wire is called “telex”; known: ${WIRES.join(", ")}`,
      },
    });
  });
});

test("calls without ids get ids of their own, in every reply others", async () => {
  const body =
    'data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"a"}}]},"finish_reason":"stop"}]}\n\n';
  const head = { status: 200, contentType: "", headers: {} };
  const adapter = openaiChat(BASE_QUIRKS);
  const ids: string[] = [];
  for (let reply = 0; reply < 2; reply += 1) {
    const frames = framesOf("sse", { head, body: streamOf([Buffer.from(body)]) }, () => undefined);
    ids.push(...(await summarize(adapter.decode(head, frames))).calls.map(({ id }) => id));
  }
  expect([new Set(ids).size, ids.every((id) => /^call_[\w-]{10,40}$/.test(id))]).toEqual([2, true]);
});

describe("a reply without end", () => {
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  test.each(["data: ", "{"])("that begins with %p is given up", async (start) => {
    const complaints: string[] = [];
    const head = { status: 200, contentType: "", headers: {} };
    const body = streamOf([Buffer.from(start), ...Array.from({ length: 70 }, () => megabyte)]);
    expect(await collect(framesOf("sse", { head, body }, (what) => complaints.push(what)))).toEqual(
      [],
    );
    expect(complaints.length).toBe(1);
    expect(complaints[0]).toContain("67108864 bytes");
  });
});
