// The floors: each rule of the house finds the fault that breaks it, and the source has none.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { faultsOf, readModules } from "../../scripts/floors.ts";
import { tempTree } from "../support/temp-tree.ts";

const HEADER = "// A module for a test.\n";

function faults(files: Record<string, string>): string[] {
  const sources = Object.entries(files).map(([name, text]) => [name, HEADER + text] as const);
  return faultsOf(new Map(sources));
}

test("imports that go down have no fault", () => {
  const files = {
    "main.ts": 'await import("./cli/root.ts");',
    "cli/root.ts": 'import { a } from "../base/a.ts";',
    "base/a.ts": 'import { b } from "./b.ts";',
    "base/b.ts": "",
  };
  expect(faults(files)).toEqual([]);
});

test("an import that goes up is found", () => {
  expect(faults({ "base/a.ts": 'import { b } from "../host/b.ts";', "host/b.ts": "" })).toEqual([
    "base/a.ts: imports host/b.ts, which is above it",
  ]);
});

test("an import of a type that goes up is found", () => {
  const source = 'import type {\n  B,\n} from "../agent/b.ts";';
  expect(faults({ "model/a.ts": source, "agent/b.ts": "" })).toEqual([
    "model/a.ts: imports agent/b.ts, which is above it",
  ]);
});

test("an import that goes sideways is found, also a lazy one", () => {
  const files = { "wire/a.ts": 'const b = await import("../term/b.ts");', "term/b.ts": "" };
  expect(faults(files)).toEqual(["wire/a.ts: imports term/b.ts, which is beside it"]);
});

test("a re-export and a bare import count as imports", () => {
  const files = {
    "base/a.ts": 'export { b } from "../host/b.ts";\nimport "../host/b.ts";',
    "host/b.ts": "",
  };
  expect(faults(files)).toHaveLength(2);
});

test("an asset of a room above is an import like any other", () => {
  const source = 'import text from "../chat/help.md" with { type: "text" };';
  expect(faults({ "tools/a.ts": source })).toEqual([
    "tools/a.ts: imports chat/help.md, which is above it",
  ]);
});

test("a circle inside a room is found once", () => {
  const files = {
    "base/a.ts": 'import "./b.ts";',
    "base/b.ts": 'import "./c.ts";',
    "base/c.ts": 'import "./a.ts";',
  };
  expect(faults(files)).toEqual(["circle: base/a.ts -> base/b.ts -> base/c.ts -> base/a.ts"]);
});

test("a room without a floor is found", () => {
  expect(faults({ "helpers/a.ts": "" })).toEqual(['helpers/a.ts: room "helpers" has no floor']);
});

test("a module that outgrows its room is found", () => {
  expect(faults({ "base/a.ts": "\n".repeat(398) + "x" })).toEqual([]);
  expect(faults({ "base/a.ts": "\n".repeat(399) + "x" })).toEqual([
    "base/a.ts: 401 lines, at most 400",
  ]);
});

test("an import without its extension and an index.ts are found", () => {
  expect(
    faults({ "base/a.ts": 'import "./b";', "base/index.ts": "", "base/git-index.ts": "" }),
  ).toEqual([
    "base/index.ts: no index.ts, import the file with the name",
    "base/a.ts: imports base/b without its extension",
  ]);
});

test("a module that does not say what it is for is found", () => {
  expect(faultsOf(new Map([["base/a.ts", "export const a = 1;\n"]]))).toEqual([
    "base/a.ts: the first line must say what it is for",
  ]);
});

test("declaration files are left out", async () => {
  using tree = tempTree({ "assets.d.ts": "declare const a: string;", "base/a.ts": HEADER });
  expect(await readModules(tree.root)).toEqual(new Map([["base/a.ts", HEADER]]));
});

test("run on a folder with a fault, the script names it and fails", () => {
  using tree = tempTree({ "base/a.ts": 'import "../cli/b.ts";\n' });
  const script = join(import.meta.dir, "../../scripts/floors.ts");
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, script, tree.root]);
  expect({ exitCode, stdout: stdout.toString(), stderr: stderr.toString() }).toEqual({
    exitCode: 1,
    stdout: "1 modules, 2 faults\n",
    stderr: [
      "base/a.ts: the first line must say what it is for",
      "base/a.ts: imports cli/b.ts, which is above it",
      "",
    ].join("\n"),
  });
});
