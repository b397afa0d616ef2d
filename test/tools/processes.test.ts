// Commands: their output, their end, and that nothing of them survives.
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { sentence } from "../../src/base/failure.ts";
import { environment } from "../../src/host/env.ts";
import { listProcesses } from "../../src/host/process-list.ts";
import type { Command, Ended } from "../../src/host/process.ts";
import { localProcesses, type Processes } from "../../src/tools/processes.ts";
import { tempTree } from "../support/temp-tree.ts";
import { until } from "../support/until.ts";

type Ran = Ended & { output: string };

const machines: Processes[] = [];
// A test that fails in the middle must not leave its stubborn children on this machine.
afterEach(() => machines.splice(0).forEach((each) => each.endAll()));

function machine(): Processes {
  const made = localProcesses({ environment: environment(), withheld: [], watcher: null });
  machines.push(made);
  return made;
}

function command(script: string, changes: Partial<Command> = {}): Command {
  return {
    argv: ["bash", "-c", script],
    cwd: "/",
    timeoutMs: 60_000,
    idleMs: 60_000,
    onChunk: () => undefined,
    signal: new AbortController().signal,
    ...changes,
  };
}

async function run(
  script: string,
  changes: Partial<Command> = {},
  processes = machine(),
): Promise<Ran> {
  const chunks: Uint8Array[] = [];
  const onChunk = (bytes: Uint8Array): void => void chunks.push(bytes);
  const ended = await processes.run(command(script, { onChunk, ...changes }));
  if (!ended.ok) throw new Error(sentence(ended.failure));
  return { ...ended.value, output: Buffer.concat(chunks).toString() };
}

function isAlive(pid: number): boolean {
  return listProcesses().some((entry) => entry.pid === pid);
}

/** Pids that a script writes into files of this folder: one that `start` names for each. */
function pidsIn(folder: string): number[] {
  return readdirSync(folder).map((name) => Number(readFileSync(`${folder}/${name}`, "utf8")));
}

describe("output", () => {
  test("is stdout and stderr in the order they were written", async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `${at % 2 === 0 ? "out" : "err"} ${at}`);
    const script = "for i in $(seq 0 2 198); do echo out $i; echo err $((i+1)) >&2; done";
    expect((await run(script)).output).toBe(`${lines.join("\n")}\n`);
  });

  test("can be written through /dev/stdout and /dev/stderr", async () => {
    const ran = await run("echo a >/dev/stdout; echo b >/dev/stderr; echo c | tee /dev/stderr");
    expect(ran.output).toBe("a\nb\nc\nc\n");
  });

  test("is complete however much it is", async () => {
    let bytes = 0;
    const onChunk = (chunk: Uint8Array): void => void (bytes += chunk.length);
    await run("head -c 20000000 /dev/zero", { onChunk });
    expect(bytes).toBe(20_000_000);
  });

  test("without end does not fill the memory", async () => {
    const stop = new AbortController();
    let bytes = 0;
    const before = process.memoryUsage.rss();
    const onChunk = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (bytes > 300_000_000) stop.abort();
    };
    const ran = await run("yes", { onChunk, signal: stop.signal });
    expect(ran.end).toEqual({ kind: "aborted" });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  test("comes while the command runs", async () => {
    using tree = tempTree();
    const gate = tree.path("gate");
    const onChunk = (): void => void Bun.spawnSync(["touch", gate]);
    const ran = await run(`echo first; while [ ! -e ${gate} ]; do sleep 0.01; done`, { onChunk });
    expect(ran.end).toEqual({ kind: "exit", code: 0 });
  });
});

describe("the end", () => {
  test("has the exit code or the signal", async () => {
    expect((await run("exit 7")).end).toEqual({ kind: "exit", code: 7 });
    expect((await run("kill -SEGV $$")).end).toEqual({ kind: "signal", signal: "SIGSEGV" });
  });

  test("is that of the direct child, though a child of it holds the output open", async () => {
    const processes = machine();
    const ran = await run("echo started; sleep 1000 & exit 3", {}, processes);
    expect({ ...ran, durationMs: 0, survivors: ran.survivors.map(({ name }) => name) }).toEqual({
      end: { kind: "exit", code: 3 },
      durationMs: 0,
      survivors: ["sleep"],
      output: "started\n",
    });
    await processes.endSurvivors();
    expect(ran.survivors.map(({ pid }) => isAlive(pid))).toEqual([false]);
  });

  test("of a pipeline reports no survivors", async () => {
    expect((await run("yes | head -n 1")).survivors).toEqual([]);
  });

  test("comes at once with stdin, which is empty", async () => {
    expect(await run("cat; read -r line; echo $?")).toMatchObject({ output: "1\n" });
  });

  test("comes by a prompt on the terminal at once: there is none", async () => {
    const ran = await run("read -r line </dev/tty || echo none");
    expect(ran.output).toEndWith("none\n");
  });

  test("is a failure where the folder or the program is missing", async () => {
    const processes = machine();
    const nowhere = await processes.run(command("true", { cwd: "/nowhere" }));
    const nothing = await processes.run({ ...command(""), argv: ["no-such-program-here"] });
    expect(nowhere).toEqual({
      ok: false,
      failure: {
        kind: "missing",
        what: "the working directory /nowhere is not a folder; nothing was run",
      },
    });
    expect(!nothing.ok && sentence(nothing.failure)).toContain("could not be started");
  });

  test("is a failure with a way out where the command is too long for the system", async () => {
    const long = await machine().run(command(`: ${"x".repeat(4_000_000)}`));
    expect(!long.ok && sentence(long.failure)).toContain("write it to a file");
  });

  test("comes before the start where it was stopped already", async () => {
    using tree = tempTree();
    const signal = AbortSignal.abort();
    const ran = await run(`touch ${tree.path("ran")}`, { signal });
    expect([ran.end, existsSync(tree.path("ran"))]).toEqual([{ kind: "aborted" }, false]);
  });
});

/** Each writes its pid into a file of the folder and then stays. */
function family(folder: string): string {
  const stay = (name: string): string =>
    `echo $BASHPID > ${folder}/${name}; while :; do sleep 1000; done`;
  return [
    `(setsid bash -c '${stay("session")}' &)`,
    `( (${stay("forked-twice")}) & )`,
    `(trap "" TERM; ${stay("stubborn")}) &`,
    `env -i "$BASH" -c '${stay("bare")}' &`,
    CAN_ESCAPE ? "" : `(setsid env -i "$BASH" -c '${stay("escaped")}' &)`,
    `(${stay("stopped")}) & STOPPED=$!`,
    `while [ ! -s ${folder}/stopped ]; do sleep 0.01; done; kill -STOP $STOPPED`,
    stay("main"),
  ].join("\n");
}
/** Only Linux has a sign that the escaped one cannot shed. */
const CAN_ESCAPE = process.platform !== "linux";
const FAMILY_SIZE = CAN_ESCAPE ? 6 : 7;

describe("ending", () => {
  test("by a timeout takes the whole family", async () => {
    using tree = tempTree({ "pids/": "" });
    const folder = tree.path("pids");
    const onTime = run(family(folder), { timeoutMs: 3000 });
    await until(
      "all of the family run",
      () => pidsIn(folder).filter(Boolean).length === FAMILY_SIZE,
    );
    const pids = pidsIn(folder);
    expect((await onTime).end).toEqual({ kind: "timeout", afterMs: 3000 });
    expect(pids.filter(isAlive)).toEqual([]);
  }, 20_000);

  test("by silence names it", async () => {
    const ran = await run("echo hello; sleep 1000", { idleMs: 200 });
    expect([ran.end, ran.output]).toEqual([{ kind: "idle", afterMs: 200 }, "hello\n"]);
  });

  test("by the person's stop takes the whole family", async () => {
    using tree = tempTree({ "pids/": "" });
    const folder = tree.path("pids");
    const stop = new AbortController();
    const stopped = run(family(folder), { signal: stop.signal });
    await until(
      "all of the family run",
      () => pidsIn(folder).filter(Boolean).length === FAMILY_SIZE,
    );
    const pids = pidsIn(folder);
    stop.abort();
    expect((await stopped).end).toEqual({ kind: "aborted" });
    expect(pids.filter(isAlive)).toEqual([]);
  }, 20_000);

  test("at exit takes what runs and what was left running, and needs no event loop", async () => {
    using tree = tempTree({ "pids/": "" });
    const folder = tree.path("pids");
    const processes = machine();
    const left = await run("setsid sleep 1000 & disown; sleep 0.1", {}, processes);
    const running = run(family(folder), {}, processes);
    await until(
      "all of the family run",
      () => pidsIn(folder).filter(Boolean).length === FAMILY_SIZE,
    );
    const pids = [...pidsIn(folder), ...left.survivors.map(({ pid }) => pid)];
    processes.endAll();
    expect(pids.length).toBe(FAMILY_SIZE + 1);
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await running).end.kind).toBe("signal");
  }, 20_000);

  test("of one burin's commands spares those of another", async () => {
    const [one, other] = [machine(), machine()];
    const left = await run("setsid sleep 1000 & sleep 0.1", {}, other);
    await run("true", {}, one);
    one.endAll();
    expect(left.survivors.map(({ pid }) => isAlive(pid))).toEqual([true]);
    other.endAll();
  });

  test("of one command's survivors spares the command that runs", async () => {
    const processes = machine();
    const left = await run("sleep 1000 &", {}, processes);
    const stop = new AbortController();
    let pid = 0;
    const onChunk = (bytes: Uint8Array): void => void (pid = Number(Buffer.from(bytes).toString()));
    const running = run("echo $$; sleep 1000", { onChunk, signal: stop.signal }, processes);
    await until("the second command runs", () => pid > 0);
    await processes.endSurvivors();
    expect([isAlive(left.survivors[0]?.pid ?? 0), isAlive(pid)]).toEqual([false, true]);
    stop.abort();
    await running;
  });
});

test("a server in the background may go on writing after its command has ended", async () => {
  using tree = tempTree();
  const processes = machine();
  const gate = tree.path("gate");
  const server = `while [ ! -e ${gate} ]; do sleep 0.01; done; echo log && echo log && touch ${gate}.done; sleep 1000`;
  await run(`(${server}) &`, {}, processes);
  Bun.spawnSync(["touch", gate]);
  await until("the server has written", () => existsSync(`${gate}.done`));
  await processes.endSurvivors();
});

test("200 commands leave no open file behind", async () => {
  const processes = machine();
  const openFiles = (): number => readdirSync("/dev/fd").length;
  await run("true", {}, processes);
  const before = openFiles();
  for (let at = 0; at < 200; at += 1) await run("echo x; echo y >&2", {}, processes);
  await until("all pipes are closed", () => openFiles() <= before);
}, 30_000);

test("commands see no credentials, no BUN_ variables and no pager", async () => {
  const processes = localProcesses({
    environment: {
      ...environment(),
      OPENAI_API_KEY: "key",
      MY_PROXY_KEY: "key",
      BUN_OPTIONS: "--print 1",
      BUN_BE_BUN: "1",
      SSH_ASKPASS: "/bin/ask",
      PAGER: "less",
      EDITOR: "vi",
      SUDO_ASKPASS: "/bin/ask",
      CI: "1",
    },
    withheld: ["MY_PROXY_KEY"],
    watcher: null,
  });
  const ran = await run("env", {}, processes);
  const seen = Object.fromEntries(ran.output.split("\n").map((line) => line.split("=", 2)));
  const names = [
    "OPENAI_API_KEY",
    "MY_PROXY_KEY",
    "BUN_OPTIONS",
    "BUN_BE_BUN",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
  ];
  expect(names.map((name) => seen[name])).toEqual(names.map(() => undefined));
  expect(seen).toMatchObject({
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    DEBIAN_FRONTEND: "noninteractive",
    EDITOR: "false",
    CI: "1",
  });
});
