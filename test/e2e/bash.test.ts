// Commands through the whole program: what they leave running, how their output comes, how they are ended, what they cost.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../support/binary.ts";
import { peakMemoryMb, pidsOf } from "../support/processes.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

/** No other test sleeps so long: it can be found among all processes. */
const SECONDS = `9${process.pid}`;
/** Held as text or bytes, the output alone would be more than the limit. */
const OUTPUT_MB = 400;
const MAX_MB = 150;

function runs(command: string, more: object = {}): ReplayTurn[] {
  const args = JSON.stringify({ command, ...more });
  return [
    { steps: [{ call: { id: "b", name: "bash", arguments: args } }] },
    { steps: [{ text: "done" }] },
  ];
}

/** What the model was told of the command. */
function resultIn(body: string | undefined): string {
  const messages: { role: string; content: string }[] = JSON.parse(body ?? "{}").messages;
  return messages.find(({ role }) => role === "tool")?.content ?? "";
}

test("a child left in the background that holds standard output delays nothing, and ends with the turn", async () => {
  using at = home();
  const alive: string[][] = [];
  await using server = await replayServer(
    runs(`sleep ${SECONDS} & echo started`),
    ({ request, bytes }) => {
      // The result is there while the child still runs.
      if (request === 2 && bytes === 0) alive.push(pidsOf("sleep", SECONDS));
    },
  );
  const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", "--quiet"]);
  expect({ code: ran.code, out: ran.out, alive: alive.map(({ length }) => length) }).toEqual({
    code: 0,
    out: "done\n",
    alive: [1],
  });
  const result = resultIn(server.requests[1]?.body);
  expect(result.startsWith("started\n")).toBe(true);
  expect(result).toContain(`still running, ended with this turn: sleep (${alive[0]?.[0]})`);
  expect(pidsOf("sleep", SECONDS)).toEqual([]);
});

test("standard output and error come in the order they were written", async () => {
  using at = home();
  const lines = Array.from(
    { length: 200 },
    (_, line) => `${line % 3 === 0 ? "err" : "out"} ${line}`,
  );
  const script =
    'i=0; while [ $i -lt 200 ]; do if [ $((i % 3)) = 0 ]; then echo "err $i" >&2; else echo "out $i"; fi; i=$((i + 1)); done';
  const ran = await at.run(["tool", "bash", script]);
  expect(ran.out.split("\n").slice(0, 200)).toEqual(lines);
});

test("a time-out ends the whole tree, what ignores TERM and what left its group included", async () => {
  using at = home();
  const seconds = `${SECONDS}1`;
  const nasty = `trap '' TERM; sleep ${seconds} & (setsid sh -c 'trap "" TERM; sleep ${seconds}; true' &); touch up; sleep ${seconds}; true`;
  const ran = await at.run(["tool", "bash", "--timeout", "1", nasty]);
  expect({
    code: ran.code,
    up: existsSync(join(at.path, "up")),
    left: pidsOf("sleep", seconds),
  }).toEqual({
    code: 1,
    up: true,
    left: [],
  });
  expect(ran.out).toContain("timeout after 1 s, all its processes ended");
});

test("an output of hundreds of megabytes is not held in memory, and the model gets its head and tail", async () => {
  using at = home();
  const peaks: number[] = [];
  const running: { pid: number }[] = [];
  const command = `yes | head -c ${OUTPUT_MB}000000`;
  await using server = await replayServer(runs(command), ({ request, bytes }) => {
    if (request === 2 && bytes === 0) peaks.push(...running.map(({ pid }) => peakMemoryMb(pid)));
  });
  const child = at.start(["-p", "x", "--base-url", server.url, "-m", "m"]);
  running.push(child);
  const [out, code] = await Promise.all([child.stdout.text(), child.exited, child.stderr.text()]);
  expect({ code, out, measured: peaks.length }).toEqual({ code: 0, out: "done\n", measured: 1 });
  expect(Math.max(...peaks)).toBeLessThan(MAX_MB);
  const result = resultIn(server.requests[1]?.body);
  expect({ isBounded: result.length < 60_000, head: result.slice(0, 4) }).toEqual({
    isBounded: true,
    head: "y\ny\n",
  });
  expect(result).toMatch(/y\ny\n\[exit 0, /);
});

test("a command has no terminal, no input, and waits for nobody", async () => {
  using at = home();
  const ran = await at.run([
    "tool",
    "bash",
    'read line; echo "read $?"; tty; echo "$PAGER $GIT_TERMINAL_PROMPT"',
  ]);
  expect(ran.out.split("\n").slice(0, 3)).toEqual(["read 1", "not a tty", "cat 0"]);
});

test("cd does not carry over to the next command", async () => {
  using at = home();
  const call = (id: string, command: string) => ({
    call: { id, name: "bash", arguments: JSON.stringify({ command }) },
  });
  await using server = await replayServer([
    { steps: [call("a", "mkdir -p in && cd in && pwd > ../first")] },
    { steps: [call("b", "pwd > second")] },
    { steps: [{ text: "done" }] },
  ]);
  await at.run(["-p", "x", "--base-url", server.url, "-m", "m"]);
  const read = (name: string) => readFileSync(join(at.path, name), "utf8");
  expect([read("first"), read("second")]).toEqual([`${at.path}/in\n`, `${at.path}\n`]);
});
