// The tools as a whole: their order, their names, which are offered, their size.
import { describe, expect, test } from "bun:test";
import { sentence, type Result } from "../../src/base/failure.ts";
import { offeredTools, pickTools, toolNamed, tools } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";

const BASE = ["read", "ls", "find", "grep", "write", "edit", "bash"];
const IN_CHAT = ["todo_write", "ask_user"];

const named = (picked: Result<readonly Tool[]>): string[] | string =>
  picked.ok ? picked.value.map(({ name }) => name) : sentence(picked.failure);

test("the order is fixed: the prompt cache depends on it", () => {
  const known = [...BASE, ...IN_CHAT, "web_fetch"];
  const order = tools().map(({ name }) => name);
  expect(order.filter((name) => known.includes(name))).toEqual(known);
});

describe("offered are", () => {
  test("the seven everywhere, plan and questions where somebody looks on", () => {
    expect(named(offeredTools("headless", {}))).toEqual(BASE);
    expect(named(offeredTools("chat", {}))).toEqual(expect.arrayContaining([...BASE, ...IN_CHAT]));
    expect(named(offeredTools("chat", {}))).not.toContain("web_fetch");
  });

  test("what the settings enable, and not what they disable", () => {
    expect(
      named(offeredTools("headless", { enabled: ["WebFetch"], disabled: ["bash", "shell", "ls"] })),
    ).toEqual(["read", "find", "grep", "write", "edit", "web_fetch"]);
    expect(named(offeredTools("headless", { enabled: ["bsh"] }))).toStartWith(
      'there is no tool "bsh"; did you mean bash? (known: read',
    );
  });

  test("just those that are named, in the order of all", () => {
    expect(named(pickTools(["web_fetch", " grep", "Read"]))).toEqual(["read", "grep", "web_fetch"]);
    expect(named(pickTools([""]))).toStartWith('there is no tool ""');
  });
});

/** As the requests carry them. */
function tokens(offered: Result<readonly Tool[]>): number {
  const specs = (offered.ok ? offered.value : []).map(({ name, summary, parameters }) => ({
    name,
    description: summary,
    parameters,
  }));
  return Math.ceil(JSON.stringify(specs).length / 4);
}

test("the schemas that every request carries stay under 1,100 tokens", () => {
  const headless = tokens(offeredTools("headless", {}));
  const chat = tokens(offeredTools("chat", {}));
  console.log(`tool schemas: ${headless} tokens, in the chat ${chat}`);
  expect(headless).toBeGreaterThan(500);
  expect(headless).toBeLessThanOrEqual(1100);
});

test.each([
  ["read_file", "read"],
  ["list_dir", "ls"],
  ["find_files", "find"],
  ["glob", "find"],
  ["str_replace", "edit"],
  ["shell", "bash"],
  ["Bash", "bash"],
  ["write_file", "write"],
  ["TodoWrite", "todo_write"],
  ["update_plan", "todo_write"],
  ["AskUserQuestion", "ask_user"],
  ["WebFetch", "web_fetch"],
])("%s is %s", (name, wanted) => {
  expect(toolNamed(name)?.name).toBe(wanted);
});

test("an unknown name is no tool, also one that every object has", () => {
  expect([toolNamed("frobnicate"), toolNamed("constructor"), toolNamed("")]).toEqual([
    null,
    null,
    null,
  ]);
});
