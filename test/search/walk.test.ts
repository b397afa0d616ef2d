// Walking trees: what is listed, passed over and reported.
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { globsOf } from "../../src/search/glob-list.ts";
import { walk, type Found } from "../../src/search/walk.ts";
import { collect } from "../support/collect.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { GIT_SCOPE, SEARCH_SCOPE, walked, writeBytes } from "./git-tree.ts";

const REPOSITORY = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/": "", ".git/refs/": "" };

test("files come in the order of their paths, hidden ones too, .git never", async () => {
  using tree = tempTree({
    ...REPOSITORY,
    "b.txt": "",
    "b/z": "",
    "b/.a": "",
    ".hidden/x": "",
    a: "",
  });
  expect(await walked(tree.root, SEARCH_SCOPE)).toEqual([".hidden/x", "a", "b/.a", "b/z", "b.txt"]);
});

test("links are named and not followed, so that no circle is possible", async () => {
  using tree = tempTree({ "real/a": "" });
  symlinkSync("..", tree.path("real/up"));
  symlinkSync("real", tree.path("link"));
  const batches = await collect(walk(tree.root, SEARCH_SCOPE, new AbortController().signal));
  expect(batches.flat()).toEqual([
    { kind: "link", path: "link" },
    { kind: "folder", path: "real" },
    { kind: "file", path: "real/a" },
    { kind: "link", path: "real/up" },
  ]);
});

test("names with line breaks and bytes that are not UTF-8 come out as they are", async () => {
  using tree = tempTree({ "a\nb": "", ".gitignore": "*.log\n", ...REPOSITORY });
  mkdirSync(Buffer.from(`${tree.root}/\xff`, "latin1"));
  writeBytes(`${tree.root}/\xff/\xe9.txt`, "");
  writeBytes(`${tree.root}/\xff/\xe9.log`, "");
  expect(await walked(tree.root, SEARCH_SCOPE)).toEqual([".gitignore", "a\nb", "\xff/\xe9.txt"]);
});

test("outside a repository .gitignore means nothing, .ignore does in a search", async () => {
  using tree = tempTree({ ".gitignore": "a\n", ".ignore": "b\n", a: "", b: "" });
  expect(await walked(tree.root, SEARCH_SCOPE)).toEqual([".gitignore", ".ignore", "a"]);
  expect(await walked(tree.root, GIT_SCOPE)).toEqual([".gitignore", ".ignore", "a", "b"]);
});

test(".ignore decides before .gitignore, from the folders above as well", async () => {
  using tree = tempTree({
    ...REPOSITORY,
    ".gitignore": "a\nb\n",
    ".ignore": "!a\nsub/c\n",
    "sub/.gitignore": "d\n",
    "sub/a": "",
    "sub/b": "",
    "sub/c": "",
    "sub/d": "",
  });
  expect(await walked(tree.path("sub"), SEARCH_SCOPE)).toEqual([".gitignore", "a"]);
});

test("a root that is ignored is walked when asked for, else not", async () => {
  using tree = tempTree({
    ...REPOSITORY,
    ".gitignore": "out/\n*.log\n",
    "out/a.log": "",
    "out/b": "",
  });
  expect(await walked(tree.path("out"), SEARCH_SCOPE)).toEqual(["a.log", "b"]);
  expect(await walked(tree.path("out"), { ...GIT_SCOPE, evenIgnored: true })).toEqual([
    "a.log",
    "b",
  ]);
  expect(await walked(tree.path("out"), GIT_SCOPE)).toEqual([]);
});

test("a repository inside another: git names it, a search goes in by its own rules alone", async () => {
  using tree = tempTree({
    ...REPOSITORY,
    ".gitignore": "*.log\n",
    "in/a.log": "",
    "in/b": "",
    ...below("in"),
  });
  expect(await walked(tree.root, GIT_SCOPE)).toEqual([".gitignore", "in/"]);
  expect(await walked(tree.root, SEARCH_SCOPE)).toEqual([".gitignore", "in/a.log", "in/b"]);
});

function below(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(REPOSITORY).map(([name, text]) => [`${folder}/${name}`, text]),
  );
}

test("skipped folders are left out and said, at any depth", async () => {
  using tree = tempTree({ "node_modules/p/i.js": "", "pkg/node_modules/x": "", "src/a": "" });
  const options = { ...SEARCH_SCOPE, skip: new Set(["node_modules"]) };
  const found = (await collect(walk(tree.root, options, new AbortController().signal))).flat();
  expect(found.filter(({ kind }) => kind !== "folder")).toEqual([
    { kind: "skipped", path: "node_modules" },
    { kind: "skipped", path: "pkg/node_modules" },
    { kind: "file", path: "src/a" },
  ]);
});

test("globs decide before the rules: the last that matches, files that match none are left out", async () => {
  using tree = tempTree({
    ...REPOSITORY,
    ".gitignore": "*.log\n",
    "a.ts": "",
    "b.log": "",
    "src/c.test.ts": "",
    "src/d.tsx": "",
  });
  const by = async (...globs: string[]): Promise<string[]> =>
    walked(tree.root, { ...SEARCH_SCOPE, globs: globsOf(globs, tree.root) });
  expect(await by("*.ts")).toEqual(["a.ts", "src/c.test.ts"]);
  expect(await by("*.{ts,tsx}", "!*.test.*")).toEqual(["a.ts", "src/d.tsx"]);
  expect(await by("!src")).toEqual([".gitignore", "a.ts"]);
  expect(await by("/src/**")).toEqual(["src/c.test.ts", "src/d.tsx"]);
  expect(await by("*.log")).toEqual(["b.log"]);
});

test("a folder nested too deeply is reported, not entered", async () => {
  using tree = tempTree();
  const deep = Array.from({ length: 300 }, () => "d").join("/");
  mkdirSync(tree.path(deep), { recursive: true });
  const found = (await collect(walk(tree.root, SEARCH_SCOPE, new AbortController().signal))).flat();
  expect([found.length, found.at(-1)?.kind]).toEqual([256, "too deep"]);
});

test("pipes are left out, and a missing root is said", async () => {
  using tree = tempTree({ a: "" });
  Bun.spawnSync(["mkfifo", tree.path("pipe")]);
  expect(await walked(tree.root, SEARCH_SCOPE)).toEqual(["a"]);
  const found = await collect(walk(tree.path("none"), SEARCH_SCOPE, new AbortController().signal));
  expect(found.flat()).toEqual([{ kind: "unreadable", path: "" }]);
});

test("an aborted walk ends without a further word", async () => {
  using tree = manyFiles();
  const stop = new AbortController();
  const found: Found[] = [];
  for await (const batch of walk(tree.root, SEARCH_SCOPE, stop.signal)) {
    found.push(...batch);
    stop.abort();
  }
  expect(found.length).toBeLessThan(600);
});

function manyFiles(): TempTree {
  return tempTree(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, ""])));
}
