// What models really send: a call whose meaning is certain runs, every other one is told what to send instead.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { toolNamed } from "../../src/tools/registry.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { textOf, toolKit } from "../support/tool-kit.ts";

const FILES = {
  "src/a.ts": "one\ntwo\nthree\nfour\n",
  "src/b.ts": "alpha\nbeta a+b\n",
  "src/other.md": "alpha in prose\n",
};

/** The text the model gets, after the file that it changes was read. */
async function answer(tree: TempTree, tool: string, input: unknown): Promise<string> {
  await using kit = toolKit(tree.root);
  const read = toolNamed("read");
  const named = toolNamed(tool);
  if (read === null || named === null) return `there is no tool ${tool}`;
  // What was given once is given again only when asked for twice: the calls below are the first of their context.
  await textOf(read, { files: ["src/a.ts", "src/b.ts"] }, kit);
  kit.seen.forgetShown();
  const placed: unknown = JSON.parse(
    JSON.stringify(input).replaceAll("ROOT", JSON.stringify(tree.root).slice(1, -1)),
  );
  return textOf(named, placed, kit);
}

describe("read as meant", () => {
  test.each<[what: string, tool: string, input: unknown, shown: string]>([
    ["file_path for path", "read", { file_path: "src/a.ts" }, "1\tone"],
    ["filePath for path", "Read", { filePath: "src/a.ts" }, "1\tone"],
    ["the tool's other name", "read_file", { target_file: "src/a.ts" }, "1\tone"],
    ["a prefix before the tool's name", "functions.read", { path: "src/a.ts" }, "1\tone"],
    ["a hyphen in the tool's name", "read-file", { path: "src/a.ts" }, "1\tone"],
    ["numbers as text", "read", { path: "src/a.ts", offset: "2", limit: "1" }, "2\ttwo"],
    ["null for what is left out", "read", { path: "src/a.ts", limit: null }, "4\tfour"],
    ["a list of one path for a path", "read", { path: ["src/a.ts"] }, "1\tone"],
    ["paths for files", "read", { paths: ["src/a.ts", "src/b.ts"] }, "1\talpha"],
    ["a list as JSON text", "read", { files: '["src/a.ts","src/b.ts"]' }, "1\talpha"],
    ["the arguments as JSON text", "read", '{"path":"src/a.ts"}', "1\tone"],
    ["several paths in one text", "read", { path: "src/a.ts src/b.ts" }, "1\talpha"],
    [
      "a first and a last line",
      "read",
      { path: "src/a.ts", start_line: 2, end_line: 3 },
      "3\tthree",
    ],
    ["a range of lines", "view", { path: "src/a.ts", view_range: [2, 3] }, "2\ttwo"],
    ["a range to the end", "view", { path: "src/a.ts", view_range: [3, -1] }, "4\tfour"],
    ["a range in a list", "read", { files: [{ path: "src/a.ts", start: 4, end: 4 }] }, "4\tfour"],
    ["an absolute path", "read", { path: "ROOT/src/a.ts" }, "1\tone"],
    ["a file URL", "read", { path: "file://ROOT/src/a.ts" }, "1\tone"],
    ["separators of Windows", "read", { path: "src\\a.ts" }, "1\tone"],
    ["a path in backticks", "read", { path: "`src/a.ts`" }, "1\tone"],
    ["a path as a mention", "read", { path: "@src/a.ts" }, "1\tone"],
    ["a path with a line break", "read", { path: "src/a.ts\n" }, "1\tone"],
    ["a dot before the path", "read", { path: "./src/../src/a.ts" }, "1\tone"],
    ["an explanation beside", "read", { path: "src/a.ts", explanation: "to see it" }, "1\tone"],
    ["a folder", "read", { path: "src" }, "a.ts"],
    ["directory for path", "list_dir", { directory: "src" }, "b.ts"],
    ["no arguments for a list of the folder", "ls", {}, "src/"],
    ["an empty path", "ls", { path: "" }, "src/"],
    ["query for pattern", "grep", { query: "beta" }, "src/b.ts:2"],
    ["a number for a text", "grep", { pattern: 404 }, "404"],
    ["include for glob", "grep", { pattern: "alpha", include: "*.ts" }, "src/b.ts:1"],
    ["one glob for a list", "grep", { pattern: "alpha", glob: "*.ts" }, "src/b.ts:1"],
    ["a flag of grep", "grep", { pattern: "BETA", "-i": true }, "src/b.ts:2"],
    ["true as text", "grep", { pattern: "BETA", ignoreCase: "true" }, "src/b.ts:2"],
    ["one path for paths", "grep", { pattern: "beta", paths: "src" }, "src/b.ts:2"],
    ["a list for path", "grep", { pattern: "beta", path: ["src", "src/b.ts"] }, "src/b.ts:2"],
    ["a regex for pattern", "grep", { regex: "be.a" }, "src/b.ts:2"],
    ["what to print", "grep", { pattern: "beta", output_mode: "files_with_matches" }, "src/b.ts"],
    ["name for pattern", "find_files", { name: "b.ts" }, "src/b.ts"],
    ["the type as find says it", "find", { pattern: "src", type: "d" }, "src/"],
    ["the type in a longer word", "find", { pattern: "a.ts", type: "files" }, "src/a.ts"],
    ["cmd for command", "shell", { cmd: "echo hi" }, "hi"],
    ["words for a command", "shell", { command: ["bash", "-lc", "echo 'a b'"] }, "a b"],
    [
      "words with spaces for a command",
      "bash",
      { command: ["printf", "%s|", "a b", "c"] },
      "a b|c|",
    ],
    ["workdir for cwd", "bash", { command: "ls", workdir: "src" }, "b.ts"],
    ["a timeout in milliseconds", "bash", { command: "echo hi", timeout: 120_000 }, "hi"],
  ])("%s", async (_, tool, input, shown) => {
    using tree = tempTree(FILES);
    expect(await answer(tree, tool, input)).toContain(shown);
  });
});

describe("changed as meant", () => {
  test.each<[what: string, tool: string, input: unknown, file: [name: string, content: string]]>([
    [
      "one replacement beside the path",
      "str_replace",
      { file_path: "src/a.ts", old_string: "two", new_string: "2" },
      ["src/a.ts", "one\n2\nthree\nfour\n"],
    ],
    [
      "another name for the path beside the texts",
      "edit",
      { target_file: "src/a.ts", old_string: "two", new_string: "2" },
      ["src/a.ts", "one\n2\nthree\nfour\n"],
    ],
    [
      "replace_all",
      "edit",
      { path: "src/a.ts", old_str: "o", new_str: "0", replace_all: "true" },
      ["src/a.ts", "0ne\ntw0\nthree\nf0ur\n"],
    ],
    [
      "edits as JSON text",
      "edit",
      { path: "src/a.ts", edits: '[{"oldText":"two","newText":"2"}]' },
      ["src/a.ts", "one\n2\nthree\nfour\n"],
    ],
    [
      "another name for the edits",
      "edit",
      { path: "src/a.ts", replacements: [{ oldText: "two", newText: "2" }] },
      ["src/a.ts", "one\n2\nthree\nfour\n"],
    ],
    [
      "one edit for a list",
      "edit",
      { path: "src/a.ts", edits: { search: "two", replace: "2" } },
      ["src/a.ts", "one\n2\nthree\nfour\n"],
    ],
    [
      "line numbers pasted from read",
      "edit",
      { path: "src/a.ts", edits: [{ oldText: "2\ttwo\n3\tthree", newText: "2\t2\n3\t3" }] },
      ["src/a.ts", "one\n2\n3\nfour\n"],
    ],
    [
      "separators of Windows",
      "edit",
      { path: "src\\a.ts", edits: [{ oldText: "two", newText: "" }] },
      ["src/a.ts", "one\n\nthree\nfour\n"],
    ],
    [
      "contents for content",
      "write_file",
      { file: "src/c.ts", contents: "c\n" },
      ["src/c.ts", "c\n"],
    ],
    ["a new file in a folder", "write", { path: "src\\c.ts", content: "c\n" }, ["src/c.ts", "c\n"]],
    ["a new file in quotes", "write", { path: '"c.ts"', content: "c\n" }, ["c.ts", "c\n"]],
  ])("%s", async (_, tool, input, [file, content]) => {
    using tree = tempTree(FILES);
    await answer(tree, tool, input);
    expect(existsSync(tree.path(file)) ? readFileSync(tree.path(file), "utf8") : "").toBe(content);
  });
});

describe("told what to send instead", () => {
  test.each<[what: string, tool: string, input: unknown, told: string[]]>([
    ["no path", "read", {}, ["path is missing", "Nothing was done"]],
    [
      "an argument that is no one's",
      "read",
      { path: "src/a.ts", encoding: "utf8" },
      ["encoding", "path"],
    ],
    ["a mistyped argument", "grep", { patern: "x" }, ["did you mean pattern?"]],
    ["a path of the near name", "read", { path: "src/aa.ts" }, ["src/a.ts"]],
    ["a path with a line number", "read", { path: "src/a.ts:3" }, ["src/a.ts", "offset"]],
    ["a list of too many", "read", { files: Array.from({ length: 9 }, () => "src/a.ts") }, ["8"]],
    [
      "a range that is none",
      "view",
      { path: "src/a.ts", view_range: "all" },
      ["view_range", "offset"],
    ],
    ["no edits", "edit", { path: "src/a.ts", edits: [] }, ["1 or more"]],
    [
      "an edit without its new text",
      "edit",
      { path: "src/a.ts", edits: [{ oldText: "two" }] },
      ["newText is missing"],
    ],
    [
      "an edit of nothing",
      "edit",
      { path: "src/a.ts", edits: [{ oldText: "", newText: "x" }] },
      ["empty", "Nothing was changed"],
    ],
    [
      "an edit that changes nothing",
      "edit",
      { path: "src/a.ts", edits: [{ oldText: "two", newText: "two" }] },
      ["same", "Nothing was changed"],
    ],
    [
      "a quote that is not there",
      "edit",
      { path: "src/a.ts", edits: [{ oldText: "twwo", newText: "2" }] },
      ["Nothing was changed"],
    ],
    [
      "a quote that is there twice",
      "edit",
      { path: "src/a.ts", edits: [{ oldText: "o", newText: "0" }] },
      ["all", "Nothing was changed"],
    ],
    [
      "an edit of a file that is not there",
      "edit",
      { path: "src/z.ts", edits: [{ oldText: "a", newText: "b" }] },
      ["write"],
    ],
    [
      "an object for the content",
      "write",
      { path: "c.json", content: { a: 1 } },
      ["content must be"],
    ],
    ["no content", "write", { path: "c.ts" }, ["content is missing"]],
    ["a folder for a file", "write", { path: "src", content: "x" }, ["folder"]],
    ["a file that was not read", "write", { path: "src/other.md", content: "x" }, ["read"]],
    ["a regex that was meant literally", "grep", { pattern: "a(", regex: true }, ["a("]],
    ["a literal that looks like a regex", "grep", { pattern: "be.*a" }, ["regex"]],
    ["a path that is not there", "grep", { pattern: "x", path: "scr" }, ["src"]],
    ["a pattern that is missing", "find", {}, ["pattern is missing"]],
    ["a type that is none", "find", { pattern: "x", type: "socket" }, ["file, dir"]],
    ["an empty command", "bash", { command: " " }, ["command is empty"]],
    [
      "a timeout that is no number",
      "bash",
      { command: "ls", timeout: "soon" },
      ["timeout must be"],
    ],
    ["a folder that is not there", "bash", { command: "ls", cwd: "gone" }, ["gone"]],
    ["a tool that does not exist", "browser", {}, ["there is no tool browser"]],
  ])("%s", async (_, tool, input, told) => {
    using tree = tempTree(FILES);
    const text = await answer(tree, tool, input);
    for (const part of told) expect(text).toContain(part);
    expect(readFileSync(tree.path("src/a.ts"), "utf8")).toBe(FILES["src/a.ts"]);
  });
});
