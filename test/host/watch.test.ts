// The watcher: what burin started ends with burin, also when burin is killed.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { listProcesses } from "../../src/host/process-list.ts";
import { tempTree } from "../support/temp-tree.ts";
import { until } from "../support/until.ts";

const SRC = join(import.meta.dir, "../../src");

/** A burin that starts a stubborn command with a child in a session of its own, and then waits for its end. */
const SCRIPT = `
import { environment } from "${SRC}/host/env.ts";
import { localProcesses } from "${SRC}/tools/processes.ts";
const processes = localProcesses({
  environment: environment(),
  withheld: [],
  watcher: [process.execPath, "${SRC}/main.ts", "__watch"],
});
const script = 'trap "" TERM; setsid sleep 1000 & echo $! $$; while :; do sleep 1000; done';
const argv = ["bash", "-c", script];
const signal = new AbortController().signal;
const onChunk = (bytes) => console.log(Buffer.from(bytes).toString());
if (Bun.argv[2] === "stay") void processes.run({ argv, cwd: "/", timeoutMs: 1e6, idleMs: 1e6, onChunk, signal });
else await processes.run({ argv: ["true"], cwd: "/", timeoutMs: 1e6, idleMs: 1e6, onChunk, signal });
`;

function isAlive(pid: number): boolean {
  return listProcesses().some((entry) => entry.pid === pid);
}

function watchers(): number[] {
  return listProcesses()
    .filter(({ pid }) => commandLine(pid).includes("__watch"))
    .map(({ pid }) => pid);
}

function commandLine(pid: number): string {
  return Bun.spawnSync(["ps", "-o", "command=", "-p", String(pid)]).stdout.toString();
}

test("a burin that is killed takes its commands with it", async () => {
  using tree = tempTree({ "burin.ts": SCRIPT });
  const burin = Bun.spawn([process.execPath, tree.path("burin.ts"), "stay"], { stdout: "pipe" });
  const reader = burin.stdout.getReader();
  const first = await reader.read();
  const pids = Buffer.from(first.value ?? [])
    .toString()
    .trim()
    .split(" ")
    .map(Number);
  const watching = watchers().filter((pid) => isChildOf(pid, burin.pid));
  expect([pids.map(isAlive), watching.length]).toEqual([[true, true], 1]);
  burin.kill("SIGKILL");
  await until(
    "the commands and the watcher have ended",
    () => ![...pids, ...watching].some(isAlive),
  );
}, 20_000);

test("a burin with nothing left to do ends, and the watcher does not hold it", async () => {
  using tree = tempTree({ "burin.ts": SCRIPT });
  const burin = Bun.spawn([process.execPath, tree.path("burin.ts"), "go"], { stdout: "ignore" });
  expect(await burin.exited).toBe(0);
}, 20_000);

function isChildOf(pid: number, parent: number): boolean {
  return listProcesses().some((entry) => entry.pid === pid && entry.parent === parent);
}
