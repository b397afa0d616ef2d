// One call: what is refused before anything runs, and that no tool can end a turn.
import { describe, expect, test } from "bun:test";
import { refusal } from "../../src/agent/perform.ts";
import { invalid } from "../../src/base/failure.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { ask, call, DONE, endOf, results, tool, turnKit } from "./fixture.ts";

const complete = { status: "complete", text: "done" } as const;

async function resultsOf(steps: ReturnType<typeof call>[], tools: Tool[]) {
  const { kit } = turnKit([{ steps }, DONE], tools);
  const events = await ask(kit);
  return { results: results(events), end: endOf(events) };
}

function throwing(name: string): Tool {
  return tool(name, "write", () => {
    throw new Error("the roof is on fire");
  });
}

describe("nothing runs", () => {
  test.each(['{"n":', '{"n":1} extra', "{'n':1}"])("with the broken arguments %j", async (args) => {
    const ran: unknown[] = [];
    const write = tool("write", "write", (input) => String(ran.push(input)));
    const seen = await resultsOf([call("write", "a", args)], [write]);
    expect(ran).toEqual([]);
    expect(seen.results[0]).toMatch(
      /^a: the arguments of write are not valid JSON \(.+\): nothing was run; send the call again, whole$/,
    );
    expect(seen.end).toEqual(complete);
  });

  test("under an unknown name, and the known ones are told", async () => {
    const read = tool("read", "read", () => "");
    const write = tool("write", "write", () => "");
    expect(await resultsOf([call("wrte", "a")], [read, write])).toEqual({
      results: ["a: there is no tool wrte; use one of read, write"],
      end: complete,
    });
  });

  test("with arguments the tool does not take", async () => {
    const strict: Tool = {
      ...tool("strict", "read", () => "ran"),
      prepare: () => invalid("path is missing"),
    };
    expect(await resultsOf([call("strict", "a")], [strict])).toEqual({
      results: ["a: path is missing"],
      end: complete,
    });
  });
});

test("no arguments at all are an empty object", async () => {
  const read = tool("read", "read", (input) => JSON.stringify(input));
  expect((await resultsOf([call("read", "a", "")], [read])).results).toEqual(["a: {}"]);
});

describe("a tool that throws becomes a result", () => {
  const because = "failed inside burin (a bug): the roof is on fire";

  test("while it runs, and the calls after it still run", async () => {
    const fine = tool("fine", "write", () => "fine");
    expect(await resultsOf([call("bad", "a"), call("fine", "b")], [throwing("bad"), fine])).toEqual(
      {
        results: [`a: bad ${because}`, "b: fine"],
        end: complete,
      },
    );
  });

  test("while it checks its arguments", async () => {
    const bad: Tool = {
      ...throwing("bad"),
      prepare() {
        throw new Error("the roof is on fire");
      },
    };
    expect(await resultsOf([call("bad", "a")], [bad])).toEqual({
      results: [`a: bad ${because}`],
      end: complete,
    });
  });
});

test("a refusal has one short line for the screen and the whole text for the model", () => {
  const text = `first line\n${"long ".repeat(30)}`;
  expect(refusal(text)).toEqual({
    parts: [{ type: "text", text }],
    isError: true,
    summary: `first line ${"long ".repeat(9)}l…`,
  });
});
