// Reading: only regular files, only as much as asked for, near names for what is missing.
import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { sentence } from "../../src/base/failure.ts";
import { kindAt, kindBehind, readBytes } from "../../src/host/files.ts";
import { tempTree } from "../support/temp-tree.ts";

function failure(path: string): string {
  const read = readBytes(path, 100);
  return read.ok ? "was read" : sentence(read.failure);
}

describe("readBytes", () => {
  test("gives a part and the size of the whole", () => {
    using tree = tempTree({ x: "0123456789" });
    const read = readBytes(tree.path("x"), 4, 3);
    if (!read.ok) throw new Error(sentence(read.failure));
    const { bytes, size } = read.value;
    expect([Buffer.from(bytes).toString(), size]).toEqual(["3456", 10]);
  });

  test("gives nothing behind the end", () => {
    using tree = tempTree({ x: "0123456789" });
    const read = readBytes(tree.path("x"), 4, 30);
    expect(read.ok && read.value.bytes.length).toBe(0);
  });

  test("reads a file that says it has no size", () => {
    const read = readBytes("/proc/self/stat", 1000);
    expect(read.ok && read.value.bytes.length > 0).toBe(true);
  });

  test("never opens a pipe, a device or a folder", () => {
    using tree = tempTree();
    Bun.spawnSync(["mkfifo", tree.path("pipe")]);
    symlinkSync("pipe", tree.path("link"));
    expect([
      failure(tree.path("pipe")),
      failure(tree.path("link")),
      failure("/dev/zero"),
      failure(tree.root),
    ]).toEqual([
      `${tree.path("pipe")} is a pipe, not a regular file`,
      `${tree.path("link")} is a pipe, not a regular file`,
      "/dev/zero is a device, not a regular file",
      `${tree.root} is a folder, not a regular file`,
    ]);
  });

  test("suggests names near the missing one", () => {
    using tree = tempTree({ "src/render.ts": "", "src/other.ts": "", "src/render.test.ts": "" });
    expect(failure(tree.path("src/rendr.ts"))).toBe(
      `${tree.path("src/rendr.ts")} does not exist; did you mean ${tree.path("src/render.ts")}?`,
    );
    expect(failure(tree.path("scr/render.ts"))).toBe(
      `${tree.path("scr/render.ts")} does not exist; did you mean ${tree.path("src")}?`,
    );
    expect(failure(tree.path("src/nothing-like-it"))).toBe(
      `${tree.path("src/nothing-like-it")} does not exist`,
    );
  });

  test("finds a file under another ending", () => {
    using tree = tempTree({ "src/render.tsx": "" });
    expect(failure(tree.path("src/render.js"))).toContain("did you mean");
  });
});

test("a link is a link, and what it leads to", () => {
  using tree = tempTree({ x: "" });
  symlinkSync("x", tree.path("good"));
  symlinkSync("y", tree.path("dangling"));
  expect([kindAt(tree.path("good")), kindBehind(tree.path("good"))]).toEqual(["link", "file"]);
  expect([kindAt(tree.path("dangling")), kindBehind(tree.path("dangling"))]).toEqual([
    "link",
    null,
  ]);
  expect(kindBehind(tree.path("x/below"))).toBeNull();
});
