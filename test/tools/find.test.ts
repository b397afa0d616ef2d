// The find tool as a model calls it: globs, parts of paths, limits, raw names.
import { expect, test } from "bun:test";
import { symlinkSync, utimesSync } from "node:fs";
import { findRaw, findTool } from "../../src/tools/find.ts";
import { collect } from "../support/collect.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

const REPOSITORY = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/": "", ".git/refs/": "" };

function project(): TempTree {
  return tempTree({
    ...REPOSITORY,
    ".gitignore": "dist/\n",
    "dist/walk.js": "",
    "src/search/walk.ts": "",
    "src/Walker.tsx": "",
    "test/walk.test.ts": "",
  });
}

async function find(tree: TempTree, input: object): Promise<string[]> {
  await using kit = toolKit(tree.root);
  return (await textOf(findTool, input, kit)).split("\n");
}

async function raw(tree: TempTree, input: object, unlimited = true): Promise<string[]> {
  const result = findRaw(input, {
    cwd: tree.root,
    signal: new AbortController().signal,
    unlimited,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return (await collect(result.value)).map((path) => Buffer.from(path).toString("latin1"));
}

test("a part of a path is found in any case, ignored files are left out", async () => {
  using tree = project();
  expect(await find(tree, { pattern: "WALK" })).toEqual([
    "src/Walker.tsx",
    "src/search/walk.ts",
    "test/walk.test.ts",
  ]);
});

test("a glob without a slash is for names, with one for paths below the folder searched", async () => {
  using tree = project();
  expect(await find(tree, { pattern: "*.ts" })).toEqual([
    "src/search/walk.ts",
    "test/walk.test.ts",
  ]);
  expect(await find(tree, { pattern: "src/*" })).toEqual(["src/Walker.tsx", "src/search/"]);
  expect(await find(tree, { pattern: "*/*.{ts,tsx}" })).toEqual([
    "src/Walker.tsx",
    "test/walk.test.ts",
  ]);
  expect(await find(tree, { pattern: "search/*", path: "src" })).toEqual(["src/search/walk.ts"]);
  expect(await find(tree, { pattern: `${tree.root}/src/**/*.ts` })).toEqual(["src/search/walk.ts"]);
  expect(await find(tree, { pattern: "./src/*.tsx" })).toEqual(["src/Walker.tsx"]);
});

test("folders and files can be asked for alone, links are files", async () => {
  using tree = project();
  symlinkSync("src", tree.path("walk-link"));
  expect(await find(tree, { pattern: "**", type: "dir" })).toEqual([
    "src/",
    "src/search/",
    "test/",
  ]);
  expect(await find(tree, { pattern: "walk-*", type: "file" })).toEqual(["walk-link"]);
});

test("the newest come first on request", async () => {
  using tree = tempTree({ a: "", b: "", c: "" });
  for (const [name, time] of [
    ["a", 20],
    ["b", 30],
    ["c", 10],
  ] as const)
    utimesSync(tree.path(name), time, time);
  expect(await find(tree, { pattern: "*", newest: true })).toEqual(["b", "a", "c"]);
});

test("a limit keeps the first in order and counts the others; models never get more than 500", async () => {
  using tree = tempTree(
    Object.fromEntries(Array.from({ length: 510 }, (_, at) => [`f${at + 100}`, ""])),
  );
  expect(await find(tree, { pattern: "f", limit: 2 })).toEqual([
    "f100",
    "f101",
    "[508 more; narrow the pattern or the path]",
  ]);
  for (const limit of [0, 9_999]) {
    expect((await find(tree, { pattern: "f", limit })).slice(499)).toEqual([
      "f599",
      "[10 more; narrow the pattern or the path]",
    ]);
  }
});

test("a folder of packages is skipped, said, and searched when named", async () => {
  using tree = tempTree({ "node_modules/p/x.js": "", "x.js": "" });
  expect(await find(tree, { pattern: "x.js" })).toEqual([
    "x.js",
    "[not looked into: node_modules; name one as path to see it]",
  ]);
  expect(await find(tree, { pattern: "x.js", path: "node_modules" })).toEqual([
    "node_modules/p/x.js",
  ]);
});

test("an ignored folder is searched when named", async () => {
  using tree = project();
  expect(await find(tree, { pattern: "walk", path: "dist" })).toEqual(["dist/walk.js"]);
});

test("a miss says what to try, a wrong path what is near", async () => {
  using tree = project();
  expect(await find(tree, { pattern: "nothing" })).toEqual([
    'No file has "nothing" in its path, in any case. Ignored files are left out; name their folder as path to see them.',
  ]);
  expect(await find(tree, { pattern: "a", path: "scr" })).toEqual([
    "there is no scr; did you mean src?; nothing was searched",
  ]);
  expect(await find(tree, { pattern: "a", path: ".gitignore" })).toEqual([
    "find: .gitignore is a file, not a folder. Nothing was done",
  ]);
  expect(await find(tree, { pattern: "" })).toEqual([
    "find: the pattern is empty; ** is everything. Nothing was done",
  ]);
});

test("a call declares what it reads and has a title of one line", async () => {
  using tree = project();
  const prepared = await findTool.prepare({ query: "a\nb", directory: "src" }, { cwd: tree.root });
  expect(prepared).toMatchObject({
    ok: true,
    value: { touches: [{ kind: "read", path: tree.path("src") }], title: 'find "a\\nb" in src' },
  });
});

test("raw paths are bytes without notices; with the limit lifted they are what git lists", async () => {
  using tree = tempTree({ ...REPOSITORY, ".ignore": "a\n", "a\nb": "", a: "", "vendor/x": "" });
  const all = [".ignore", "a", "a\nb", "vendor/x"];
  expect(await raw(tree, { pattern: "**", type: "file", limit: 0 })).toEqual(all);
  expect(await raw(tree, { pattern: "**", type: "file" })).toEqual([".ignore", "a\nb"]);
  expect(await raw(tree, { pattern: "**", type: "file", limit: 1 })).toEqual([".ignore"]);
});

test("names with line breaks or anything hidden are quoted for the model", async () => {
  using tree = tempTree({ "a\nb": "", "c\u202ed": "", "e\u2028f": "", "g\u009bh": "", "ok é": "" });
  expect(await find(tree, { pattern: "*" })).toEqual([
    String.raw`"a\nb"`,
    String.raw`"c\u202ed"`,
    String.raw`"e\u2028f"`,
    String.raw`"g\u009bh"`,
    "ok é",
  ]);
});

test("an aborted call says so", async () => {
  using tree = project();
  await using kit = toolKit(tree.root, { signal: AbortSignal.abort() });
  expect(await call(findTool, { pattern: "a" }, kit)).toBe("stopped before it finished");
});
