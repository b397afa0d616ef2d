// The closing report: the exit code of every end, the answer, the figures and the denials.
import { describe, expect, test } from "bun:test";
import type { TurnEnd } from "../../src/agent/event.ts";
import { reportOf, totalsLine, type Report } from "../../src/headless/report.ts";
import type { Draft } from "../../src/session/event.ts";
import { eventOf, reply, usage } from "../support/scripted-place.ts";

function report(
  drafts: Draft[],
  end: TurnEnd,
  exit: number | null = null,
  path: string | null = "/s/job.jsonl",
): Report {
  const session = { id: "S1", name: "job", path };
  return reportOf({
    session,
    model: "p/m",
    events: drafts.map(eventOf),
    end,
    exit,
    durationMs: 1234.6,
  });
}

const DENIED: Draft = {
  type: "permission.decision",
  data: {
    tool: "bash",
    toolCallId: "c",
    decision: "deny",
    by: "rule",
    because: "no bash",
    mode: "standard",
  },
};
const ALLOWED: Draft = { ...DENIED, data: { ...DENIED.data, decision: "allow" } };

test("a finished run has everything in one object", () => {
  const events = [reply("half"), usage(10, 2), DENIED, ALLOWED, reply("done"), usage(30, 3)];
  expect(report(events, { status: "complete", text: "done" })).toEqual({
    result: "done",
    session: "S1",
    name: "job",
    status: "complete",
    exit: 0,
    model: "p/m",
    rounds: 2,
    tool_calls: 0,
    usage: { input: 40, cached: 0, output: 5, reasoning: 0 },
    cost_usd: 0.0246,
    duration_ms: 1235,
    unmetered: 0,
    denied: [{ tool: "bash", call: "bash", because: "no bash" }],
    error: null,
  });
});

test("a denied call is named with what it was to work on", () => {
  const content = [
    { type: "tool_call" as const, id: "c", name: "bash", arguments: '{"command":"npm ci"}' },
  ];
  const asking: Draft = {
    type: "message.assistant",
    data: { content, status: "complete", stop: "calls" },
  };
  expect(report([asking, DENIED], { status: "complete", text: "" }).denied).toEqual([
    { tool: "bash", call: "bash npm ci", because: "no bash" },
  ]);
});

test("a run that is not recorded has no session to go on with", () => {
  const made = report([reply("done")], { status: "complete", text: "done" }, null, null);
  expect([made.session, totalsLine(made).endsWith("not recorded")]).toEqual([null, true]);
});

test("what a stopped stream took is not known, and not nothing", () => {
  const made = report([reply("ha")], { status: "interrupted" }, 130);
  expect([made.cost_usd, totalsLine(made)]).toEqual([
    null,
    "tokens — in, — out · cost — · 1 round, 0 tool calls · session S1",
  ]);
});

describe("each end has its exit code and sentence", () => {
  test.each<[TurnEnd, number, string | null]>([
    [{ status: "complete", text: "x" }, 0, null],
    [{ status: "error", message: "the key is wrong" }, 1, "the key is wrong"],
    [
      { status: "limit", which: "rounds (2)" },
      3,
      "the limit on rounds (2) was reached: raise it, or go on with burin -c",
    ],
    [{ status: "denied", because: "no bash" }, 4, "stopped by policy: no bash"],
    [{ status: "interrupted" }, 130, "stopped by a signal"],
  ])("%j", (end, exit, error) => {
    const { exit: code, error: said, status } = report([], end);
    expect({ exit: code, error: said, status }).toEqual({ exit, error, status: end.status });
  });

  test("but the signal that ended the run comes before it", () => {
    expect(report([], { status: "interrupted" }, 143).exit).toBe(143);
  });
});

test("a run that did not finish gives what there was of the last reply", () => {
  const events = [reply("first"), reply("half an answ")];
  expect(report(events, { status: "interrupted" }).result).toBe("half an answ");
});

test("one unknown price makes the cost unknown, never 0", () => {
  const unknown: Draft = {
    type: "model.usage",
    data: {
      usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0, costUsd: null },
      costUsd: null,
      model: "m",
    },
  };
  expect(report([usage(1, 1), unknown], { status: "complete", text: "x" }).cost_usd).toBeNull();
});

describe("the line of totals", () => {
  const sum = report([reply("x"), usage(1234, 56)], { status: "complete", text: "x" });

  test("names tokens, cost, work and session", () => {
    expect(totalsLine(sum)).toBe(
      "tokens 1234 in, 56 out · cost $0.0123 · 1 round, 0 tool calls · session S1",
    );
  });

  test("has a dash where no price is known", () => {
    expect(totalsLine({ ...sum, cost_usd: null })).toContain("cost — ·");
  });
});
