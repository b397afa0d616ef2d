// Responses on one connection: when only what is new is sent, and what the messages that come mean.
import { describe, expect, test } from "bun:test";
import { openaiResponses } from "../../../src/model/adapters/openai-responses.ts";
import { openTalk } from "../../../src/model/adapters/openai-responses-talk.ts";
import type { BodyPieces, Heard, Talk } from "../../../src/model/provider.ts";
import type { ModelMessage, ModelRequest } from "../../../src/model/request.ts";
import { random } from "../../support/random.ts";
import { responsesEvents, type ReplyItem } from "../../support/responses-reply.ts";
import { called, requestOf, result, user } from "../requests.ts";
import { mutated } from "./mutate.ts";

const adapter = openaiResponses();

function pieces(messages: ModelMessage[], more: Partial<ModelRequest> = {}): BodyPieces {
  const endpoint = { provider: "p", baseUrl: "http://h", credential: { kind: "none" } } as const;
  const encoded = adapter.encode(endpoint, requestOf(messages, { model: "gpt-5.2", ...more }));
  if (encoded.pieces === undefined) throw new Error("no pieces");
  return encoded.pieces;
}

function hearAll(talk: Talk, items: ReplyItem[], incomplete?: string): Heard[] {
  const reply = incomplete === undefined ? { items } : { items, incomplete };
  return responsesEvents(reply).map((event) => talk.hear(JSON.stringify(event)));
}

const CALL: ReplyItem = { type: "function_call", id: "a", name: "read", input: { path: "x" } };
const SAID: ReplyItem[] = [{ type: "message", text: "I look." }, CALL];
const ASKED = [user("Hi")];
const ANSWER = called("a", "read", '{"path":"x"}', "I look.");
const NEXT = [...ASKED, ANSWER, result("a", "text")];

describe("a request", () => {
  test("is the body without what only streams need, and whole at first", () => {
    const asked = openTalk().ask(pieces(ASKED));
    expect(asked).toEqual({
      message:
        '{"type":"response.create","model":"gpt-5.2","store":false,"include":["reasoning.encrypted_content"],"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}]}',
      isContinued: false,
      sentItems: 1,
    });
  });

  test("goes on with what is new, after a whole reply that it holds", () => {
    const talk = openTalk();
    talk.ask(pieces(ASKED));
    hearAll(talk, SAID);
    const { message, ...figures } = talk.ask(pieces(NEXT));
    expect(figures).toEqual({ isContinued: true, sentItems: 1 });
    expect(JSON.parse(message)).toMatchObject({
      previous_response_id: "resp_1",
      input: [{ type: "function_call_output", call_id: "a", output: "text" }],
    });
  });

  const CHANGED: [what: string, next: BodyPieces][] = [
    ["adds nothing", pieces([...ASKED, ANSWER])],
    ["has another beginning", pieces([user("Ho"), ...NEXT.slice(1)])],
    ["has lost its beginning", pieces(NEXT.slice(1))],
    ["has another system text", pieces(NEXT, { system: ["Be brief."] })],
    ["is for another model", pieces(NEXT, { model: "gpt-5.1" })],
    [
      "has the reply in other words",
      pieces([...ASKED, called("a", "read", '{"path":"x"}', "Look"), result("a", "t")]),
    ],
    [
      "has the call with other arguments",
      pieces([...ASKED, called("a", "read", '{"path":"y"}', "I look."), result("a", "t")]),
    ],
    ["has lost the reply", pieces([...ASKED, user("and?")])],
  ];

  test.each(CHANGED)("that %s is sent whole", (_, next) => {
    const talk = openTalk();
    talk.ask(pieces(ASKED));
    hearAll(talk, SAID);
    expect(talk.ask(next)).toMatchObject({ isContinued: false, sentItems: next.items.length });
  });

  test.each([
    ["was cut", (talk: Talk) => hearAll(talk, SAID, "max_output_tokens")],
    ["did not end", (talk: Talk) => talk.hear('{"type":"response.created"}')],
    ["was refused", (talk: Talk) => talk.hear('{"type":"error","status":500,"error":{}}')],
    ["has no name", (talk: Talk) => talk.hear('{"type":"response.completed","response":{}}')],
  ])("after a reply that %s is sent whole", (_, hear) => {
    const talk = openTalk();
    talk.ask(pieces(ASKED));
    hear(talk);
    expect(talk.ask(pieces(NEXT)).isContinued).toBe(false);
  });

  test("is sent whole once more where its continuation was refused", () => {
    const talk = openTalk();
    talk.ask(pieces(ASKED));
    hearAll(talk, SAID);
    expect(talk.ask(pieces(NEXT)).isContinued).toBe(true);
    const gone = { type: "error", status: 400, error: { code: "previous_response_not_found" } };
    expect(talk.hear(JSON.stringify(gone))).toEqual({ kind: "refused", again: "here" });
    expect(talk.ask(pieces(NEXT)).isContinued).toBe(false);
  });

  test("goes on after calls without arguments, which come back as an empty object", () => {
    const talk = openTalk();
    talk.ask(pieces(ASKED));
    const item = { type: "function_call", call_id: "a", name: "list", arguments: "" };
    talk.hear(JSON.stringify({ type: "response.output_item.done", item }));
    talk.hear('{"type":"response.completed","response":{"id":"r"}}');
    const next = pieces([...ASKED, called("a", "list", "{}"), result("a", "t")]);
    expect(talk.ask(next)).toMatchObject({ isContinued: true, sentItems: 1 });
  });
});

describe("a message", () => {
  test.each([
    ['{"type":"response.created"}', { kind: "quiet" }],
    ['{"type":"response.output_item.added"}', { kind: "quiet" }],
    ['{"type":"codex.rate_limits"}', { kind: "quiet" }],
    ['{"type":"response.output_text.delta"}', { kind: "output" }],
    ['{"type":"response.output_item.done"}', { kind: "output" }],
    ['{"type":"response.failed"}', { kind: "end" }],
    ['{"type":"response.incomplete"}', { kind: "end" }],
    ['{"type":"error","message":"no"}', { kind: "refused", again: null }],
    [
      '{"type":"error","error":{"code":"websocket_connection_limit_reached"}}',
      { kind: "refused", again: "anew" },
    ],
    ["not JSON", { kind: "output" }],
    ["[]", { kind: "output" }],
  ] as const)("%s", (message, heard) => {
    expect(openTalk().hear(message)).toEqual(heard);
  });

  test("may be damaged in any way", () => {
    const events = responsesEvents({ items: SAID }).map((event) => JSON.stringify(event));
    for (let seed = 1; seed <= 5000; seed += 1) {
      const chance = random(seed);
      const talk = openTalk();
      talk.ask(pieces(ASKED));
      for (const event of events) {
        const bytes = chance.int(4) === 0 ? mutated(Buffer.from(event), chance) : event;
        const heard = talk.hear(Buffer.from(bytes).toString());
        expect([seed, ["quiet", "output", "end", "refused"].includes(heard.kind)]).toEqual([
          seed,
          true,
        ]);
      }
      const next = talk.ask(pieces(NEXT));
      expect([seed, JSON.parse(next.message).input.length]).toEqual([seed, next.sentItems]);
    }
  });
});
