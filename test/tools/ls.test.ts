// The ls tool.
import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { lsTool } from "../../src/tools/ls.ts";
import { tempTree } from "../support/temp-tree.ts";
import { call, textOf, toolKit } from "../support/tool-kit.ts";

describe("ls", () => {
  test("lists one level, sorted without regard to case, links with where they lead", async () => {
    using tree = tempTree({ "B.txt": "12", "a/deep": "", ".dot": "", "c\nd": "" });
    symlinkSync("nowhere", tree.path("link"));
    await using kit = toolKit(tree.root);
    expect(await call(lsTool, {}, kit)).toEqual({
      parts: [
        {
          type: "text",
          text: '.dot  0 bytes\na/\nB.txt  2 bytes\n"c\\nd"  0 bytes\nlink -> nowhere',
        },
      ],
      isError: false,
      summary: "5 entries",
    });
  });

  test("ends after 500 names and says how many follow", async () => {
    const names = Array.from({ length: 510 }, (_, at) => [`f${at}`, ""]);
    using tree = tempTree(Object.fromEntries(names));
    await using kit = toolKit(tree.root);
    const lines = (await textOf(lsTool, { path: "." }, kit)).split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([501, "[10 more; find lists them by pattern]"]);
    expect(await call(lsTool, { dir: ".", limit: 2 }, kit)).toEqual({
      parts: [
        {
          type: "text",
          text: "f0  0 bytes\nf1  0 bytes\n[508 more; find lists them by pattern]",
        },
      ],
      isError: false,
      summary: "510 entries",
      truncated: { bytes: null, lines: 508, file: null },
    });
  });

  test("says what a path is that is no folder", async () => {
    using tree = tempTree({ x: "", "empty/": "" });
    await using kit = toolKit(tree.root);
    expect([
      await textOf(lsTool, { path: "x" }, kit),
      await textOf(lsTool, { path: "y" }, kit),
      await textOf(lsTool, { path: "empty" }, kit),
    ]).toEqual([
      `${tree.path("x")} is a file, not a folder; use read`,
      `${tree.path("y")} does not exist; did you mean ${tree.path("x")}?`,
      "(empty folder)",
    ]);
  });
});
