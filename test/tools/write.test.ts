// The write tool: new files, and replaced ones in the style they had.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readTool } from "../../src/tools/read.ts";
import { writeTool } from "../../src/tools/write.ts";
import type { Keep } from "../../src/tools/tool.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

/** What is on disk after a file with the old content was read and written anew. */
async function replaced(old: string | Uint8Array, content: string): Promise<Buffer> {
  using tree = tempTree({ x: old });
  await using kit = toolKit(tree.root);
  await call(readTool, { path: "x" }, kit);
  await call(writeTool, { path: "x", content }, kit);
  return readFileSync(tree.path("x"));
}

describe("write", () => {
  test("creates a file with its folders", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    expect(await call(writeTool, { path: "a/b/x.txt", content: "one\ntwo\n" }, kit)).toEqual({
      parts: [{ type: "text", text: "created a/b/x.txt (2 lines, 8 bytes)" }],
      isError: false,
      summary: "+2 -0",
      diff: "--- /dev/null\n+++ b/a/b/x.txt\n@@ -0,0 +1,2 @@\n+one\n+two",
    });
    expect(readFileSync(tree.path("a/b/x.txt"), "utf8")).toBe("one\ntwo\n");
  });

  test("shows the diff of what it replaces", async () => {
    using tree = tempTree({ x: "one\ntwo\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    expect(await textOf(writeTool, { path: "x", content: "one\n2\n" }, kit)).toBe(
      "replaced x (2 lines, 6 bytes)\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2",
    );
  });

  test("refuses to replace what was not read, or was changed since", async () => {
    using tree = tempTree({ x: "old" });
    await using kit = toolKit(tree.root);
    const input = { path: "x", content: "new" };
    expect(await textOf(writeTool, input, kit)).toBe(
      `${tree.path("x")} was not read in this session: read it first. Nothing was changed`,
    );
    await call(readTool, { path: "x" }, kit);
    writeFileSync(tree.path("x"), "newer");
    expect(await textOf(writeTool, input, kit)).toBe(
      `${tree.path("x")} has changed since it was read: read it again. Nothing was changed`,
    );
    expect(readFileSync(tree.path("x"), "utf8")).toBe("newer");
  });

  test("keeps that there was no file, and then what it held", async () => {
    using tree = tempTree();
    const kept: (string | null)[] = [];
    const keep: Keep = (_, before) => {
      kept.push(before === null ? null : String(before));
      return { checkpoint: `c${kept.length}`, remark: null };
    };
    await using kit = toolKit(tree.root, { keeper: () => Promise.resolve(keep) });
    for (const content of ["one", "two"])
      expect(await call(writeTool, { path: "x", content }, kit)).toMatchObject({
        checkpoint: content === "one" ? "c1" : "c2",
      });
    expect(kept).toEqual([null, "one"]);
  });

  test("may write its own file again", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    await call(writeTool, { path: "x", content: "one" }, kit);
    await call(writeTool, { path: "x", content: "two" }, kit);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("two");
  });

  test("says that nothing changed", async () => {
    using tree = tempTree({ x: "same\r\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    expect(await textOf(writeTool, { path: "x", content: "same\n" }, kit)).toBe(
      "x already holds exactly this; nothing was changed",
    );
  });

  test.each([
    ["line ends", "a\r\nb\r\n", "x\ny\n", "x\r\ny\r\n"],
    ["line ends that were given", "a\r\nb\r\n", "x\r\ny\n", "x\r\ny\n"],
    ["the more frequent line end", "a\r\nb\nc\n", "x\ny\n", "x\ny\n"],
    ["the byte order mark", "\ufeffa", "x", "\ufeffx"],
    ["no second byte order mark", "\ufeffa", "\ufeffx", "\ufeffx"],
  ])("keeps %s", async (_, old, content, wanted) => {
    expect((await replaced(old, content)).toString()).toBe(wanted);
  });

  test("keeps the encoding where it can, and says where it cannot", async () => {
    const wide = await replaced(Buffer.from("\ufeffa\r\n", "utf16le"), "ü€\n");
    expect(wide.toString("utf16le")).toBe("\ufeffü€\r\n");
    expect((await replaced(Buffer.from("größe", "latin1"), "Maß")).toString("latin1")).toBe("Maß");
    using tree = tempTree({ x: Buffer.from("größe", "latin1") });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    const text = await textOf(writeTool, { path: "x", content: "10 €" }, kit);
    expect(text).toStartWith("replaced x (1 line, 6 bytes, now UTF-8 instead of Latin-1)");
  });

  test("refuses folders, pipes and half characters", async () => {
    using tree = tempTree({ "folder/": "" });
    await using kit = toolKit(tree.root);
    Bun.spawnSync(["mkfifo", tree.path("pipe")]);
    expect([
      await textOf(writeTool, { path: "folder", content: "" }, kit),
      await textOf(writeTool, { path: "pipe", content: "" }, kit),
      await textOf(writeTool, { path: "x", content: "\ud83d" }, kit),
    ]).toEqual([
      `${tree.path("folder")} is a folder: it cannot be written. Nothing was changed`,
      `${tree.path("pipe")} is a pipe: it cannot be written. Nothing was changed`,
      "write: content holds half of a character (a lone surrogate). Nothing was done",
    ]);
    expect(existsSync(tree.path("x"))).toBe(false);
  });

  test("declares the path as it was named, and where it leads, and asks with the real content", async () => {
    using tree = tempTree({ real: "old\n" });
    symlinkSync("real", tree.path("link"));
    const prepared = await writeTool.prepare(
      { path: "./link", content: "new\n" },
      { cwd: tree.root },
    );
    if (!prepared.ok) throw new Error("not prepared");
    expect(prepared.value.touches).toEqual([
      { kind: "write", path: tree.path("link") },
      { kind: "write", path: tree.path("real") },
    ]);
    const shown = await prepared.value.preview?.({ seen: null, editing: "fuzzy" });
    expect(shown?.ok && shown.value).toContain("-old\n+new");
  });

  test("writes names with spaces, quotes, newlines and dashes, and shows them on one line", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const name = "-a 'b' \"c\"\nd.txt";
    const prepared = await writeTool.prepare({ path: name, content: "x" }, { cwd: tree.root });
    expect(prepared.ok && prepared.value.title).toBe(`write ${JSON.stringify(name)}`);
    await call(writeTool, { path: name, content: "x" }, kit);
    expect(readFileSync(tree.path(name), "utf8")).toBe("x");
  });
});
