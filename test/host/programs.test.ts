// Programs that burin starts by itself are taken from fixed folders only.
import { chmodSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "bun:test";
import { programPath } from "../../src/host/programs.ts";
import { tempTree } from "../support/temp-tree.ts";

test("a program in a folder that PATH names by a way from here is passed over", () => {
  using tree = tempTree({ "bin/rtk": "#!/bin/sh\n" });
  chmodSync(tree.path("bin/rtk"), 0o755);
  const folder = dirname(tree.path("bin/rtk"));
  const here = relative(process.cwd(), folder);
  expect(programPath("rtk", { PATH: `${here}:./bin::.` })).toBeNull();
  expect(programPath("rtk", { PATH: `${here}:${folder}` })).toBe(join(folder, "rtk"));
});
