// Edits by the compiled binary where things go wrong: foreign folders, links out, pipes, several burins at one file.
import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BURIN, home, type Home } from "../support/binary.ts";
import { AS_NOBODY } from "../support/other-user.ts";
import { replayServer } from "../support/replay-server.ts";
import { tempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

const isRoot = process.getuid?.() === 0;
const EDIT = { edits: [{ oldText: "one", newText: "uno" }] };

function argsOf(path: string, input: object = EDIT): string[] {
  return ["tool", "edit", "--args", JSON.stringify({ path, ...input })];
}

describe("several burins at one file", () => {
  /** Each replaces its own line; the words say who was let in. */
  async function race(at: Home, file: string, burins: number): Promise<boolean[]> {
    const runs = Array.from({ length: burins }, (_, own) =>
      at.run(argsOf(file, { edits: [{ oldText: `line ${own}.`, newText: `done ${own}.` }] })),
    );
    return (await Promise.all(runs)).map(({ code }) => code === 0);
  }

  test.each(["a file", "a file with two names"])(
    "of %s no edit is lost that was said to be made",
    async (kind) => {
      using at = home();
      const file = join(at.path, "x");
      const ballast = "ballast\n".repeat(100_000);
      for (let round = 0; round < 3; round += 1) {
        writeFileSync(
          file,
          `${Array.from({ length: 6 }, (_, n) => `line ${n}.\n`).join("")}${ballast}`,
        );
        if (kind !== "a file" && round === 0) linkSync(file, join(at.path, "y"));
        const made = await race(at, file, 6);
        const lines = readFileSync(file, "utf8").split("\n").slice(0, 6);
        expect(lines).toEqual(made.map((isMade, n) => `${isMade ? "done" : "line"} ${n}.`));
        expect(made).toContain(true);
      }
      expect(readdirSync(at.path).filter((name) => name.startsWith(".burin"))).toEqual([]);
    },
  );
});

unless(!isRoot && "only root becomes another user")(
  "a folder that takes no file: one that may be written is, one that may not stays",
  async () => {
    using tree = tempTree({ "closed/open.txt": "one\n", "closed/shut.txt": "one\n" });
    // Another user cannot enter every folder that a checkout may lie in.
    const copy = tree.path("burin");
    copyFileSync(BURIN, copy);
    chmodSync(copy, 0o755);
    chmodSync(tree.root, 0o755);
    chmodSync(tree.path("closed/open.txt"), 0o666);
    chmodSync(tree.path("closed/shut.txt"), 0o444);
    chmodSync(tree.path("closed"), 0o555);
    const run = async (name: string): Promise<[number, string]> => {
      const child = Bun.spawn([copy, ...argsOf(tree.path(`closed/${name}`))], {
        cwd: tree.root,
        env: { HOME: "/", PATH: "/usr/bin:/bin", TMPDIR: "/tmp" },
        ...AS_NOBODY,
        stdin: "ignore",
        stdout: "pipe",
      });
      return [await child.exited, await child.stdout.text()];
    };
    const [open, shut] = [await run("open.txt"), await run("shut.txt")];
    expect([open[0], readFileSync(tree.path("closed/open.txt"), "utf8")]).toEqual([0, "uno\n"]);
    expect([shut[0], readFileSync(tree.path("closed/shut.txt"), "utf8")]).toEqual([1, "one\n"]);
    expect(shut[1]).toContain("no permission");
    expect(readdirSync(tree.path("closed")).toSorted()).toEqual(["open.txt", "shut.txt"]);
    expect(statSync(tree.path("closed/open.txt")).mode & 0o7777).toBe(0o666);
  },
);

unless(!isRoot && "only root becomes another user")("owner and permission bits stay", async () => {
  using at = home();
  const file = join(at.path, "x");
  writeFileSync(file, "one\n");
  chownSync(file, 1234, 4321);
  chmodSync(file, 0o2750);
  expect((await at.run(argsOf(file))).code).toBe(0);
  const { uid, gid, mode } = statSync(file);
  expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 1234, gid: 4321, mode: 0o2750 });
});

describe("in a session", () => {
  /** A run that reads a.txt and then edits it; between the two a command is run, which the mode allows. */
  async function run(
    at: Home,
    path: string,
    between: string,
  ): Promise<{ code: number; told: string }> {
    const call = (id: string, name: string, args: object) => ({
      steps: [{ call: { id, name, arguments: JSON.stringify(args) } }],
    });
    await using server = await replayServer([
      call("r", "read", { path }),
      call("b", "bash", { command: between }),
      call("e", "edit", { path, ...EDIT }),
      { steps: [{ text: "done" }] },
    ]);
    const flags = ["--base-url", server.url, "-m", "m", "--mode", "yolo"];
    const ran = await at.run(["-p", "x", ...flags]);
    const last: unknown = JSON.parse(server.requests.at(-1)?.body ?? "{}");
    return { code: ran.code, told: JSON.stringify(last) };
  }

  test("a file that a pipe has taken the place of is refused, and nothing hangs", async () => {
    using at = home();
    writeFileSync(join(at.path, "a.txt"), "one\n");
    const { code, told } = await run(at, "a.txt", "rm a.txt && mkfifo a.txt");
    expect([code, told.includes("is a pipe")]).toEqual([0, true]);
  });

  test("a file that changed after it was read is refused and stays", async () => {
    using at = home();
    writeFileSync(join(at.path, "a.txt"), "one\n");
    const { told } = await run(at, "a.txt", "echo one two > a.txt");
    expect(told).toContain("has changed since it was read");
    expect(readFileSync(join(at.path, "a.txt"), "utf8")).toBe("one two\n");
  });

  test("what a link leads out of the workspace is not written, nor below a linked folder", async () => {
    using at = home();
    using out = tempTree({ "a.txt": "one\n" });
    mkdirSync(join(at.path, "work"));
    symlinkSync(out.path("a.txt"), join(at.path, "work/link"));
    symlinkSync(out.root, join(at.path, "work/folder"));
    for (const path of ["link", "folder/a.txt"]) {
      const call = (id: string, name: string, args: object) => ({
        steps: [{ call: { id, name, arguments: JSON.stringify(args) } }],
      });
      await using server = await replayServer([
        call("r", "read", { path }),
        call("e", "edit", { path, ...EDIT }),
        { steps: [{ text: "done" }] },
      ]);
      const flags = ["--base-url", server.url, "-m", "m", "--setting", "headless.ask=deny"];
      await at.run(["-p", "x", ...flags], { cwd: join(at.path, "work") });
    }
    expect(readFileSync(out.path("a.txt"), "utf8")).toBe("one\n");
  });
});

describe("anchors on the command line", () => {
  test("read --anchored shows what edit --anchors takes", async () => {
    using at = home();
    writeFileSync(join(at.path, "x"), "one\ntwo\n");
    const shown = await at.run(["tool", "read", "x", "--anchored"]);
    const [anchor = ""] = /^2:[0-9a-f]{4}/m.exec(shown.out) ?? [];
    const anchors = JSON.stringify([{ from: anchor, newText: "2" }]);
    const edited = await at.run(["tool", "edit", "--path", "x", "--anchors", anchors]);
    expect([edited.code, readFileSync(join(at.path, "x"), "utf8")]).toEqual([0, "one\n2\n"]);
    const again = await at.run(["tool", "edit", "--path", "x", "--anchors", anchors]);
    expect([again.code, again.out.includes("is stale")]).toEqual([1, true]);
  });

  test("the settings choose for both", async () => {
    using at = home();
    writeFileSync(join(at.path, "x"), "one  \n");
    const config = join(at.path, "c.toml");
    writeFileSync(config, '[tools]\nedit = "anchored"\n');
    const shown = await at.run(["tool", "read", "x"], { env: { BURIN_CONFIG: config } });
    expect(shown.out).toMatch(/^1:[0-9a-f]{4}\tone/);
    writeFileSync(config, '[tools]\nedit = "exact"\n');
    const input = { edits: [{ oldText: "one\n", newText: "uno\n" }] };
    const exact = await at.run(argsOf("x", input), { env: { BURIN_CONFIG: config } });
    const fuzzy = await at.run(argsOf("x", input));
    expect([
      exact.code,
      fuzzy.code,
      fuzzy.out.includes("tolerated whitespace at line ends"),
    ]).toEqual([1, 0, true]);
  });
});

unless(!isRoot && "only root becomes another user")(
  "the folder of another user among the temporary ones stops nothing and says nothing",
  async () => {
    using tree = tempTree({ "tmp/burin-0123456789ab/": "" });
    const copy = tree.path("burin");
    copyFileSync(BURIN, copy);
    for (const [name, mode] of [
      ["burin", 0o755],
      [".", 0o755],
      ["tmp", 0o777],
    ] as const)
      chmodSync(tree.path(name), mode);
    chmodSync(tree.path("tmp/burin-0123456789ab"), 0o700);
    const child = Bun.spawn([copy, "tool", "bash", "sleep 0.4; echo done"], {
      cwd: tree.root,
      env: { HOME: "/", PATH: "/usr/bin:/bin", TMPDIR: tree.path("tmp") },
      ...AS_NOBODY,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, err, out.split("\n")[0]]).toEqual([0, "", "done"]);
    expect(readdirSync(tree.path("tmp"))).toEqual(["burin-0123456789ab"]);
  },
);
