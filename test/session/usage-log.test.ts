// The file of what turns took: a whole line each, whoever writes at the same time, added up as asked.
import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, statSync } from "node:fs";
import type { Draft } from "../../src/session/event.ts";
import { addUsage, usageOf, type UsageLine } from "../../src/session/usage-log.ts";
import { readUsage } from "../../src/session/usage-read.ts";
import { sumUsage } from "../../src/session/usage-sum.ts";
import { tempTree } from "../support/temp-tree.ts";
import { answer, call, chain, result, say, user } from "./drafts.ts";

const WRITER = Bun.fileURLToPath(import.meta.resolve("./usage-writer.ts"));
const TURN = { time: "2026-05-01T10:00:00.000Z", session: "s", project: "/p" };
const LINE: UsageLine = {
  v: 1,
  ...TURN,
  provider: "openai",
  model: "m",
  rounds: 1,
  input: 100,
  cacheRead: 40,
  cacheWrite: 10,
  output: 20,
  reasoning: 5,
  costUsd: 0.5,
};

function usage(costUsd: number | null): Draft {
  const tokens = { input: 10, cacheRead: 4, cacheWrite: 1, output: 5, reasoning: 2, costUsd: null };
  return { type: "model.usage", data: { usage: tokens, costUsd, model: "m" } };
}

describe("a turn's line", () => {
  const changed = (model: string): Draft => ({
    type: "model.changed",
    data: { provider: "openai", model },
  });
  const ofTurn = (drafts: Draft[]) => usageOf(chain([changed("m"), ...drafts]), 1, TURN);

  test("adds up its requests", () => {
    const drafts = [
      user("go"),
      answer([call("a")]),
      usage(0.25),
      result("a", "x"),
      say("done"),
      usage(0.5),
    ];
    expect(ofTurn(drafts)).toEqual([
      {
        v: 1,
        ...TURN,
        provider: "openai",
        model: "m",
        rounds: 2,
        input: 20,
        cacheRead: 8,
        cacheWrite: 2,
        output: 10,
        reasoning: 4,
        costUsd: 0.75,
      },
    ]);
  });

  test("has no cost where that of one request is not known", () => {
    const drafts = [
      user("go"),
      answer([call("a")]),
      usage(0.25),
      result("a", "x"),
      say("done"),
      usage(null),
    ];
    expect(ofTurn(drafts).map(({ costUsd }) => costUsd)).toEqual([null]);
  });

  test("is one of several where the model changed in its middle", () => {
    const drafts = [
      user("go"),
      answer([call("a")]),
      usage(1),
      result("a", "x"),
      changed("n"),
      say("done"),
      usage(2),
    ];
    expect(ofTurn(drafts).map(({ model, rounds, costUsd }) => [model, rounds, costUsd])).toEqual([
      ["m", 1, 1],
      ["n", 1, 2],
    ]);
  });

  test("leaves out what earlier turns took", () => {
    const events = chain([
      changed("m"),
      user("go"),
      say("one"),
      usage(1),
      user("on"),
      say("two"),
      usage(2),
    ]);
    expect(usageOf(events, 4, TURN).map(({ rounds, costUsd }) => [rounds, costUsd])).toEqual([
      [1, 2],
    ]);
  });

  test("is left out where no request was answered", () => {
    expect(ofTurn([user("go")])).toEqual([]);
  });
});

describe("the file", () => {
  test("is the user's alone and holds a line each; what is damaged is passed over", async () => {
    using tree = tempTree({});
    const file = tree.path("data/usage.jsonl");
    expect(await addUsage(file, [LINE])).toBeNull();
    appendFileSync(file, "{torn");
    expect(await addUsage(file, [{ ...LINE, session: "t" }])).toBeNull();
    expect(readUsage(file)).toEqual({ lines: [LINE, { ...LINE, session: "t" }], skipped: 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("takes whole lines from four processes at once", async () => {
    using tree = tempTree({});
    const file = tree.path("usage.jsonl");
    const runs = ["a", "b", "c", "d"].map(
      (name) => Bun.spawn([process.execPath, WRITER, file, name]).exited,
    );
    expect(await Promise.all(runs)).toEqual([0, 0, 0, 0]);
    const { lines, skipped } = readUsage(file);
    expect([lines.length, skipped, readFileSync(file, "utf8").split("\n").length]).toEqual([
      80, 0, 81,
    ]);
  });
});

test("lines are added up by day, model and project; an unknown cost is counted, not taken for 0", () => {
  const lines = [
    LINE,
    { ...LINE, time: "2026-04-30T23:59:00.000Z", model: "n", costUsd: 2 },
    { ...LINE, project: "/q", costUsd: null },
  ];
  const brief = (by: "day" | "model" | "project") =>
    sumUsage(lines, by).map(({ key, turns, costUsd, unpriced }) => [key, turns, costUsd, unpriced]);
  expect([brief("day"), brief("model"), brief("project")]).toEqual([
    [
      ["2026-04-30", 1, 2, 0],
      ["2026-05-01", 2, 0.5, 1],
    ],
    [
      ["openai/n", 1, 2, 0],
      ["openai/m", 2, 0.5, 1],
    ],
    [
      ["/p", 2, 2.5, 0],
      ["/q", 1, 0, 1],
    ],
  ]);
});
