// The scripted model and its format, and the demo, which must work on the repository it makes.
import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { DEMO_PROMPT, demoModel, demoRepository } from "../../src/model/demo.ts";
import { summarize, type Summary } from "../../src/model/decode.ts";
import type { Model } from "../../src/model/provider.ts";
import type { ModelMessage } from "../../src/model/request.ts";
import { parseScript, type ScriptTurn } from "../../src/model/script.ts";
import { echoModel, scriptedModel } from "../../src/model/scripted.ts";
import { collect } from "../support/collect.ts";
import { tempTree } from "../support/temp-tree.ts";
import { called, requestOf, result, user } from "./requests.ts";

const never = new AbortController().signal;
const ask = (model: Model, messages: ModelMessage[] = [user("Hi")]) =>
  collect(model.stream(requestOf(messages), never));

/** The summary of the second reply. */
async function second(model: Model): Promise<Summary> {
  await ask(model);
  return summarize(model.stream(requestOf([]), never));
}

/** Runs the demo repository's test. */
function run(root: string): { exit: number; text: string } {
  const { exitCode, stdout } = Bun.spawnSync(["sh", "test.sh"], { cwd: root });
  return { exit: exitCode, text: stdout.toString() };
}

describe("a scripted turn", () => {
  test("plays its steps in order", async () => {
    const model = scriptedModel([
      {
        steps: [
          { reasoning: "hm" },
          { text: ["Hel", "lo"] },
          { delay: 1 },
          { tool: "read", args: { path: "a" }, fragments: 2, id: "x" },
          { tool: "list" },
        ],
        usage: { input: 5, output: 2 },
      },
    ]);
    const read = { id: "x", name: "read", arguments: '{"path":"a"}' };
    const list = { id: "call_1_5", name: "list", arguments: "{}" };
    expect(await ask(model)).toEqual([
      { type: "thinking", delta: "hm" },
      { type: "text", delta: "Hel" },
      { type: "text", delta: "lo" },
      { type: "call.begin", id: "x", name: "read" },
      { type: "call.delta", id: "x", delta: '{"path' },
      { type: "call.delta", id: "x", delta: '":"a"}' },
      { type: "call.begin", id: list.id, name: "list" },
      { type: "call.delta", id: list.id, delta: "{}" },
      { type: "call", call: read },
      { type: "call", call: list },
      {
        type: "usage",
        usage: { input: 5, cacheRead: 0, cacheWrite: 0, output: 2, reasoning: 0, costUsd: 0 },
      },
      { type: "stop", reason: "calls" },
    ]);
  });

  const ends: [how: string, turn: ScriptTurn, end: unknown][] = [
    ["by itself", { steps: [{ text: "x" }] }, { type: "stop", reason: "end" }],
    ["as it says", { stop: "length" }, { type: "stop", reason: "length" }],
    ["cut", { cut: true }, { type: "failed", error: { kind: "stream_cut", retryable: true } }],
    [
      "with an error",
      {
        error: {
          kind: "rate_limit",
          message: "slow",
          retryable: true,
          retryAfterMs: 9,
          status: 429,
        },
      },
      {
        type: "failed",
        error: {
          kind: "rate_limit",
          message: "slow",
          retryable: true,
          retryAfterMs: 9,
          status: 429,
          requestId: null,
        },
      },
    ],
  ];
  test.each(ends)("ends %s", async (_, turn, end) => {
    expect((await ask(scriptedModel([turn]))).at(-1)).toMatchObject(Object(end));
  });

  test("that is cut has no whole calls", async () => {
    const model = scriptedModel([{ steps: [{ tool: "read" }], cut: true }]);
    expect((await summarize(model.stream(requestOf([]), never))).calls).toEqual([]);
  });

  test("passes broken arguments on as they are", async () => {
    const model = scriptedModel([{ steps: [{ tool: "read", args: '{"path":' }] }]);
    expect((await summarize(model.stream(requestOf([]), never))).calls[0]?.arguments).toBe(
      '{"path":',
    );
  });

  test("repeats, counting", async () => {
    const model = scriptedModel([
      { repeat: 2, steps: [{ text: "no {{i}}" }] },
      { steps: [{ text: "end" }] },
    ]);
    const texts: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      texts.push((await summarize(model.stream(requestOf([]), never))).text);
    }
    expect(texts).toEqual(["no 1", "no 2", "end"]);
  });

  test("stops when it is told to, in the middle of a pause", async () => {
    const controller = new AbortController();
    const model = scriptedModel([{ steps: [{ text: "1" }, { delay: 60_000 }, { text: "2" }] }]);
    const stream = model.stream(requestOf([]), controller.signal);
    await stream.next();
    setTimeout(() => controller.abort(), 1);
    expect(await summarize(stream)).toMatchObject({ text: "", failed: { kind: "aborted" } });
  });
});

describe("an expectation", () => {
  const expecting: ScriptTurn[] = [{ expect: ["two", "three"], steps: [{ text: "good" }] }];

  test("looks at the results since the last reply", async () => {
    const old = [
      result("a", "three"),
      called("b", "t", "{}"),
      result("b", "one two"),
      result("c", "three"),
    ];
    expect(await summarize(scriptedModel(expecting).stream(requestOf(old), never))).toMatchObject({
      text: "good",
    });
  });

  test("that is not met fails with what came instead", async () => {
    const old = [result("a", "three"), called("b", "t", "{}"), result("b", "one two")];
    const { failed } = await summarize(scriptedModel(expecting).stream(requestOf(old), never));
    expect(failed?.message).toBe(
      "turn 1 of the script expected a tool result with “three”, but the last one is: one two",
    );
  });

  test("that is not met plays `otherwise` where there is one", async () => {
    const model = scriptedModel({ turns: expecting, otherwise: { steps: [{ text: "bad" }] } });
    expect((await summarize(model.stream(requestOf([]), never))).text).toBe("bad");
  });
});

describe("after the last turn", () => {
  const turns: ScriptTurn[] = [{ steps: [{ text: "1" }] }];

  test("a request fails", async () => {
    expect((await second(scriptedModel(turns))).failed?.message).toBe("the script has no turn 2");
  });

  test("`after` is played", async () => {
    expect(
      (await second(scriptedModel({ turns, after: { steps: [{ text: "done" }] } }))).text,
    ).toBe("done");
  });

  test("`loop` starts over", async () => {
    expect((await second(scriptedModel({ turns, loop: true }))).text).toBe("1");
  });
});

test("the requests are kept for a look", async () => {
  const model = scriptedModel([{}, {}]);
  await ask(model, [user("one")]);
  await ask(model, [user("two")]);
  expect(model.requests.map(({ messages }) => messages)).toEqual([[user("one")], [user("two")]]);
});

test("echo answers with what the user said last", async () => {
  const { text, stop } = await summarize(
    echoModel().stream(requestOf([user("one"), user("two")]), never),
  );
  expect({ text, stop }).toEqual({ text: "two", stop: "end" });
});

describe("parseScript", () => {
  test("takes the example of the protocol's page", async () => {
    const page = await Bun.file("docs/protocols/script.md").text();
    const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    const script = parseScript(example, "script.md");
    if (!script.ok) throw new Error(JSON.stringify(script.failure));
    expect(script.value.turns.length).toBe(2);
  });

  const mistakes: [text: string, sentence: string][] = [
    ["{", "s.json is no JSON: "],
    ["[]", 's.json: "turns" is missing ('],
    ["4", "s.json: the script must be an object, not 4 ("],
    ['{"turns":3}', "s.json: turns must be a list, not 3 ("],
    [
      '{"turns":[{"steps":[{"text":1}]}]}',
      "s.json: turns[0].steps[0].text must be a text or a list, not 1 (",
    ],
    [
      '{"turns":[{},{"usage":{"input":-1}}]}',
      "s.json: turns[1].usage.input must be 0 or more, not -1 (",
    ],
    [
      '{"turns":[{"steps":[{"delay":1.5}]}]}',
      "s.json: turns[0].steps[0].delay must be a whole number, not 1.5 (",
    ],
    ['{"turns":[{"step":[]}]}', 's.json: turns[0]: there is no key "step" ('],
    ['{"turn":[],"turns":[]}', 's.json: there is no key "turn" ('],
    ['{"turns":[{"stop":"later"}]}', 's.json: turns[0].stop must be "end" or "calls" or '],
    [
      '{"turns":[{"steps":[{"text":"a","tool":"b"}]}]}',
      "s.json: turns[0].steps[0]: a step has exactly one of text, reasoning, tool and delay",
    ],
    [
      '{"turns":[{"stop":"end","cut":true}]}',
      "s.json: turns[0]: a turn ends in one way: stop, error or cut",
    ],
  ];
  test.each(mistakes)("names the place in %p", (text, sentence) => {
    const script = parseScript(text, "s.json");
    expect(!script.ok && script.failure.kind === "invalid" && script.failure.what).toStartWith(
      sentence,
    );
  });
});

describe("the demo", () => {
  test("mends its repository by the results it really gets", async () => {
    using tree = tempTree(demoRepository());
    const model = demoModel(0);
    const messages: ModelMessage[] = [user(DEMO_PROMPT)];
    const used: string[] = [];
    let said = "";
    for (let stop: string | null = "calls"; stop === "calls";) {
      const reply = await summarize(model.stream(requestOf(messages), never));
      stop = reply.stop;
      said = reply.text;
      for (const call of reply.calls) {
        used.push(call.name);
        messages.push(called(call.id, call.name, call.arguments));
      }
      for (const call of reply.calls)
        messages.push(result(call.id, await perform(tree.root, call.name, call.arguments)));
    }
    expect(used).toEqual(["grep", "read", "read", "bash", "edit", "bash"]);
    expect(said).toStartWith("The test passes now.");
    expect(run(tree.root)).toMatchObject({ exit: 0 });
  });

  test("begins with a test that fails", () => {
    using tree = tempTree(demoRepository());
    const { exit, text } = run(tree.root);
    expect([exit, text.includes("expected 250, got 200")]).toEqual([1, true]);
  });

  test("ends politely when a call was refused, and when it is over", async () => {
    const model = demoModel(0);
    await ask(model);
    expect((await summarize(model.stream(requestOf([]), never))).text).toContain("it ends here");
    for (let turn = 0; turn < 4; turn += 1) await ask(model);
    expect((await summarize(model.stream(requestOf([]), never))).text).toContain("the whole demo");
  });

  test("speaks at a pace when it is asked to", async () => {
    const all = await ask(demoModel(1));
    expect(all.filter(({ type }) => type === "text").length).toBeGreaterThan(5);
  });

  const Args = v.object({
    path: v.optional(v.string(), "till.sh"),
    edits: v.optional(v.array(v.object({ oldText: v.string(), newText: v.string() })), []),
  });

  /** The least that stands in for the tools. */
  async function perform(root: string, name: string, json: string): Promise<string> {
    const { path, edits } = v.parse(Args, JSON.parse(json));
    const file = Bun.file(`${root}/${path}`);
    if (name === "bash") return run(root).text;
    if (name === "grep") return `till.sh:${await file.text()}`;
    if (name === "read") return file.text();
    for (const { oldText, newText } of edits) {
      await Bun.write(
        file,
        (await file.text()).replace(oldText, () => newText),
      );
    }
    return "till.sh: +1 -1";
  }
});
