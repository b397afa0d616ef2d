// Commands in the background: what bash says of them, what tasks shows, and how their end becomes known.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { listProcesses } from "../../src/host/process-list.ts";
import { bashTool } from "../../src/tools/bash.ts";
import type { BackgroundRun } from "../../src/tools/background-run.ts";
import { tasksTool } from "../../src/tools/tasks.ts";
import type { Kit } from "../../src/tools/tool.ts";
import { tempTree } from "../support/temp-tree.ts";
import { textOf, toolKit } from "../support/tool-kit.ts";
import { until } from "../support/until.ts";

function isAlive(pid: number): boolean {
  return listProcesses().some((entry) => entry.pid === pid);
}

/** Runs until its gate is opened. */
function waiting(gate: string): string {
  return `while [ ! -e ${gate} ]; do sleep 0.01; done`;
}

function open(gate: string): void {
  Bun.spawnSync(["touch", gate]);
}

async function start(command: string, kit: Kit, more: object = {}): Promise<BackgroundRun> {
  await textOf(bashTool, { command, background: true, ...more }, kit);
  const run = kit.processes.background.at(-1);
  if (run === undefined) throw new Error("nothing was started");
  return run;
}

/** Without times, pids and the names of files. */
function plain(text: string, root: string): string {
  return text
    .replaceAll(/pid \d+/g, "pid N")
    .replaceAll(/, [\d.]+ s\b/g, ", T s")
    .replaceAll(/after [\d.]+ s/g, "after T s")
    .replaceAll(/[-/\w.]*(?:background|kept)-\w{8}\.txt/g, "FILE")
    .replaceAll(root, "ROOT");
}

describe("bash in the background", () => {
  test("returns while the command runs, with its first output and where the rest goes", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const command = `echo ready; ${waiting(tree.path("gate"))}`;
    const text = await textOf(bashTool, { command, run_in_background: true }, kit);
    expect(plain(text, tree.root)).toBe(
      "ready\n[runs in the background as bg1, pid N, until the session ends; its output goes to FILE; you will be told when it ends]",
    );
  });

  test("is an ordinary result where the command ends at once", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const text = await textOf(bashTool, { command: "echo no; exit 3", background: true }, kit);
    expect([plain(text, tree.root), kit.processes.news()]).toEqual([
      "no\n[exit 3, T s, in ROOT]",
      [],
    ]);
  });

  test("has no time limit and stays when the turn ends", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const run = await start(waiting(tree.path("gate")), kit, { timeout: 0.1 });
    await kit.processes.endSurvivors();
    expect([isAlive(run.pid), run.end()]).toEqual([true, null]);
  });

  test("ends with the session, what it started included", async () => {
    using tree = tempTree();
    const kit = toolKit(tree.root);
    const run = await start(`setsid sleep 1000 & echo $!; ${waiting(tree.path("gate"))}`, kit);
    const child = Number(readFileSync(run.file, "utf8"));
    expect([isAlive(run.pid), isAlive(child)]).toEqual([true, true]);
    kit.processes.endAll();
    expect([isAlive(run.pid), isAlive(child)]).toEqual([false, false]);
  });

  test("keeps what it is told to keep, until that is stopped", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const run = await start(`echo kept; ${waiting(tree.path("gate"))}`, kit, { keep: true });
    try {
      await textOf(bashTool, { command: "true" }, kit);
      kit.processes.endAll();
      expect([isAlive(run.pid), readFileSync(run.file, "utf8")]).toEqual([true, "kept\n"]);
      const text = await textOf(tasksTool, { action: "stop", id: "bg1" }, kit);
      expect([isAlive(run.pid), plain(text, tree.root)]).toEqual([
        false,
        "(no new output)\n[bg1 (pid N, kept) ended by SIGTERM, T s; FILE]",
      ]);
    } finally {
      await run.stop();
      rmSync(run.file, { force: true });
    }
  });

  test("holds a flood in bounds and shows its end", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const gate = tree.path("gate");
    const run = await start(`${waiting(gate)}; seq 1000000; echo end; sleep 1000`, kit);
    open(gate);
    await until("all was written", () => readFileSync(run.file, "utf8").endsWith("\nend\n"));
    const { text } = run.look();
    expect([text.slice(0, 4), text.slice(-11), text.includes(run.file)]).toEqual([
      "1\n2\n",
      "1000000\nend",
      true,
    ]);
    expect(text.length).toBeLessThan(60_000);
  });

  test("refuses more than sixteen at once", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const command = waiting(tree.path("gate"));
    const input = { command, background: true };
    await Promise.all(Array.from({ length: 16 }, () => textOf(bashTool, input, kit)));
    expect(await textOf(bashTool, input, kit)).toStartWith(
      "bash: 16 background commands run already: stop one first (bg1, bg2,",
    );
  }, 20_000);
});

describe("news", () => {
  test("tell the end once, with the last output", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const gate = tree.path("gate");
    const run = await start(`echo a; ${waiting(gate)}; echo b; exit 4`, kit);
    expect(kit.processes.news()).toEqual([]);
    open(gate);
    await run.ended;
    const news = kit.processes.news().map((text) => plain(text, tree.root));
    expect(news).toEqual([
      `[burin: the background command bg1 ended: exit 4 after T s; its whole output: FILE]\n$ echo a; ${waiting("ROOT/gate")}; echo b; exit 4\nb`,
    ]);
    expect(kit.processes.news()).toEqual([]);
  });

  test("are none where tasks has shown the end", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const gate = tree.path("gate");
    await start(`${waiting(gate)}; echo done`, kit);
    open(gate);
    const text = await textOf(tasksTool, { action: "wait" }, kit);
    expect(plain(text, tree.root)).toBe("done\n[bg1 (pid N) exit 0, T s; FILE]");
    expect(kit.processes.news()).toEqual([]);
  });
});

describe("tasks", () => {
  test("lists what was started", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const listed = async (): Promise<string> =>
      plain(await textOf(tasksTool, { action: "list" }, kit), tree.root);
    expect(await listed()).toBe("(nothing was started in the background)");
    const gate = tree.path("gate");
    await start(`${waiting(gate)}; false`, kit);
    const second = await start(`${waiting(tree.path("other"))}; true`, kit);
    open(tree.path("other"));
    await second.ended;
    expect(await listed()).toBe(
      `bg1 (pid N) running, T s: ${waiting("ROOT/gate")}; false\nbg2 (pid N) exit 0, T s: ${waiting("ROOT/other")}; true`,
    );
  });

  test("shows of the output what is new", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const [gate, written] = [tree.path("gate"), tree.path("written")];
    await start(`echo old; ${waiting(gate)}; echo new; touch ${written}; sleep 1000`, kit);
    open(gate);
    await until("it has written", () => existsSync(written));
    const look = async (): Promise<string> =>
      plain(await textOf(tasksTool, { action: "output", id: "bg1" }, kit), tree.root);
    let shown = "";
    while (!shown.includes("new")) shown += await look();
    expect([shown.includes("old"), await look()]).toEqual([
      false,
      "(no new output)\n[bg1 (pid N) running, T s; FILE]",
    ]);
  });

  test("waits no longer than it is told, nor after a stop", async () => {
    using tree = tempTree();
    const stop = new AbortController();
    await using kit = toolKit(tree.root, { signal: stop.signal });
    await start(waiting(tree.path("gate")), kit);
    const wait = { action: "wait", id: "bg1" };
    const short = await textOf(tasksTool, { ...wait, timeout: 0.05 }, kit);
    stop.abort();
    const stopped = await textOf(tasksTool, { ...wait, timeout: 600 }, kit);
    expect([short, stopped].map((text) => plain(text, tree.root))).toEqual(
      Array.from({ length: 2 }, () => "(no new output)\n[bg1 (pid N) running, T s; FILE]"),
    );
  });

  test("stops a command with all its processes", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const run = await start(`setsid sleep 1000 & echo $!; ${waiting(tree.path("gate"))}`, kit);
    const child = Number(readFileSync(run.file, "utf8"));
    const text = await textOf(tasksTool, { action: "stop" }, kit);
    expect([plain(text, tree.root), isAlive(run.pid), isAlive(child)]).toEqual([
      "(no new output)\n[bg1 (pid N) stopped, T s; FILE]",
      false,
      false,
    ]);
  });

  test("names what it knows where the id is wrong", async () => {
    using tree = tempTree();
    await using kit = toolKit(tree.root);
    const stop = async (id?: string): Promise<string> =>
      textOf(tasksTool, { action: "stop", ...(id === undefined ? {} : { id }) }, kit);
    expect(await stop("bg1")).toBe(
      "tasks: nothing was started in the background. Nothing was done",
    );
    for (const gate of ["a", "b"]) await start(waiting(tree.path(gate)), kit);
    expect([await stop("bg3"), await stop(), await stop("server")]).toEqual([
      "tasks: there is no background command bg3: did you mean bg1? Nothing was done",
      "tasks: id is missing: one of bg1, bg2. Nothing was done",
      "tasks: there is no background command server: known are bg1, bg2. Nothing was done",
    ]);
  });
});
