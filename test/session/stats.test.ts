// The figures of a session's requests, as `burin show --stats` prints them.
import { expect, test } from "bun:test";
import type { Draft } from "../../src/session/event.ts";
import { statsText } from "../../src/session/stats.ts";
import { answer, call, chain, result, say, user } from "./drafts.ts";

const TOKENS = {
  input: 1000,
  cacheRead: 250,
  cacheWrite: 0,
  output: 20,
  reasoning: 0,
  costUsd: null,
};
const used: Draft = { type: "model.usage", data: { usage: TOKENS, costUsd: 0.5, model: "m" } };
const TRANSPORT = {
  kind: "websocket",
  isReused: true,
  isContinued: true,
  inputItems: 9,
  sentItems: 2,
  inputBytes: 900,
  instructionBytes: 10,
  toolBytes: 10,
  tools: 1,
  fallback: null,
} as const;
const TIMES = {
  requestBytes: 2048,
  responseBytes: 10,
  headersMs: 100,
  firstEventMs: 250,
  totalMs: 1500,
};

test("each request has its row; what nobody said is —", () => {
  const events = chain([
    user("go"),
    answer([call("a")]),
    used,
    { type: "model.metrics", data: { ...TIMES, transport: TRANSPORT } },
    result("a", "x"),
    say("done"),
  ]);
  expect(
    statsText(events)
      .split("\n")
      .map((line) => line.trim().split(/\s{2,}/)),
  ).toEqual([
    ["in", "cached", "out", "cost", "sent", "first", "total", "how"],
    [
      "1",
      "1000",
      "250",
      "20",
      "$0.5000",
      "2.0 KB",
      "0.25 s",
      "1.50 s",
      "websocket, reused, continued (2 of 9 items)",
    ],
    ["2", "—", "—", "—", "—", "—", "—", "—"],
    ["2 requests · 25 % of the input from the cache · — · 1 on an open connection"],
    [""],
  ]);
});
