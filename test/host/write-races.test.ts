// Writing while other programs write, and while somebody puts links in the way: nothing is lost, nothing outside is touched.
import { expect, test } from "bun:test";
import { linkSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hasAttributes } from "../../src/host/attributes.ts";
import { openLibc } from "../../src/host/libc.ts";
import { writeFile } from "../../src/host/write.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

const MB = 1 << 20;

/** Another program, till the scope ends. */
function beside(tree: TempTree, script: string): AsyncDisposable & { lines(): Promise<string[]> } {
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: tree.root,
    stdin: "pipe",
    stdout: "pipe",
  });
  const stop = async (): Promise<void> => {
    await child.stdin.end();
    await child.exited;
  };
  return {
    async lines() {
      await stop();
      return (await child.stdout.text()).split("\n").filter((line) => line !== "");
    },
    [Symbol.asyncDispose]: stop,
  };
}

const APPENDER = `
  const { appendFileSync } = require("node:fs");
  let count = 0;
  setInterval(() => { const line = "line " + count++; appendFileSync("log", line + "\\n"); console.log(line); }, 4);
  process.stdin.on("end", () => process.exit(0)); process.stdin.resume();`;

/** Reads, changes and writes as a tool does; whether it was written. */
function edit(path: string, turn: number): boolean {
  const before = readFileSync(path);
  const after = Buffer.concat([Buffer.from(`edit ${turn}\n`), before]);
  return writeFile(path, after, { real: path, before }).ok;
}

test("what another program saves meanwhile is never lost", async () => {
  using tree = tempTree({ log: Buffer.alloc(3 * MB, "ballast\n") });
  await using appender = beside(tree, APPENDER);
  const path = tree.path("log");
  for (let turn = 0; turn < 60; turn += 1) {
    edit(path, turn);
    await Bun.sleep(1);
  }
  const saved = await appender.lines();
  expect(saved.length).toBeGreaterThan(0);
  // Beside the file: what was saved in the very moment of the rename.
  const texts = readdirSync(tree.root).map((name) => readFileSync(tree.path(name), "utf8"));
  const lost = saved.filter((line) => !texts.some((text) => text.includes(`${line}\n`)));
  expect(lost).toEqual([]);
});

const SWAPPER = `
  const { readdirSync, renameSync, symlinkSync } = require("node:fs");
  let count = 0;
  const look = () => {
    if (readdirSync("in").some((name) => name.endsWith(".bak"))) {
      symlinkSync("../out", "in/link" + count); renameSync("in/link" + count++, "in/file"); return;
    }
    setImmediate(look);
  };
  look();
  process.stdin.on("end", () => process.exit(0)); process.stdin.resume();`;

test("a link put in the place of a file with two names takes nothing elsewhere", async () => {
  for (let round = 0; round < 5; round += 1) {
    using tree = tempTree({ "in/file": Buffer.alloc(3 * MB, "x\n"), out: "theirs" });
    linkSync(tree.path("in/file"), tree.path("in/other"));
    await using _ = beside(tree, SWAPPER);
    const until = Date.now() + 1000;
    while (lstatSync(tree.path("in/file")).isFile() && Date.now() < until) {
      edit(tree.path("in/file"), round);
      await Bun.sleep(1);
    }
    expect(readFileSync(tree.path("out"), "utf8")).toBe("theirs");
  }
});

function setAttribute(path: string): boolean {
  const libc = openLibc({
    setxattr: { args: ["ptr", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  });
  const text = (value: string): Buffer => Buffer.from(`${value}\0`);
  return libc?.symbols.setxattr(text(path), text("user.note"), text("kept"), 4n, 0) === 0;
}

function canSet(): boolean {
  using tree = tempTree({ x: "" });
  return process.platform === "linux" && setAttribute(tree.path("x"));
}

unless(!canSet() && "files here take no attributes")("attributes of a file stay", () => {
  using tree = tempTree({ x: "old" });
  const path = tree.path("x");
  setAttribute(path);
  expect(writeFile(path, Buffer.from("new"), { real: path, before: Buffer.from("old") }).ok).toBe(
    true,
  );
  expect([readFileSync(path, "utf8"), hasAttributes(path)]).toEqual(["new", true]);
  writeFileSync(tree.path("y"), "");
  expect(hasAttributes(tree.path("y"))).toBe(false);
});
