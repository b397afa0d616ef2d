// Paths made absolute, and where they really lead.
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { environment } from "../../src/host/env.ts";
import { absolutePath, realPath } from "../../src/host/paths.ts";
import { tempTree } from "../support/temp-tree.ts";

const HOME = environment()["HOME"] ?? "";

describe("absolutePath", () => {
  test.each([
    ["a/../b", "/here/b"],
    ["/x//y/", "/x/y"],
    [".", "/here"],
    ["~", HOME],
    ["~/notes", `${HOME}/notes`],
    ["~other", "/here/~other"],
    ["a\nb", "/here/a\nb"],
  ])("%j is %j", (path, wanted) => {
    expect(absolutePath(path, "/here")).toBe(wanted);
  });
});

describe("realPath", () => {
  test("resolves links in every part, also towards what does not exist yet", () => {
    using tree = tempTree({ "real/deep/": "" });
    symlinkSync("real", tree.path("relative"));
    symlinkSync(tree.path("real/deep"), tree.path("real/absolute"));
    symlinkSync("../gone", tree.path("real/dangling"));
    const real = (name: string): unknown => realPath(tree.path(name));
    expect([
      real("relative/absolute/new/file"),
      real("relative/dangling/file"),
      real("relative/deep/../../real"),
    ]).toEqual([
      { ok: true, value: tree.path("real/deep/new/file") },
      { ok: true, value: tree.path("gone/file") },
      { ok: true, value: tree.path("real") },
    ]);
  });

  test("does not run in circles", () => {
    using tree = tempTree();
    symlinkSync("b", tree.path("a"));
    symlinkSync("a", tree.path("b"));
    expect(realPath(tree.path("a/x")).ok).toBe(false);
  });

  test("takes .. after a link from where the link leads", () => {
    using tree = tempTree();
    mkdirSync(tree.path("one/two"), { recursive: true });
    symlinkSync(tree.path("one/two"), tree.path("link"));
    symlinkSync("link/../three", tree.path("across"));
    expect(realPath(tree.path("across"))).toEqual({ ok: true, value: tree.path("one/three") });
  });
});
