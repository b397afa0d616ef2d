// The path a call means, by what stands in the folder.
import { expect, test } from "bun:test";
import { namedPath } from "../../src/tools/named-path.ts";
import { tempTree } from "../support/temp-tree.ts";

test.each([
  ["as written", "src/a.ts", "src/a.ts"],
  ["a name that really holds an at sign", "@real.ts", "@real.ts"],
  ["a name that really holds a backslash", "back\\slash.ts", "back\\slash.ts"],
  ["a mention", "@src/a.ts", "src/a.ts"],
  ["separators of Windows", "src\\a.ts", "src/a.ts"],
  ["a mention with separators of Windows", "@src\\a.ts", "src/a.ts"],
  ["quotes around it", '"src/a.ts"', "src/a.ts"],
  ["backticks around it", "`src/a.ts`", "src/a.ts"],
  ["space at its ends", " src/a.ts\n", "src/a.ts"],
  ["a quote that belongs to the name", "it's.ts", "it's.ts"],
  ["a new file in a folder that exists", "src\\new.ts", "src/new.ts"],
  ["a new file whose name begins with an at sign", "@new.ts", "@new.ts"],
  ["a new file in quotes", "'new.ts'", "new.ts"],
  ["what is nowhere, as written", "gone/a.ts", "gone/a.ts"],
])("%s", (_, written, meant) => {
  using tree = tempTree({ "src/a.ts": "", "@real.ts": "", "back\\slash.ts": "" });
  expect(namedPath(written, tree.root)).toBe(tree.path(meant));
});

test("a file URL", () => {
  using tree = tempTree({ "src/a b.ts": "" });
  expect(namedPath(`file://${tree.root}/src/a%20b.ts`, "/")).toBe(tree.path("src/a b.ts"));
});
