// docs/protocols/stream-json.md is true: its examples are lines of the fixtures, and real runs have the fixtures' shape.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ok } from "../../src/base/failure.ts";
import { jsonSink } from "../../src/headless/json.ts";
import { streamSink } from "../../src/headless/stream.ts";
import type { ScriptTurn } from "../../src/model/script.ts";
import { memoryLog } from "../../src/session/log.ts";
import { editTool } from "../../src/tools/edit.ts";
import { readTool } from "../../src/tools/read.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { ALLOWED, call, output, question, recovery, tool, turnKit } from "../agent/fixture.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call as runTool, toolKit } from "../support/tool-kit.ts";
import { through } from "./fixture.ts";

const doc = readFileSync("docs/protocols/stream-json.md", "utf8");

function fixture(name: string): string[] {
  return readFileSync(`test/fixtures/stream-json/${name}.jsonl`, "utf8").trimEnd().split("\n");
}
const FIXTURES = [...fixture("run"), ...fixture("failed"), ...fixture("retried")];

/** A value with every leaf replaced by its type; the type of a line stays. Fields keep their order. */
function shapeOf(value: unknown): string {
  return JSON.stringify(value, (key, leaf: unknown) => {
    if (key === "type" || (typeof leaf === "object" && leaf !== null)) return leaf;
    return leaf === null ? null : typeof leaf;
  });
}

function shapes(lines: readonly string[]): string[] {
  return lines.map((line) => shapeOf(JSON.parse(line)));
}

/** The run that `run.jsonl` shows: an edit, and a command that is refused because nobody is there. */
function editing() {
  const edit: Tool = {
    ...tool("edit", "write", () => ""),
    prepare: () =>
      ok({
        touches: [{ kind: "write", path: "/w/till.ts" }],
        title: "edit till.ts",
        run: () => Promise.resolve(ok({ ...output("edited"), diff: "-old\n+new\n" })),
      }),
  };
  const usage = { input: 9, costUsd: 0.1 };
  const turns = [
    {
      steps: [
        { reasoning: "hm" },
        { text: ["I mend ", "it."] },
        call("edit", "call_1"),
        call("bash", "call_2"),
      ],
      usage,
    },
    { steps: [{ text: "Done." }], usage },
  ];
  return turnKit(turns, [edit, tool("bash", "write", () => "")], {
    judge: (name) => (name === "edit" ? ALLOWED : question("/w/cache", true)),
    confirm: () =>
      Promise.resolve({ kind: "unasked", isAllowed: false, because: "nobody is there" }),
  }).kit;
}

/** The run that `failed.jsonl` shows: nothing is recorded, no price is known, and the reply breaks off. */
function failing() {
  const notices = ["nothing is recorded"];
  const log = { ...memoryLog(), takeNotices: () => notices.splice(0) };
  return turnKit(
    [{ steps: [{ text: "The reason is" }], usage: { costUsd: null }, cut: true }],
    [],
    { log },
  ).kit;
}

/** The run that `retried.jsonl` shows: the reply breaks off, and comes whole at the second try. */
function retrying() {
  const usage = { costUsd: null };
  const turns: ScriptTurn[] = [
    { steps: [{ text: "The reason is" }], usage, cut: true },
    { steps: [{ text: "The reason is a typo." }], usage },
  ];
  const limits = { budgetMs: 9000, tries: 5, baseMs: 2000 };
  return turnKit(turns, [], { recovery: () => Promise.resolve(recovery({ limits })) }).kit;
}

describe("a real run has the shape of its fixture, line by line", () => {
  test.each([
    ["run", editing],
    ["failed", failing],
    ["retried", retrying],
  ])("%s", async (name, kit) => {
    const { out } = await through(streamSink(true), kit());
    expect(shapes(out.trimEnd().split("\n"))).toEqual(shapes(fixture(name)));
  });

  test("the object of --json is the result without its type", async () => {
    const { out } = await through(jsonSink(true), editing());
    const { type, ...result } = JSON.parse(fixture("run").at(-1) ?? "");
    expect({ type, shape: shapeOf(JSON.parse(out)) }).toEqual({
      type: "result",
      shape: shapeOf(result),
    });
  });
});

test("the edit of the fixture is what the edit tool says and stores", async () => {
  const lines = fixture("run").map((line): Record<string, unknown> => JSON.parse(line));
  const asked = lines.find(({ type, id }) => type === "tool_call" && id === "call_1");
  const told = lines.find(({ type, id }) => type === "tool_result" && id === "call_1");
  using tree = tempTree({
    "till.ts": "let sum = 0;\nfor (let at = 0; at < 3; at += 1) sum += prices[at];\nprint(sum);\n",
  });
  await using kit = toolKit(tree.root);
  await runTool(readTool, { path: "till.ts" }, kit);
  const done = await runTool(editTool, JSON.parse(String(asked?.["arguments"])), kit);
  expect(done).toEqual({
    parts: [{ type: "text", text: String(told?.["text"]) }],
    isError: false,
    summary: String(told?.["summary"]),
    diff: String(told?.["diff"]),
  });
});

describe("the page", () => {
  test("has only examples that are lines of a fixture", () => {
    const examples = [...doc.matchAll(/^```jsonl\n(.*?)\n```$/gms)].flatMap(
      ([, block]) => block?.split("\n") ?? [],
    );
    expect(examples.length).toBeGreaterThan(5);
    expect(examples.filter((line) => !FIXTURES.includes(line))).toEqual([]);
  });

  test("names every type of the fixtures and no other", () => {
    const [lines = ""] = doc.split("## The result");
    const documented = [...lines.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, type]) => type ?? "");
    const shown = new Set(FIXTURES.map((line): string => JSON.parse(line).type));
    expect(documented.toSorted()).toEqual([...shown].toSorted());
  });

  test("names every field", () => {
    const fields = new Set(FIXTURES.flatMap((line) => Object.keys(JSON.parse(line))));
    expect([...fields].filter((field) => !doc.includes(`\`${field}\``))).toEqual([]);
  });
});
