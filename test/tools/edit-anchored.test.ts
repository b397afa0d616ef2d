// Edits by anchors, pure and through the tools: verified first, told anew afterwards.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { sentence } from "../../src/base/failure.ts";
import { anchorOf, parseAnchor } from "../../src/tools/anchor.ts";
import { type AnchoredEdit, editAnchored } from "../../src/tools/edit-anchored.ts";
import { editTool } from "../../src/tools/edit.ts";
import { readTool } from "../../src/tools/read.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

function edited(text: string, ...edits: AnchoredEdit[]): string {
  const result = editAnchored(text, edits);
  return result.ok ? result.value.result : `! ${sentence(result.failure)}`;
}

const [A, B, C] = [anchorOf(1, "a"), anchorOf(2, "b"), anchorOf(3, "c")];

describe("anchors", () => {
  test.each<[string, AnchoredEdit, string]>([
    ["replace a line", { from: B, newText: "x" }, "a\nx\nc\n"],
    ["replace lines", { from: A, to: B, newText: "x\ny\nz\n" }, "x\ny\nz\nc\n"],
    ["delete lines with their newlines", { from: A, to: B, newText: "" }, "c\n"],
    ["delete the last line", { from: C, newText: "" }, "a\nb\n"],
    ["leave an empty line", { from: B, newText: "\n" }, "a\n\nc\n"],
    ["insert behind a line", { after: B, newText: "x\n" }, "a\nb\nx\nc\n"],
    ["insert behind the last line", { after: C, newText: "x" }, "a\nb\nc\nx\n"],
    ["insert before the first", { after: "0", newText: "x" }, "x\na\nb\nc\n"],
    ["may have their line pasted along", { from: `${B}\tb`, newText: `${B}\tx` }, "a\nx\nc\n"],
  ])("%s", (_, edit, wanted) => {
    expect(edited("a\nb\nc\n", edit)).toBe(wanted);
  });

  test("keep line ends, and a missing newline at the end", () => {
    expect(edited("a\r\nb\nc", { from: A, newText: "x\ny" }, { from: C, newText: "z" })).toBe(
      "x\r\ny\r\nb\nz",
    );
    expect(edited("a\nb\nc", { after: C, newText: "d" })).toBe("a\nb\nc\nd");
    expect(edited("", { after: "0", newText: "x" })).toBe("x\n");
  });

  test("are all verified before anything is changed, and stale ones show what is there", () => {
    const stale = anchorOf(3, "gone");
    expect(
      edited("a\nb\nc\nd\ne\nf\ng\nh\n", { from: A, newText: "x" }, { from: stale, newText: "y" }),
    ).toBe(
      `! anchors 2 of 2: the anchor ${stale} is stale: line 3 is another now\nPresent lines:\n${["a", "b", "c", "d", "e", "f"].map((line, at) => `${anchorOf(at + 1, line)}\t${line}`).join("\n")}`,
    );
  });

  test.each<[string, AnchoredEdit[], string]>([
    [
      "past the end",
      [{ from: "9:abcd", newText: "" }],
      "the anchor 9:abcd is stale: the file has 3 lines",
    ],
    [
      "that are none",
      [{ from: "line 2", newText: "" }],
      '"line 2" is not an anchor: give number:hash',
    ],
    [
      "the wrong way round",
      [{ from: C, to: A, newText: "" }],
      "to (line 1) lies before from (line 3)",
    ],
    ["of no kind", [{ newText: "" }], "give from (and to) to replace lines, or after to insert"],
    ["of both kinds", [{ from: A, after: B, newText: "" }], "give from (and to) to replace lines"],
    [
      "that overlap",
      [
        { from: A, to: B, newText: "" },
        { from: B, newText: "" },
      ],
      "edits 1 and 2 overlap at line 2",
    ],
    [
      "pasted with only some lines",
      [{ from: A, newText: `${A}\tx\ny` }],
      "some lines of newText carry anchors",
    ],
  ])("are refused: %s", (_, edits, wanted) => {
    expect(edited("a\nb\nc\n", ...edits)).toContain(wanted);
  });

  test("say the hash of a line without its end", () => {
    expect(anchorOf(4, "x\r")).toBe(anchorOf(4, "x"));
    expect(parseAnchor(` ${anchorOf(4, "x").toUpperCase()} `)).toEqual(
      parseAnchor(anchorOf(4, "x")),
    );
  });
});

describe("read and edit with anchors", () => {
  test("read shows them, edit takes them and tells those that are there now", async () => {
    using tree = tempTree({ x: "a\r\nb\r\nc\r\n" });
    await using kit = toolKit(tree.root, { editing: "anchored" });
    expect(await textOf(readTool, { path: "x" }, kit)).toBe(`${A}\ta\n${B}\tb\n${C}\tc`);
    const anchors = [{ from: B, newText: "x\ny" }];
    expect(await textOf(editTool, { path: "x", anchors }, kit)).toBe(
      `edited x (1 replacement)\n--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\nAnchors there now:\n${["a", "x", "y", "c"].map((line, at) => `${anchorOf(at + 1, line)}\t${line}`).join("\n")}`,
    );
    expect(readFileSync(tree.path("x"), "utf8")).toBe("a\r\nx\r\ny\r\nc\r\n");
  });

  test("a file that changed since it was read is refused, also where the anchors still hold", async () => {
    using tree = tempTree({ x: "a\nb\nc\n" });
    await using kit = toolKit(tree.root, { editing: "anchored" });
    await call(readTool, { path: "x" }, kit);
    writeFileSync(tree.path("x"), "a\nb\nc\nd\n");
    const input = { path: "x", anchors: [{ from: A, newText: "x" }] };
    expect(await textOf(editTool, input, kit)).toContain("has changed since it was read");
  });

  test("a stale anchor changes nothing and says so in the first line", async () => {
    using tree = tempTree({ x: "a\nb\n" });
    await using kit = toolKit(tree.root, { editing: "anchored" });
    await call(readTool, { path: "x" }, kit);
    const text = await textOf(
      editTool,
      { path: "x", anchors: [{ from: "2:0000", newText: "x" }] },
      kit,
    );
    expect(text).toBe(
      `${tree.path("x")}: the anchor 2:0000 is stale: line 2 is another now. Nothing was changed\nPresent lines:\n${A}\ta\n${B}\tb`,
    );
    expect(readFileSync(tree.path("x"), "utf8")).toBe("a\nb\n");
  });

  test("a dry run shows the diff and writes nothing", async () => {
    using tree = tempTree({ x: "a\n" });
    await using kit = toolKit(tree.root, { editing: "anchored" });
    await call(readTool, { path: "x" }, kit);
    const input = { path: "x", anchors: [{ from: A, newText: "b" }], dryRun: true };
    expect(await textOf(editTool, input, kit)).toContain("dry run: x would get 1 replacement");
    expect(readFileSync(tree.path("x"), "utf8")).toBe("a\n");
  });
});
