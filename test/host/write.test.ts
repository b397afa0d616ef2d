// Writing: the old file or the new one, its mode, its links, and nothing left lying about.
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
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
import { kindAt } from "../../src/host/files.ts";
import { realPath } from "../../src/host/paths.ts";
import { writeFile } from "../../src/host/write.ts";
import { tempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

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

/** As the tools do: with what is there just before. */
function write(path: string, text: string): string {
  const real = realPath(path);
  if (!real.ok) throw new Error(`no real path of ${path}`);
  const isFile = kindAt(real.value) === "file";
  const before = isFile ? readFileSync(real.value) : null;
  const written = writeFile(path, Buffer.from(text), { real: real.value, before });
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

  unless(isRoot && "root may write everywhere")(
    "writes in place where the folder takes no new file",
    () => {
      using tree = tempTree({ "closed/x": "old" });
      chmodSync(tree.path("closed"), 0o555);
      write(tree.path("closed/x"), "new");
      chmodSync(tree.path("closed"), 0o755);
      expect(readFileSync(tree.path("closed/x"), "utf8")).toBe("new");
    },
  );

  unless(isRoot && "root may write everywhere")("respects the write protection of a file", () => {
    using tree = tempTree({ x: "old" });
    chmodSync(tree.path("x"), 0o444);
    expect(write(tree.path("x"), "new")).toContain("no permission");
    expect(readFileSync(tree.path("x"), "utf8")).toBe("old");
  });

  unless(!canMount() && "a small disk cannot be mounted here")(
    "a full disk leaves the old file",
    () => {
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
    },
  );
});

/** With what the caller took for granted. */
function writeOver(path: string, before: string | null, text = "new"): string {
  const expected = { real: path, before: before === null ? null : Buffer.from(before) };
  const written = writeFile(path, Buffer.from(text), expected);
  return written.ok ? written.value : sentence(written.failure);
}

describe("writeFile compares just before it writes", () => {
  test("a file that another program saved meanwhile is left as it is", () => {
    using tree = tempTree({ x: "theirs" });
    expect(writeOver(tree.path("x"), "old")).toBe(
      `${tree.path("x")} was changed by another program at this moment: read it again; nothing was changed`,
    );
    expect(readdirSync(tree.root)).toEqual(["x"]);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("theirs");
  });

  test("also one with a second name, which is written in place", () => {
    using tree = tempTree({ x: "theirs" });
    linkSync(tree.path("x"), tree.path("y"));
    expect(writeOver(tree.path("x"), "old")).toContain("was changed by another program");
    expect(readFileSync(tree.path("y"), "utf8")).toBe("theirs");
  });

  test("a file that was created meanwhile is not replaced", () => {
    using tree = tempTree({ x: "theirs" });
    expect(writeOver(tree.path("x"), null)).toContain("was changed by another program");
    expect(readdirSync(tree.root)).toEqual(["x"]);
    expect(readFileSync(tree.path("x"), "utf8")).toBe("theirs");
  });

  test("a file that is gone is not created anew, nor its folder", () => {
    using tree = tempTree();
    expect(writeOver(tree.path("a/x"), "old")).toContain("nothing was changed");
    expect(readdirSync(tree.root)).toEqual([]);
  });

  test("a pipe in the place of the file is not opened", () => {
    using tree = tempTree();
    Bun.spawnSync(["mkfifo", tree.path("x")]);
    expect(writeOver(tree.path("x"), "old")).toContain(
      "is not a regular file; nothing was changed",
    );
  });

  test("a program that keeps the file locked does not stop the write for good", async () => {
    using tree = tempTree({ x: "old" });
    const holder = Bun.spawn(["flock", tree.path("x"), "sh", "-c", "echo held; exec sleep 60"], {
      stdout: "pipe",
    });
    for await (const _ of holder.stdout) break;
    expect(writeOver(tree.path("x"), "old")).toBe(tree.path("x"));
    holder.kill();
    await holder.exited;
  });
});

unless(!isRoot && "only root gives files away")("the owner of the file stays", () => {
  using tree = tempTree({ x: "old" });
  chownSync(tree.path("x"), 1234, 4321);
  chmodSync(tree.path("x"), 0o640);
  write(tree.path("x"), "new");
  const { uid, gid, mode } = statSync(tree.path("x"));
  expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 1234, gid: 4321, mode: 0o640 });
});

unless(!canMount() && "a small disk cannot be mounted here")(
  "folders made for a file that could not be written go again",
  () => {
    using tree = tempTree({ "disk/": "" });
    const disk = tree.path("disk");
    mountSmall(disk);
    try {
      expect(write(`${disk}/a/b/x`, "n".repeat(100_000))).toContain("nothing was changed");
      expect(readdirSync(disk)).toEqual([]);
    } finally {
      Bun.spawnSync(["umount", disk]);
    }
  },
);

test("a folder exchanged for a link since the call was judged takes nothing", () => {
  using tree = tempTree({ "in/": "", "out/": "" });
  symlinkSync("in", tree.path("d"));
  const judged = realpathSync(tree.path("d"));
  unlinkSync(tree.path("d"));
  symlinkSync("out", tree.path("d"));
  const written = writeFile(tree.path("d/f"), Buffer.from("x"), {
    real: `${judged}/f`,
    before: null,
  });
  expect({ ok: written.ok, out: readdirSync(tree.path("out")), in: readdirSync(judged) }).toEqual({
    ok: false,
    out: [],
    in: [],
  });
});
