// What lies in trees besides text files: pipes, sockets, circles, holes of gigabytes, lines without end, closed folders.
import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { toBytes, type Bytes } from "../../src/search/bytes.ts";
import { grep, type GrepEvent, type Problem } from "../../src/search/grep.ts";
import { judge } from "../../src/search/judge.ts";
import { matcherOf } from "../../src/search/match.ts";
import { searchPool } from "../../src/search/pool.ts";
import { SKIPPED } from "../../src/tools/search-roots.ts";
import { collect } from "../support/collect.ts";
import { tempTree } from "../support/temp-tree.ts";

const NEVER = new AbortController().signal;

async function search(root: Bytes, pattern: string): Promise<GrepEvent[]> {
  const matcher = matcherOf({ pattern, regex: true, ignoreCase: false, multiline: false });
  if (!matcher.ok) throw new Error("no pattern");
  const request = {
    roots: [{ path: root, shown: "", kind: "folder" }] as const,
    matcher: matcher.value,
    wanted: () => ({ what: "lines", perFile: 20, context: 0, lineCap: 100 }) as const,
    globs: [],
    cwd: root,
    skip: SKIPPED,
    isPrivate: () => false,
    pool: searchPool,
  };
  return collect(grep(request, NEVER));
}

/** `path:line` of each hit, and how the search ended. */
async function hits(root: Bytes, pattern: string): Promise<[string[], GrepEvent | undefined]> {
  const events = await search(root, pattern);
  const rows = events.flatMap((event) =>
    event.type === "file" ? event.result.lines.map(({ number }) => `${event.path}:${number}`) : [],
  );
  return [rows, events.at(-1)];
}

const CLEAN: Extract<GrepEvent, { type: "end" }> = {
  type: "end",
  searched: 0,
  binary: 0,
  skipped: [],
  secret: [],
  problems: [],
};

test("pipes, sockets, circles and links into nowhere are passed by", async () => {
  using tree = tempTree({ "a/text": "x\n" });
  expect(Bun.spawnSync(["mkfifo", tree.path("fifo")]).exitCode).toBe(0);
  const server = Bun.listen({ unix: tree.path("socket"), socket: { data: () => undefined } });
  symlinkSync(".", tree.path("a/circle"));
  symlinkSync("itself", tree.path("itself"));
  symlinkSync("/nowhere", tree.path("nowhere"));
  const found = await hits(toBytes(tree.root), "x");
  server.stop();
  expect(found).toEqual([["a/text:1"], { ...CLEAN, searched: 1 }]);
});

test("a hole of two gigabytes is a binary file, and what stands before it is found", async () => {
  using tree = tempTree({ hole: "", text: `${"filler\n".repeat(20_000)}x\n` });
  truncateSync(tree.path("hole"), 2 ** 31);
  truncateSync(tree.path("text"), 2 ** 31);
  const [rows, end] = await hits(toBytes(tree.root), "x");
  expect([rows, end]).toEqual([["text:20001"], { ...CLEAN, searched: 2, binary: 2 }]);
});

test("in a line of a hundred megabytes the match at its end is found and cut out", async () => {
  using tree = tempTree({ f: "first\n" });
  appendFileSync(tree.path("f"), Buffer.alloc(100_000_000, "b"));
  appendFileSync(tree.path("f"), "needle\nlast needle\n");
  const [rows] = await hits(toBytes(tree.root), "need\\w+");
  expect(rows).toEqual(["f:2", "f:3"]);
}, 30_000);

test("a folder nested too deeply is named, and its neighbours are searched", async () => {
  using tree = tempTree({ "z/text": "x\n" });
  const deep = `${tree.root}/${"d/".repeat(300)}`;
  mkdirSync(deep, { recursive: true });
  writeFileSync(`${deep}text`, "x\n");
  const problem: Problem = { path: "d/".repeat(256).slice(0, -1), what: "too deep" };
  const end = { ...CLEAN, searched: 1, problems: [problem] };
  expect(await hits(toBytes(tree.root), "x")).toEqual([["z/text:1"], end]);
});

test("at the very top what the kernel makes up is left out, elsewhere such names are like others", () => {
  const verdict = (folder: Bytes, name: Bytes): string =>
    judge({ folder, level: null, isIgnored: false }, name, true, { globs: null, skip: SKIPPED });
  expect([verdict("/", "proc"), verdict("/", "home"), verdict("/home", "proc")]).toEqual([
    "skip",
    "take",
    "take",
  ]);
});
