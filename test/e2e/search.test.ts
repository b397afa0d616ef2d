// Searches through the compiled binary: large trees, where threads help, closed folders, and a cancel in the midst.
import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { BURIN, home } from "../support/binary.ts";
import { AS_NOBODY } from "../support/other-user.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { until } from "../support/until.ts";
import { unless } from "../support/unless.ts";

function manyFiles(count: number, content: (at: number) => string): TempTree {
  const names = Array.from({ length: count }, (_, at) => at);
  return tempTree(
    Object.fromEntries(names.map((at) => [`part${at % 40}/file${at}.txt`, content(at)])),
  );
}

test("in a tree of thousands of files every hit comes once and in order", async () => {
  using user = home();
  using tree = manyFiles(6_000, (at) => `no\n${at % 10 === 0 ? "needle" : "no"} ${at}\n`);
  const ran = await user.run(["tool", "grep", "needle \\d", "--regex", "--raw"], {
    cwd: tree.root,
  });
  const rows = ran.out.trimEnd().split("\n");
  expect([ran.code, ran.err, rows.length]).toEqual([0, "", 600]);
  const order = rows.map((row) => row.replace(/:.*/, "").replace("/", "\0"));
  expect(order).toEqual(order.toSorted());
});

test("a folder that is closed to the user is named, and the others are searched", () => {
  using user = home();
  using tree = tempTree({ "closed/f": "x\n", "open/f": "x\n" });
  chmodSync(tree.root, 0o755);
  chmodSync(user.path, 0o755);
  chmodSync(tree.path("closed"), 0);
  // Another user cannot enter every folder that a checkout may lie in.
  const copy = join(user.path, "burin");
  copyFileSync(BURIN, copy);
  chmodSync(copy, 0o755);
  const ran = Bun.spawnSync([copy, "tool", "grep", "x"], {
    cwd: tree.root,
    env: user.env,
    ...AS_NOBODY,
  });
  chmodSync(tree.path("closed"), 0o755);
  expect(ran.stdout.toString()).toBe("open/f:1:x\n[not readable: closed]\n");
});

/** Whether a process has a file of a folder open. */
function hasOpen(pid: number, folder: string): boolean {
  try {
    const files = `/proc/${pid}/fd`;
    return readdirSync(files).some((name) => readlinkSync(`${files}/${name}`).startsWith(folder));
  } catch {
    // A file was closed in between.
    return false;
  }
}

const isLinux = process.platform === "linux";
if (!isLinux) console.log("passed over: what a process has open is seen on Linux only");

unless(!isLinux && "this asks the /proc of Linux")(
  "an interrupt in the midst of a large search ends the process",
  async () => {
    using user = home();
    // Nothing matches, and the regex must look at every byte.
    const large = Buffer.alloc(64 << 20, "no match in this line\n");
    using tree = tempTree(Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`f${at}`, large])));
    const child = user.start(["tool", "grep", "[a-z]+\\d", "--regex", "--limit", "0"], {
      cwd: tree.root,
    });
    await until("a file is being searched", () => hasOpen(child.pid, tree.root));
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
  },
);
