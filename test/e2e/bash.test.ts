// Commands through the whole program: what they leave running, how their output comes, how they are ended, what they cost.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { home } from "../support/binary.ts";
import { peakMemoryMb, pidsOf } from "../support/processes.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";
import { until } from "../support/until.ts";

/** No other test sleeps so long: it can be found among all processes. */
const SECONDS = `9${process.pid}`;
/** Held as text or bytes, the output alone would be more than the limit. */
const OUTPUT_MB = 4096;
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

test("an output of four gigabytes is not held in memory, and the model gets its head and tail", async () => {
  using at = home();
  const peaks: number[] = [];
  const running: { pid: number }[] = [];
  const command = `yes | head -c ${OUTPUT_MB}M`;
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
  expect(result).toContain("left out; the first 100.0 MB are in ");
}, 60_000);

test("a binary output is said to be one", async () => {
  using at = home();
  const ran = await at.run(["tool", "bash", 'cat "$(command -v bash)"']);
  expect(ran.out).toMatch(/^\[binary output \([\d.]+ MB\), not shown; the full output is in \S+:/);
});

test("an editor is refused, and what asks for a password or an answer fails at once with the way out", async () => {
  using at = home();
  const ran = await at.shell(
    `"$BURIN" tool bash 'vim a'; "$BURIN" tool bash 'read -p "Sure? " answer </dev/tty'; "$BURIN" tool bash 'tmux || exit 1'; "$BURIN" tool bash 'top'`,
  );
  expect(ran.out.split("\n")[0]).toStartWith("bash: vim needs a terminal, and there is none:");
  expect(ran.out.split("[it wanted a terminal or an answer, and there is neither:").length).toBe(4);
});

test("what a repository ships changes neither shell nor environment of commands", async () => {
  using at = home();
  await Bun.write(join(at.path, ".env"), "BASH_ENV=./evil.sh\nENV=./evil.sh\nMINE=evil\n");
  await Bun.write(join(at.path, "evil.sh"), "echo evil\n");
  await Bun.write(join(at.path, ".burin/config.toml"), '[tools.bash]\nshell = "sh evil.sh"\n');
  const ran = await at.run(["tool", "bash", 'echo "[$BASH_ENV$ENV$MINE]"; bash -c "echo inner"']);
  expect(ran.out).toStartWith("[]\ninner\n[exit 0,");
});

test("the folder for temporary files goes with the session, and what a crash left with the next one", async () => {
  using at = home();
  const env = { TMPDIR: join(at.path, "tmp") };
  mkdirSync(env.TMPDIR);
  const child = at.start(["tool", "bash", "mktemp; touch up; sleep 1000"], { env });
  await until("the command runs", () => existsSync(join(at.path, "up")));
  child.kill("SIGKILL");
  await child.exited;
  const [left = ""] = foldersIn(env.TMPDIR);
  utimesSync(join(env.TMPDIR, left, ".lock"), LONG_AGO, LONG_AGO);
  await at.run(["tool", "bash", 'mktemp; [ -d "$TMPDIR" ] && sleep 1'], { env });
  expect([left === "", foldersIn(env.TMPDIR)]).toEqual([false, []]);
});

const LONG_AGO = new Date(2020, 1, 1);

function foldersIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^burin-[0-9a-f]{12}$/.test(name));
}

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
