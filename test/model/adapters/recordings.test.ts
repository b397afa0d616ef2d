// Recorded replies: no cut changes what is read, half a reply is none, no damage throws, and every stream has one end.
import { describe, expect, test } from "bun:test";
import { anthropic } from "../../../src/model/adapters/anthropic.ts";
import { gemini } from "../../../src/model/adapters/gemini.ts";
import { ollama } from "../../../src/model/adapters/ollama.ts";
import { openaiResponses } from "../../../src/model/adapters/openai-responses.ts";
import { anthropicBody } from "../../support/anthropic-server.ts";
import { collect, pieces } from "../../support/collect.ts";
import { geminiBody } from "../../support/gemini-server.ts";
import { responsesBody } from "../../support/responses-reply.ts";
import { random } from "../../support/random.ts";
import { mutated } from "./mutate.ts";
import { recordedOf } from "./recorded.ts";
import { wireReply } from "./wire-reply.ts";

const input = { path: "a", lines: [1, 2] };
/** For a checkout without the recordings. */
const ANTHROPIC = anthropicBody({
  blocks: [
    { type: "thinking", thinking: "hm", signature: "s" },
    { type: "text", text: "Hi" },
    { type: "tool_use", id: "a", name: "read", input },
    { type: "tool_use", id: "b", name: "read", input },
  ],
});
const GEMINI = geminiBody({
  parts: [
    { text: "hm", thought: true },
    { text: "Hi", thoughtSignature: "s" },
    { functionCall: { name: "read", args: input }, thoughtSignature: "s" },
    { functionCall: { id: "b", name: "read", args: input } },
  ],
});
const RESPONSES = responsesBody({
  items: [
    { type: "reasoning", id: "rs", summary: "hm", encrypted: "e" },
    { type: "message", text: "Hi", phase: "commentary" },
    { type: "function_call", id: "a", name: "read", input },
    { type: "function_call", id: "b", name: "read", input },
  ],
});
const OLLAMA = [
  { model: "m", message: { role: "assistant", content: "", thinking: "hm" }, done: false },
  { message: { content: "Hi", tool_calls: [{ function: { name: "read", arguments: input } }] } },
  {
    message: { content: "" },
    done: true,
    done_reason: "stop",
    prompt_eval_count: 3,
    eval_count: 2,
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

const WIRES = [
  { name: "anthropic", api: "anthropic", reply: wireReply(anthropic), own: ANTHROPIC },
  {
    name: "openai-responses",
    api: "openai-responses",
    reply: wireReply(openaiResponses),
    own: RESPONSES,
  },
  { name: "gemini", api: "google", reply: wireReply(gemini), own: GEMINI },
  { name: "ollama", api: "ollama-chat", reply: wireReply(ollama), own: OLLAMA },
];
const MUTATIONS = 5000;
const SMALL_BYTES = 8000;

describe.each(WIRES)("a recording of $name", ({ api, reply, own }) => {
  test("reads the same however it is cut", async () => {
    for (const { id, bytes, head } of await recordedOf(api)) {
      const whole = await collect(reply.events([bytes], head));
      for (const seed of [1, 2, 3]) {
        const cut = pieces(bytes, random(seed), bytes.length > 60_000 ? 997 : 1 + seed * 13);
        expect([id, seed, await collect(reply.events(cut, head))]).toEqual([id, seed, whole]);
      }
    }
  });

  test("is no whole reply when half of it is missing", async () => {
    for (const { id, bytes, head } of await recordedOf(api)) {
      const { stop } = await reply.summary([bytes.subarray(0, bytes.length / 2)], head);
      expect([id, stop]).toEqual([id, null]);
    }
  });

  test("survives any damage, and has one end, last", async () => {
    const made = {
      id: "own",
      bytes: Buffer.from(own),
      head: { status: 200, contentType: "text/event-stream" },
    };
    const recorded = [...(await recordedOf(api)), made];
    const small = recorded.filter(({ bytes }) => bytes.length < SMALL_BYTES);
    for (let seed = 1; seed <= MUTATIONS; seed += 1) {
      const chance = random(seed);
      const { id, bytes, head } = chance.pick(small);
      const events = await collect(reply.events([mutated(bytes, chance)], head)).catch(
        (error: unknown) => [{ type: `thrown: ${String(error)}` }],
      );
      const ends = events.flatMap(({ type }, at) =>
        type === "stop" || type === "failed" ? [at] : [],
      );
      const types = events.map(({ type }) => type).filter((type) => type.startsWith("thrown"));
      expect([id, seed, types, ends]).toEqual([id, seed, [], [events.length - 1]]);
    }
  });
});
