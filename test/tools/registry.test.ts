// The tools as a whole: their order, their names, their size.
import { expect, test } from "bun:test";
import { toolNamed, tools } from "../../src/tools/registry.ts";

test("the order is fixed: the prompt cache depends on it", () => {
  expect(tools().map(({ name }) => name)).toEqual([
    "read",
    "ls",
    "find",
    "grep",
    "write",
    "edit",
    "bash",
  ]);
});

test("all schemas together stay under 900 tokens", () => {
  const specs = tools().map(({ name, summary, parameters }) => ({
    name,
    description: summary,
    parameters,
  }));
  expect(JSON.stringify(specs).length / 4).toBeLessThan(900);
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
