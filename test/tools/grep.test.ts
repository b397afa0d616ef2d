// The grep tool as a model calls it: hits, limits, what is left out, raw lines.
import { expect, test } from "bun:test";
import { appendFileSync, symlinkSync, truncateSync } from "node:fs";
import { findTool } from "../../src/tools/find.ts";
import { grepRaw, grepTool, grepWithin } from "../../src/tools/grep.ts";
import { collect } from "../support/collect.ts";
import { random } from "../support/random.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

const REPOSITORY = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/": "", ".git/refs/": "" };

async function grep(tree: TempTree, input: object): Promise<string[]> {
  await using kit = toolKit(tree.root);
  return (await textOf(grepTool, input, kit)).split("\n");
}

async function raw(tree: TempTree, input: object): Promise<string[]> {
  const { signal } = new AbortController();
  const kit = { cwd: tree.root, signal, unlimited: true, mayRead: () => true };
  const result = grepRaw(input, kit);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return (await collect(result.value)).map((row) => Buffer.from(row).toString("latin1"));
}

test("the pattern is plain text unless it is said to be a regex", async () => {
  using tree = tempTree({ f: "a.b\naxb\n" });
  expect(await grep(tree, { pattern: "a.b" })).toEqual(["f:1:a.b"]);
  expect(await grep(tree, { pattern: "a.b", regex: true })).toEqual(["f:1:a.b", "f:2:axb"]);
  expect(await grep(tree, { pattern: "A.B", ignoreCase: true })).toEqual(["f:1:a.b"]);
});

test("what is left out of a line of a hundred megabytes is counted over all of it", async () => {
  using tree = tempTree({ f: "first\n" });
  appendFileSync(tree.path("f"), Buffer.alloc(100_000_000, "b"));
  appendFileSync(tree.path("f"), "needle");
  appendFileSync(tree.path("f"), Buffer.alloc(50_000_000, "c"));
  appendFileSync(tree.path("f"), "\nlast needle\nend\n");
  const shape = (rows: string[]): string[] =>
    rows.map((row) => row.replaceAll(/b{9,}|c{9,}/g, (run) => `${run.slice(0, 1)}*${run.length}`));
  const [first = "", ...rest] = shape(await grep(tree, { pattern: "needle", context: 1 }));
  const [, before, b, c, after] =
    /^f:2:\[(\d+) bytes…\]b\*(\d+)needlec\*(\d+)\[…(\d+) bytes\]$/.exec(first) ?? [];
  expect([Number(before) + Number(b), Number(c) + Number(after), rest]).toEqual([
    100_000_000,
    50_000_000,
    ["f:3:last needle", "f-4-end"],
  ]);
}, 30_000);

test("a search is ended when it takes too long, and what was not searched is told", async () => {
  using tree = tempTree({ "a/f": "needle\n", hole: "" });
  truncateSync(tree.path("hole"), 2 ** 40);
  await using kit = toolKit(tree.root);
  const input = { pattern: "needle", paths: ["a", "hole"] };
  expect((await textOf(grepWithin(300), input, kit)).split("\n")).toEqual([
    "a/f:1:needle",
    "[ended after 300 ms: what was not reached by then was not searched; narrow path or glob]",
    "[not searched to the end: hole]",
  ]);
  expect(await textOf(grepWithin(300), { pattern: "needle", path: "hole" }, kit)).toStartWith(
    'No match so far for "needle" in 1 file.\n[ended after 300 ms',
  );
});

test("a link that leads nowhere is told as what it is", async () => {
  using tree = tempTree({ loop3: "x\n" });
  symlinkSync("loop2", tree.path("loop1"));
  symlinkSync("loop1", tree.path("loop2"));
  symlinkSync("nowhere", tree.path("link"));
  expect([
    await grep(tree, { pattern: "x", path: "loop1" }),
    await grep(tree, { pattern: "x", path: "link" }),
  ]).toEqual([
    ["loop1 leads through a circle of links; nothing was searched"],
    ["link is a link to nowhere, which does not exist; nothing was searched"],
  ]);
});

test("paths, files and globs narrow the search", async () => {
  using tree = tempTree({ "a/f.ts": "x\n", "b/g.ts": "x\n", "b/h.md": "x\n", "c/i.ts": "x\n" });
  expect(await grep(tree, { pattern: "x", paths: ["b", "a/f.ts"] })).toEqual([
    "b/g.ts:1:x",
    "b/h.md:1:x",
    "a/f.ts:1:x",
  ]);
  expect(await grep(tree, { pattern: "x", glob: ["*.ts", "!c"] })).toEqual([
    "a/f.ts:1:x",
    "b/g.ts:1:x",
  ]);
  expect(await grep(tree, { pattern: "x", path: "b", glob: "*.md" })).toEqual(["b/h.md:1:x"]);
});

test("context lines have dashes, groups are apart, at most five lines each side", async () => {
  using tree = tempTree({
    f: Array.from({ length: 30 }, (_, at) => (at % 20 === 9 ? "x" : `${at + 1}`)).join("\n"),
  });
  expect(await grep(tree, { pattern: "x", context: 1 })).toEqual([
    "f-9-9",
    "f:10:x",
    "f-11-11",
    "--",
    "f-29-29",
    "f:30:x",
  ]);
  expect(await grep(tree, { pattern: "x", context: 50 })).toHaveLength(11 + 1 + 6);
});

test("files alone, and counts", async () => {
  using tree = tempTree({ f: "x\nx\n", g: "x\n", h: "" });
  expect(await grep(tree, { pattern: "x", filesOnly: true })).toEqual(["f", "g"]);
  expect(await grep(tree, { pattern: "x", count: true })).toEqual(["f:2", "g:1"]);
});

test("at most 20 hits of a file and 100 in all are shown, the others counted", async () => {
  using tree = tempTree(
    Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`f${at}`, "x\n".repeat(25)])),
  );
  const lines = await grep(tree, { pattern: "x" });
  expect(lines.filter((line) => /^f\d:\d+:x$/.test(line))).toHaveLength(100);
  expect(lines.filter((line) => line.startsWith("["))).toEqual([
    ...["f0", "f1", "f2", "f3", "f4"].map((name) => `[${name}: 5 more]`),
    "[100 of 175 matches in 7 files shown; narrow the pattern, path or glob]",
  ]);
});

test("with any limit the hits shown are the first ones and the numbers add up", async () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const chance = random(seed);
    const files = Array.from({ length: 1 + chance.int(5) }, (_, at) => [
      `f${at}`,
      "x\n".repeat(chance.int(30)),
    ]);
    using tree = tempTree(Object.fromEntries(files));
    const all = await raw(tree, { pattern: "x" });
    const limit = 1 + chance.int(40);
    await using kit = toolKit(tree.root);
    const output = await call(grepTool, { pattern: "x", limit }, kit);
    if (typeof output === "string") throw new Error(output);
    const text = output.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    const shown = text.split("\n").filter((line) => /^f\d:/.test(line));
    const first = all.filter((line) => Number(line.split(":")[1]) <= 20).slice(0, limit);
    const left = all.length - first.length;
    expect({ seed, shown, left: output.truncated?.lines ?? 0, hits: output.summary }).toEqual({
      seed,
      shown: first,
      left,
      hits: `${all.length} hit${all.length === 1 ? "" : "s"}`,
    });
  }
});

test("a long line is cut around the match and says how much was cut", async () => {
  using tree = tempTree({ f: `${"a".repeat(2_000)}needle${"b".repeat(2_000)}` });
  const [line = ""] = await grep(tree, { pattern: "needle" });
  expect(line).toMatch(/^f:1:\[1875 bytes…\]a{125}needleb{369}\[…1631 bytes\]$/);
});

test("a match over several lines is shown whole, raw only by its first line", async () => {
  using tree = tempTree({ f: "a {\n  b\n}\nc\n" });
  const input = { pattern: "\\{[^}]*\\}", regex: true, multiline: true };
  expect(await grep(tree, input)).toEqual(["f:1:a {", "f:2:  b", "f:3:}"]);
  expect(await raw(tree, input)).toEqual(["f:1:a {"]);
  expect(await grep(tree, { pattern: "b\n}" })).toEqual(["f:2:  b", "f:3:}"]);
});

test("what is ignored, secret, binary or skipped is left out unless it is named", async () => {
  using tree = tempTree({
    ...REPOSITORY,
    ".gitignore": "out\n",
    ".env": "x=1\n",
    bin: "x\0\n",
    "out/f": "x\n",
    "vendor/g": "x\n",
    "src/.hidden": "x\n",
  });
  expect(await grep(tree, { pattern: "x" })).toEqual([
    "src/.hidden:1:x",
    "[not searched: vendor; name one as path to search it]",
    "[not searched, secret or denied: .env; name one as path to ask for it]",
  ]);
  expect(await grep(tree, { pattern: "x", paths: ["out", "vendor", ".env", "bin"] })).toEqual([
    "out/f:1:x",
    "vendor/g:1:x",
    ".env:1:x=1",
    "bin:1:x\ufffd",
  ]);
});

test("control characters do not come through, Latin-1 is shown as text", async () => {
  using tree = tempTree({ f: Buffer.from("x \x1b[31mred caf\xe9\r\n", "latin1") });
  expect(await grep(tree, { pattern: "x" })).toEqual(["f:1:x \ufffd[31mred café"]);
});

test("no match says how much was searched and what may be wrong", async () => {
  using tree = tempTree({ f: "foobar\n" });
  expect(await grep(tree, { pattern: "foo.*bar" })).toEqual([
    'No match for "foo.*bar" in 1 file. The pattern was taken as plain text: set regex: true if it is a regex.',
  ]);
  expect(await grep(tree, { pattern: "FooBar" })).toEqual([
    'No match for "FooBar" in 1 file. Case counted: ignoreCase: true finds more.',
  ]);
  expect(await grep(tree, { pattern: "foo", glob: ["*.ts"] })).toEqual([
    "No file that *.ts lets through to search. Ignored files are left out; name one as path to search it.",
  ]);
});

test("mistakes are named with the way out", async () => {
  using tree = tempTree({ "source/f": "" });
  expect(await grep(tree, { pattern: "(", regex: true })).toEqual([
    'grep: the regex "(" is not valid: unclosed (; write \\( for a parenthesis (character 1); without regex: true the pattern is plain text. Nothing was done',
  ]);
  expect(await grep(tree, { pattern: "x", path: "sorce" })).toEqual([
    "there is no sorce; did you mean source?; nothing was searched",
  ]);
  expect(await grep(tree, { pattern: "" })).toEqual([
    "grep: the pattern is empty; give the text to look for. Nothing was done",
  ]);
  expect(
    (await grep(tree, { pattern: "x", paths: Array.from({ length: 9 }, () => "source") }))[0],
  ).toContain("paths");
});

test("a call declares each root it reads", async () => {
  using tree = tempTree({ "a/": "", "b/": "" });
  const prepared = await grepTool.prepare({ pattern: "x", paths: ["a", "b"] }, { cwd: tree.root });
  expect(prepared).toMatchObject({
    ok: true,
    value: {
      touches: [
        { kind: "read", path: tree.path("a") },
        { kind: "read", path: tree.path("b") },
      ],
      title: "grep x a b",
    },
  });
});

test("raw hits are bytes, all of them, without notices", async () => {
  using tree = tempTree({
    f: Buffer.from("caf\xe9 x\r\n".repeat(150), "latin1"),
    "node_modules/g": "x\n",
  });
  const rows = await raw(tree, { pattern: "x", limit: 0 });
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([
    151,
    "f:1:caf\xe9 x\r",
    "node_modules/g:1:x",
  ]);
  expect(await raw(tree, { pattern: "x", limit: 2 })).toHaveLength(2);
});

test("an aborted call says so", async () => {
  using tree = tempTree({ f: "x\n" });
  await using kit = toolKit(tree.root, { signal: AbortSignal.abort() });
  expect(await call(grepTool, { pattern: "x" }, kit)).toBe("stopped before it finished");
});

test("the two search tools cost the model less than 250 tokens", () => {
  const texts = [findTool, grepTool].map(({ name, summary, parameters }) =>
    JSON.stringify({ name, summary, parameters }),
  );
  expect(texts.join("").length / 4).toBeLessThan(250);
});
