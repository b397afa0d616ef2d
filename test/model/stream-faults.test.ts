// A reply that breaks off at any of its bytes: what came before is said once, and then comes exactly one end.
import { describe, expect, test } from "bun:test";
import { BASE_QUIRKS } from "../../src/model/adapters/openai-chat-encode.ts";
import { openaiChat } from "../../src/model/adapters/openai-chat.ts";
import type { ModelEvent } from "../../src/model/event.ts";
import { openModel } from "../../src/model/stream.ts";
import { DEFAULT_HTTP } from "../../src/wire/http.ts";
import { collect } from "../support/collect.ts";
import { chatBody, replayServer, type ReplayTurn } from "../support/replay-server.ts";
import { requestOf, user } from "./requests.ts";

const never = new AbortController().signal;
const TEXT = "one é two";
const TURN: ReplayTurn = { steps: [{ text: "one é " }, { text: "two" }] };
const BODY = Buffer.from(chatBody(TURN));
/** Once the line with the reason to stop is whole, so is the reply, whatever the line does then. */
const WHOLE = BODY.indexOf("\n", BODY.indexOf('"finish_reason"'));

async function eventsOf(url: string): Promise<ModelEvent[]> {
  const model = openModel({
    adapter: openaiChat(BASE_QUIRKS),
    endpoint: { provider: "test", baseUrl: `${url}/v1`, credential: { kind: "none" } },
    modelId: "m",
    http: DEFAULT_HTTP,
  });
  return await collect(model.stream(requestOf([user("Hi")]), never));
}

describe.each(["cut", "reset", "garble"] as const)("a %s", (kind) => {
  test(`at each of ${BODY.length} bytes`, async () => {
    const turns = Array.from(BODY, (_, at): ReplayTurn => ({ ...TURN, fault: { at, kind } }));
    await using server = await replayServer(turns);
    for (const at of BODY.keys()) {
      const events = await eventsOf(server.url);
      const said = events.flatMap((event) => (event.type === "text" ? event.delta : [])).join("");
      const ends = events.filter(({ type }) => type === "stop" || type === "failed");
      const last = events.at(-1);
      const isWhole = last?.type === "stop";
      expect({ at, ends, isPrefix: TEXT.startsWith(said) }).toEqual({
        at,
        ends: last === undefined ? [] : [last],
        isPrefix: true,
      });
      if (isWhole) expect({ at, said, late: at >= WHOLE }).toEqual({ at, said: TEXT, late: true });
    }
    expect(server.requests.length).toBe(BODY.length);
  });
});

test("a reply without end is cut off and said to be", async () => {
  const delta = { content: "x".repeat(60_000) };
  const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  await using server = await replayServer([{ body: piece.repeat(1200), chunk: 1 << 20 }]);
  const events = await eventsOf(server.url);
  const shown = events.reduce(
    (sum, event) => sum + (event.type === "text" ? event.delta.length : 0),
    0,
  );
  expect({ isBounded: shown <= 64 << 20, last: events.at(-1) }).toMatchObject({
    isBounded: true,
    last: { type: "failed", error: { message: expect.stringContaining("larger than 64 MiB") } },
  });
});
