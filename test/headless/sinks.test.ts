// The three output forms: what stands on which stream, for runs of every kind.
import { describe, expect, test } from "bun:test";
import { jsonSink } from "../../src/headless/json.ts";
import { streamSink } from "../../src/headless/stream.ts";
import { textSink } from "../../src/headless/text.ts";
import type { ScriptTurn } from "../../src/model/script.ts";
import { memoryLog } from "../../src/session/log.ts";
import { call, DONE, question, tool, turnKit } from "../agent/fixture.ts";
import { randomTools, randomTurns } from "../agent/scripts.ts";
import { random } from "../support/random.ts";
import { SESSION, through } from "./fixture.ts";

type Line = { type: string } & Record<string, unknown>;

function linesOf(out: string): Line[] {
  expect(out.endsWith("\n")).toBe(true);
  return out
    .slice(0, -1)
    .split("\n")
    .map((line): Line => JSON.parse(line));
}

/** Type, text and id. */
function brief(line: Line): string {
  const parts = [line.type, line["text"], line["id"]];
  return parts.flatMap((part) => (typeof part === "string" ? [part] : [])).join(" ");
}

const WORK: ScriptTurn[] = [
  {
    steps: [{ reasoning: "hm" }, { text: ["I ", "look."] }, call("read", "a"), call("write", "b")],
  },
  {
    steps: [{ text: ["Do", "ne."] }],
    usage: { input: 9, cacheRead: 4, output: 3, reasoning: 1, costUsd: 0.5 },
  },
];
const TOOLS = [tool("read", "read", () => "found"), tool("write", "write", () => "wrote")];

/** A kit that has one thing to say, as when the disk is full. */
function noticing(turns: ScriptTurn[]) {
  const notices = ["nothing is recorded"];
  return turnKit(turns, [], { log: { ...memoryLog(), takeNotices: () => notices.splice(0) } }).kit;
}

describe("stream-json", () => {
  test("tells a run as it happens, the result last", async () => {
    const { out, report } = await through(streamSink(true), turnKit(WORK, TOOLS).kit);
    const lines = linesOf(out);
    expect(lines.map(brief)).toEqual([
      "session",
      "reasoning hm",
      "text I ",
      "text look.",
      "tool_call a",
      "tool_call b",
      "usage",
      "tool_result found a",
      "tool_result wrote b",
      "text Do",
      "text ne.",
      "usage",
      "result",
    ]);
    expect(lines[0]).toEqual({
      type: "session",
      session: SESSION.id,
      name: "job",
      model: SESSION.model,
    });
    expect(lines[4]).toEqual({ type: "tool_call", id: "a", name: "read", arguments: "{}" });
    expect(lines[7]).toEqual({
      type: "tool_result",
      id: "a",
      name: "read",
      is_error: false,
      summary: "found",
      text: "found",
      duration_ms: 0,
    });
    expect(lines[11]).toEqual({
      type: "usage",
      input: 9,
      cached: 4,
      output: 3,
      reasoning: 1,
      cost_usd: 0.5,
    });
    expect(lines[12]).toEqual({ type: "result", ...report });
  });

  test("every result has a call before it, also for calls that were refused, unknown or repeated", async () => {
    const turns = [
      {
        steps: [
          call("read", "a"),
          call("read", "b"),
          call("nothing", "c"),
          call("write", "d", '{"n"'),
        ],
      },
      DONE,
    ];
    const verdicts = [question()];
    const { kit } = turnKit(turns, TOOLS, {
      judge: () => verdicts.shift() ?? { kind: "allow", by: "mode", because: "" },
      confirm: () =>
        Promise.resolve({ kind: "unasked", isAllowed: false, because: "nobody is there" }),
    });
    const lines = linesOf((await through(streamSink(true), kit)).out);
    expect(
      lines.flatMap(({ type, id }) => (typeof id === "string" ? [`${type} ${id}`] : [])),
    ).toEqual([
      "tool_call a",
      "tool_call b",
      "tool_call c",
      "tool_call d",
      "permission a",
      "tool_result a",
      "tool_result b",
      "tool_result c",
      "tool_result d",
    ]);
    expect(lines.find(({ type }) => type === "permission")).toEqual({
      type: "permission",
      id: "a",
      tool: "read",
      decision: "deny",
      by: "mode",
      because: "nobody is there",
    });
  });

  test("a notice has a line", async () => {
    const lines = linesOf((await through(streamSink(true), noticing([DONE]))).out);
    expect(lines[1]).toEqual({ type: "notice", text: "nothing is recorded" });
  });

  test("is valid whatever a model does, and its deltas put together are the text", async () => {
    const known = new Set([
      "notice",
      "permission",
      "reasoning",
      "result",
      "session",
      "text",
      "tool_call",
      "tool_result",
      "usage",
    ]);
    for (let seed = 1; seed <= 300; seed += 1) {
      const chance = random(seed);
      const { kit, log } = turnKit(randomTurns(chance), randomTools(), {
        judge: () => (chance.chance(0.2) ? question() : { kind: "allow", by: "mode", because: "" }),
        confirm: () => Promise.resolve({ kind: chance.pick(["once", "stop"] as const) }),
      });
      const { out, report } = await through(streamSink(true), kit);
      const lines = linesOf(out);
      expect({ seed, unknown: lines.filter(({ type }) => !known.has(type)) }).toEqual({
        seed,
        unknown: [],
      });
      expect({ seed, first: lines[0]?.type, last: lines.at(-1) }).toEqual({
        seed,
        first: "session",
        last: { type: "result", ...report },
      });
      const stored = log
        .events()
        .flatMap((event) => (event.type === "message.assistant" ? event.data.content : []));
      for (const type of ["text", "reasoning"] as const) {
        const told = lines.flatMap((line) => (line.type === type ? [line["text"]] : []));
        const kept = stored.flatMap((part) => (part.type === type ? [part.text] : []));
        expect({ seed, [type]: told.join("") }).toEqual({ seed, [type]: kept.join("") });
        expect({ seed, empty: told.includes("") }).toEqual({ seed, empty: false });
      }
      const ids = (type: string): unknown[] =>
        lines.flatMap((line) => (line.type === type ? [line["id"]] : []));
      expect({ seed, results: ids("tool_result") }).toEqual({ seed, results: ids("tool_call") });
      expect({ seed, ends: endsTold(report.result, lines) }).toEqual({ seed, ends: true });
    }
  });
});

/** The result is the end of all text that was told. */
function endsTold(result: string, lines: readonly Line[]): boolean {
  return lines
    .flatMap((line) => (line.type === "text" ? [line["text"]] : []))
    .join("")
    .endsWith(result);
}

describe("json", () => {
  test("is one object when the run is over, the totals on the other stream", async () => {
    const { out, err, report } = await through(jsonSink(false), turnKit(WORK, TOOLS).kit);
    expect(out).toBe(`${JSON.stringify(report)}\n`);
    expect(err).toMatch(/^tokens \d+ in, .* session 01JDXK5V000000000000000001\n$/);
  });

  test("says on standard error what is not recorded", async () => {
    expect((await through(jsonSink(false), noticing([DONE]))).err).toStartWith(
      "burin: nothing is recorded\ntokens ",
    );
  });

  test("is silent beside it when quiet and successful", async () => {
    expect((await through(jsonSink(true), noticing([DONE]))).err).toBe("");
  });
});

describe("text", () => {
  const sink = (isQuiet: boolean) => textSink({ isQuiet, render: null });

  test("is the final answer alone; progress and totals are on standard error", async () => {
    const { out, err } = await through(sink(false), turnKit(WORK, TOOLS).kit);
    expect(out).toBe("Done.\n");
    expect(err.split("\n").slice(0, 2)).toEqual([
      "● read it · found · 0 ms",
      "● write it · wrote · 0 ms",
    ]);
    expect(err.split("\n")[2]).toStartWith("tokens ");
  });

  test("marks what failed, and nothing a tool says can move the cursor", async () => {
    const evil = tool("evil", "write", () => {
      throw new Error("\u001b[2J\nrm");
    });
    const { err } = await through(
      sink(false),
      turnKit([{ steps: [call("evil", "a")] }, DONE], [evil]).kit,
    );
    expect(err).toStartWith("✗ evil it · ");
    expect(err).not.toContain("\u001b");
    expect(err.trim().split("\n").length).toBe(2);
  });

  test("names a denied call by its command, and says why once", async () => {
    const bash = tool("bash", "write", () => "ran");
    const turns = [{ steps: [call("bash", "a", { command: "npm ci" })] }, DONE];
    const { kit } = turnKit(turns, [bash], {
      judge: () => ({ kind: "deny", by: "rule", because: "no installs" }),
    });
    const { err } = await through(sink(false), kit);
    expect(err.split("\n").slice(0, 2)).toEqual([
      "✗ bash npm ci · denied · 0 ms",
      "denied: bash npm ci: no installs",
    ]);
  });

  test("nothing on standard error turns text around, hides or breaks a line", async () => {
    const hidden = "a\u202eb\u009b1mc\u2028d\u200be";
    const evil = tool("evil", "write", () => hidden);
    const { kit } = turnKit([{ steps: [call("evil", "a")] }, DONE], [evil], {
      judge: () => ({ kind: "deny", by: "rule", because: `${hidden}\nno` }),
    });
    const { err } = await through(sink(false), kit);
    expect(err).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(err).toContain(String.raw`denied: evil: a\u202eb\u009b1mc\u2028d\u200be\nno` + "\n");
  });

  test("quiet leaves standard error empty on success", async () => {
    expect(await through(sink(true), turnKit(WORK, TOOLS).kit)).toMatchObject({
      out: "Done.\n",
      err: "",
    });
  });

  test("quiet still names the cause of a failure, last", async () => {
    const turns: ScriptTurn[] = [
      { steps: [{ text: "half" }], error: { kind: "server", message: "it broke" } },
    ];
    expect(await through(sink(true), turnKit(turns).kit)).toMatchObject({
      out: "half\n",
      err: "burin: it broke\n",
    });
  });

  test("lists what was denied", async () => {
    const { kit } = turnKit([{ steps: [call("write", "a")] }, DONE], TOOLS, {
      judge: () => ({ kind: "deny", by: "rule", because: "the rule forbids it" }),
    });
    expect((await through(sink(false), kit)).err).toContain(
      "\ndenied: write: the rule forbids it\n",
    );
  });

  test("renders the answer where it is asked to", async () => {
    const render = (markdown: string): Promise<string> => Promise.resolve(`<${markdown}>`);
    const rendering = textSink({ isQuiet: true, render });
    expect((await through(rendering, turnKit([DONE]).kit)).out).toBe("<done>\n");
  });
});
