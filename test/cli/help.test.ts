// The help of every command is complete and fits a terminal.
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import type { ArgsDef } from "citty";
import { RUN_FLAGS } from "../../src/cli/flags.ts";
import { helpText } from "../../src/cli/help.ts";
import { COMMANDS } from "../../src/cli/main.ts";
import { rootCommand } from "../../src/cli/root.ts";
import { argsFor } from "../../src/cli/tool-input.ts";
import { SHELF_FLAGS } from "../../src/cli/shelf.ts";
import { toolNamed, toolNames } from "../../src/tools/registry.ts";

const MAX_COLUMNS = 100;

/** Names of flags that the help does not show. */
function untold(help: string, args: ArgsDef): string[] {
  return Object.keys(args).filter((name) => !new RegExp(`--(no-)?${name}[\\s]`).test(help));
}

function expectToFit(help: string): void {
  expect(help.split("\n").filter((line) => line.length > MAX_COLUMNS)).toEqual([]);
  for (const part of ["Usage:\n", "\nFlags:\n", "\n  -h, --help ", "\nExamples:\n  burin"]) {
    expect(help).toContain(part);
  }
}

test("the main help tells every flag and every command", () => {
  const help = rootCommand.help([]);
  expectToFit(help);
  expect(untold(help, RUN_FLAGS)).toEqual([]);
  expect(Object.keys(COMMANDS).filter((name) => !help.includes(`\n  ${name} `))).toEqual([]);
});

test("every command has its help", async () => {
  for (const load of Object.values(COMMANDS)) expectToFit((await load()).help([]));
});

test("the commands of sessions tell their shared flags", async () => {
  for (const name of ["sessions", "show"] as const) {
    expect(untold((await COMMANDS[name]?.())?.help([]) ?? "", SHELF_FLAGS)).toEqual([]);
  }
  expect(untold((await COMMANDS["resume"]?.())?.help([]) ?? "", RUN_FLAGS)).toEqual([]);
});

describe("tools", () => {
  test.each(toolNames())("burin tool %s --help tells every flag", async (name) => {
    const tool = toolNamed(name);
    const help = (await COMMANDS["tool"]?.())?.help([name]) ?? "";
    expectToFit(help);
    expect(tool === null ? ["no tool"] : untold(help, argsFor(tool))).toEqual([]);
    if (name === "find" || name === "grep") expect(help).toContain("-0, --null");
  });
});

test("the help that is printed without loading anything is the same", async () => {
  const stored = [...new Glob("help.txt").scanSync("src/data")];
  expect(stored).toEqual(["help.txt"]);
  expect((await Bun.file("src/data/help.txt").text()).trimEnd()).toBe(
    rootCommand.help([]).trimEnd(),
  );
});

test("a flag shows its aliases, value, options and negation", () => {
  const help = helpText({
    name: "x",
    summary: "does it",
    usage: ["x [FLAGS]"],
    args: {
      one: { type: "string", alias: "o", valueHint: "N", description: "First" },
      kind: { type: "enum", options: ["a", "b"], description: "Which" },
      on: { type: "boolean", default: true, negativeDescription: "Off" },
      word: { type: "positional" },
    },
    negatable: ["one"],
    examples: ["x -o 1"],
  });
  expect(help).toBe(`x: does it

Usage:
  x [FLAGS]

Flags:
  -o, --one N                 First
  --no-one                    No one at all
  --kind a|b                  Which
  --no-on                     Off
  -h, --help                  This help

Examples:
  x -o 1
`);
});
