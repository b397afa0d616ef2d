// The edit tool on files: read first, written once, shown as it is on disk.
import { describe, expect, test } from "bun:test";
import { readFileSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { ok } from "../../src/base/failure.ts";
import { editTool } from "../../src/tools/edit.ts";
import { readTool } from "../../src/tools/read.ts";
import type { Keep } from "../../src/tools/tool.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, toolKit } from "../support/tool-kit.ts";

const ONE = { edits: [{ oldText: "two", newText: "2" }] };

describe("edit", () => {
  test("writes and shows the diff", async () => {
    using tree = tempTree({ x: "one\ntwo\nthree\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    expect(await call(editTool, { path: "x", ...ONE }, kit)).toEqual({
      parts: [
        {
          type: "text",
          text: "edited x (1 replacement)\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
        },
      ],
      isError: false,
      summary: "+1 -1",
      diff: "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
    });
    expect(readFileSync(tree.path("x"), "utf8")).toBe("one\n2\nthree\n");
  });

  test("needs the file to have been read", async () => {
    using tree = tempTree({ x: "two\n" });
    await using kit = toolKit(tree.root);
    expect(await call(editTool, { path: "x", ...ONE }, kit)).toBe(
      `${tree.path("x")} was not read in this session: read it first. Nothing was changed`,
    );
    expect(readFileSync(tree.path("x"), "utf8")).toBe("two\n");
  });

  test("needs the file to be as it was read", async () => {
    using tree = tempTree({ x: "two\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    writeFileSync(tree.path("x"), "two, by somebody else\n");
    expect(await call(editTool, { path: "x", ...ONE }, kit)).toBe(
      `${tree.path("x")} has changed since it was read: read it again. Nothing was changed`,
    );
  });

  test("does not mind a new time of the same content", async () => {
    using tree = tempTree({ x: "two\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    utimesSync(tree.path("x"), 1, 1);
    await call(editTool, { path: "x", ...ONE }, kit);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("2\n");
  });

  test("counts an own edit as read", async () => {
    using tree = tempTree({ x: "two\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    await call(editTool, { path: "x", ...ONE }, kit);
    await call(editTool, { path: "x", edits: [{ oldText: "2", newText: "zwei" }] }, kit);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("zwei\n");
  });

  test("takes a file read under one name for the same under another", async () => {
    using tree = tempTree({ x: "two\n" });
    symlinkSync("x", tree.path("link"));
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "link" }, kit);
    await call(editTool, { path: "x", ...ONE }, kit);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("2\n");
  });

  test("changes nothing on a dry run, and then touches only to read", async () => {
    using tree = tempTree({ x: "two\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    const prepared = await editTool.prepare(
      { path: "x", ...ONE, dryRun: true },
      { cwd: tree.root },
    );
    expect(prepared.ok && prepared.value.touches).toEqual([{ kind: "read", path: tree.path("x") }]);
    const output = await call(editTool, { path: "x", ...ONE, dryRun: true }, kit);
    expect(output).toEqual({
      parts: [
        {
          type: "text",
          text: "dry run: x would get 1 replacement; nothing was changed\n--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-two\n+2",
        },
      ],
      isError: false,
      summary: "+1 -1",
    });
    expect(readFileSync(tree.path("x"), "utf8")).toBe("two\n");
  });

  test("says what a person is asked about before anything runs", async () => {
    using tree = tempTree({ "a/x": "two\n" });
    const prepared = await editTool.prepare({ path: "a/../a/x", ...ONE }, { cwd: tree.root });
    if (!prepared.ok) throw new Error("not prepared");
    const { touches, title, preview } = prepared.value;
    expect([touches, title, await preview?.({ seen: null, editing: "fuzzy" })]).toEqual([
      [{ kind: "write", path: tree.path("a/x") }],
      "edit a/x",
      ok("--- a/a/x\n+++ b/a/x\n@@ -1,1 +1,1 @@\n-two\n+2"),
    ]);
    expect(readFileSync(tree.path("a/x"), "utf8")).toBe("two\n");
  });

  test("says before anybody is asked that it would fail", async () => {
    using tree = tempTree({ x: "one\n" });
    await using kit = toolKit(tree.root);
    const shown = async (): Promise<unknown> => {
      const prepared = await editTool.prepare({ path: "x", ...ONE }, kit);
      return prepared.ok && prepared.value.preview?.(kit);
    };
    const failing = (why: string): unknown => ({
      ok: false,
      failure: { kind: "invalid", what: expect.stringContaining(why) },
    });
    expect(await shown()).toEqual(failing("was not read in this session"));
    await call(readTool, { path: "x" }, kit);
    expect(await shown()).toEqual(failing("oldText was not found"));
  });

  test("refuses where a link was turned elsewhere after the call was judged", async () => {
    using tree = tempTree({ good: "two\n", bad: "two\n" });
    symlinkSync("good", tree.path("link"));
    await using kit = toolKit(tree.root);
    await call(readTool, { files: ["good", "bad"] }, kit);
    const prepared = await editTool.prepare({ path: "link", ...ONE }, { cwd: tree.root });
    unlinkSync(tree.path("link"));
    symlinkSync("bad", tree.path("link"));
    const result = prepared.ok ? await prepared.value.run(kit) : prepared;
    expect(result.ok).toBe(false);
    expect(readFileSync(tree.path("bad"), "utf8")).toBe("two\n");
  });

  test("of one file by two calls at once keeps both", async () => {
    using tree = tempTree({ x: "one\ntwo\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    await Promise.all([
      call(editTool, { path: "x", ...ONE }, kit),
      call(editTool, { path: "x", edits: [{ oldText: "one", newText: "1" }] }, kit),
    ]);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("1\n2\n");
  });

  test("keeps what the file holds before it is changed, and says where that was not possible", async () => {
    using tree = tempTree({ x: "two\n" });
    symlinkSync("x", tree.path("link"));
    const kept: unknown[] = [];
    const keep: Keep = (path, before, after) => {
      const now = readFileSync(path, "utf8");
      kept.push([path, now, String(before), String(after)]);
      return { checkpoint: "c1", remark: "undo cannot bring it back: the disk is full" };
    };
    await using kit = toolKit(tree.root, { keeper: () => Promise.resolve(keep) });
    await call(readTool, { path: "link" }, kit);
    const output = await call(editTool, { path: "link", ...ONE }, kit);
    expect(kept).toEqual([[tree.path("x"), "two\n", "two\n", "2\n"]]);
    expect(output).toMatchObject({
      checkpoint: "c1",
      parts: [
        {
          text: expect.stringContaining(
            "edited link (1 replacement); undo cannot bring it back: the disk is full\n",
          ),
        },
      ],
    });
  });

  test("keeps nothing of an edit that is not made", async () => {
    using tree = tempTree({ x: "two\n" });
    let asked = 0;
    const keep: Keep = () => {
      asked += 1;
      return { checkpoint: null, remark: null };
    };
    await using kit = toolKit(tree.root, { keeper: () => Promise.resolve(keep) });
    await call(editTool, { path: "x", ...ONE }, kit);
    await call(readTool, { path: "x" }, kit);
    await call(editTool, { path: "x", ...ONE, dryRun: true }, kit);
    await call(editTool, { path: "x", edits: [{ oldText: "zzz", newText: "" }] }, kit);
    expect(asked).toBe(0);
  });

  test("says what it tolerated to find the place", async () => {
    using tree = tempTree({ x: "say(“two”)  \n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    const input = { path: "x", edits: [{ oldText: 'say("two")\n', newText: "hush()\n" }] };
    expect(await call(editTool, input, kit)).toMatchObject({
      parts: [
        {
          text: expect.stringContaining(
            "edited x (1 replacement; tolerated typographic quotes, whitespace at line ends)\n",
          ),
        },
      ],
    });
  });

  test("knows one replacement beside the path, as others have it", async () => {
    using tree = tempTree({ x: "two two\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    const input = { file_path: "x", old_string: "two", new_string: "2", replace_all: true };
    await call(editTool, input, kit);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("2 2\n");
  });

  test("names the file, the fault and that nothing was changed", async () => {
    using tree = tempTree({ x: "a\r\nb\r\n" });
    await using kit = toolKit(tree.root);
    await call(readTool, { path: "x" }, kit);
    const input = {
      path: "x",
      edits: [
        { oldText: "b", newText: "c" },
        { oldText: "zzz", newText: "" },
      ],
    };
    expect(await call(editTool, input, kit)).toBe(
      `${tree.path("x")}: edit 2 of 2: oldText was not found, nor anything like it; read the file again. Nothing was changed`,
    );
    expect(await call(editTool, { path: "y", ...ONE }, kit)).toBe(
      `${tree.path("y")} does not exist; did you mean ${tree.path("x")}? To create it, use write`,
    );
  });
});
