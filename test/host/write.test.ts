// Writing: the old file or the new one, its mode, its links, and nothing left lying about.
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { sentence } from "../../src/base/failure.ts";
import { writeFile } from "../../src/host/write.ts";
import { tempTree } from "../support/temp-tree.ts";

const isRoot = process.getuid?.() === 0;

function mountSmall(folder: string): boolean {
  const mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder];
  return isRoot && Bun.spawnSync(mount, { stderr: "ignore" }).exitCode === 0;
}

function canMount(): boolean {
  using tree = tempTree();
  const can = mountSmall(tree.root);
  if (can) Bun.spawnSync(["umount", tree.root]);
  return can;
}

function write(path: string, text: string): string {
  const written = writeFile(path, Buffer.from(text));
  return written.ok ? written.value : sentence(written.failure);
}

describe("writeFile", () => {
  test("creates the file and its folders, with the mode the umask leaves", () => {
    using tree = tempTree();
    const path = tree.path("a/b/c.txt");
    expect(write(path, "hello")).toBe(path);
    expect(readFileSync(path, "utf8")).toBe("hello");
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("keeps the mode, also unusual bits of it", () => {
    using tree = tempTree({ "run.sh": "old" });
    chmodSync(tree.path("run.sh"), 0o4751);
    write(tree.path("run.sh"), "new");
    expect(statSync(tree.path("run.sh")).mode & 0o7777).toBe(0o4751);
  });

  test("leaves no other file behind", () => {
    using tree = tempTree({ x: "old" });
    linkSync(tree.path("x"), tree.path("y"));
    write(tree.path("x"), "new");
    write(tree.path("z"), "new");
    expect(readdirSync(tree.root).toSorted()).toEqual(["x", "y", "z"]);
  });

  test("is a new file for whoever has the old one open", () => {
    using tree = tempTree({ x: "old" });
    const before = statSync(tree.path("x")).ino;
    write(tree.path("x"), "new");
    expect(statSync(tree.path("x")).ino).not.toBe(before);
  });

  test("writes where a link leads and leaves the link", () => {
    using tree = tempTree({ "real/x": "old" });
    symlinkSync("real", tree.path("folder"));
    symlinkSync("folder/x", tree.path("link"));
    expect(write(tree.path("link"), "new")).toBe(tree.path("real/x"));
    expect(readFileSync(tree.path("real/x"), "utf8")).toBe("new");
    expect(readlinkSync(tree.path("link"))).toBe("folder/x");
  });

  test("creates the file a dangling link names", () => {
    using tree = tempTree();
    symlinkSync("later/x", tree.path("link"));
    write(tree.path("link"), "new");
    expect(readFileSync(tree.path("later/x"), "utf8")).toBe("new");
    expect(lstatSync(tree.path("link")).isSymbolicLink()).toBe(true);
  });

  test("keeps a hard link together, also when the new content is shorter", () => {
    using tree = tempTree({ x: "a long old content" });
    linkSync(tree.path("x"), tree.path("y"));
    write(tree.path("x"), "new");
    expect(readFileSync(tree.path("y"), "utf8")).toBe("new");
    expect(statSync(tree.path("x")).nlink).toBe(2);
  });

  test("refuses folders, pipes and paths through files", () => {
    using tree = tempTree({ x: "", "folder/": "" });
    Bun.spawnSync(["mkfifo", tree.path("pipe")]);
    expect([
      write(tree.path("folder"), ""),
      write(tree.path("pipe"), ""),
      write(tree.path("x/y"), ""),
    ]).toEqual([
      `${tree.path("folder")} is not a regular file; nothing was changed`,
      `${tree.path("pipe")} is not a regular file; nothing was changed`,
      `${tree.path("x/y")} could not be written: a part of the path is not a folder (ENOTDIR); nothing was changed`,
    ]);
  });

  test("a name as long as the system allows can be written", () => {
    using tree = tempTree();
    const path = tree.path("é".repeat(127));
    write(path, "one");
    write(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
  });

  test.skipIf(isRoot)("writes in place where the folder takes no new file", () => {
    using tree = tempTree({ "closed/x": "old" });
    chmodSync(tree.path("closed"), 0o555);
    write(tree.path("closed/x"), "new");
    chmodSync(tree.path("closed"), 0o755);
    expect(readFileSync(tree.path("closed/x"), "utf8")).toBe("new");
  });

  test.skipIf(isRoot)("respects the write protection of a file", () => {
    using tree = tempTree({ x: "old" });
    chmodSync(tree.path("x"), 0o444);
    expect(write(tree.path("x"), "new")).toContain("no permission");
    expect(readFileSync(tree.path("x"), "utf8")).toBe("old");
  });

  test.skipIf(!canMount())("a full disk leaves the old file", () => {
    using tree = tempTree({ "disk/": "" });
    const disk = tree.path("disk");
    mountSmall(disk);
    try {
      write(`${disk}/x`, "old");
      const big = "n".repeat(100_000);
      expect(write(`${disk}/x`, big)).toContain("the disk is full");
      expect(readFileSync(`${disk}/x`, "utf8")).toBe("old");
      expect(readdirSync(disk)).toEqual(["x"]);
      linkSync(`${disk}/x`, `${disk}/y`);
      expect(write(`${disk}/x`, big)).toContain("the disk is full");
      expect(readFileSync(`${disk}/y`, "utf8")).toBe("old");
      expect(readdirSync(disk).toSorted()).toEqual(["x", "y"]);
    } finally {
      Bun.spawnSync(["umount", disk]);
    }
  });
});

test("a folder exchanged for a link since the call was judged takes nothing", () => {
  using tree = tempTree({ "in/": "", "out/": "" });
  symlinkSync("in", tree.path("d"));
  const judged = realpathSync(tree.path("d"));
  unlinkSync(tree.path("d"));
  symlinkSync("out", tree.path("d"));
  const written = writeFile(tree.path("d/f"), Buffer.from("x"), `${judged}/f`);
  expect({ ok: written.ok, out: readdirSync(tree.path("out")), in: readdirSync(judged) }).toEqual({
    ok: false,
    out: [],
    in: [],
  });
});
