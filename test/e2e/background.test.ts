// Commands in the background through the whole program: told of at the next request, ended with burin, kept where that was asked for.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { home } from "../support/binary.ts";
import { peakMemoryMb, pidsOf } from "../support/processes.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";
import { until } from "../support/until.ts";
import { unless } from "../support/unless.ts";

/** No other test sleeps so long: it can be found among all processes. */
const SECONDS = `8${process.pid}`;
const CALLS = 200;
/** What 200 calls may add to the memory: the log, the requests, and the garbage between two collections. */
const MAX_GROWTH_MB = 40;
/** The last command's pipe may still be closing at the moment of the look; a leak would be one for each call. */
const MAX_LEFT = 5;

type Message = { role: string; content: string };

function bash(command: string, more: object = {}): ReplayTurn {
  const args = JSON.stringify({ command, ...more });
  return { steps: [{ call: { id: "b", name: "bash", arguments: args } }] };
}

const DONE: ReplayTurn = { steps: [{ text: "done" }] };

function messagesOf(body: string | undefined): Message[] {
  return JSON.parse(body ?? "{}").messages;
}

test("the end of a background command is the last thing the model is told at the next request", async () => {
  using at = home();
  const wait = "while [ ! -e gate ]; do sleep 0.01; done; echo built";
  await using server = await replayServer([
    bash(wait, { background: true }),
    bash("touch gate; while [ ! -e seen ]; do sleep 0.01; done"),
    DONE,
  ]);
  // Its end must be known before the second command's: that one waits for the first.
  const ended = until("it has ended", () => {
    if (existsSync(join(at.path, "gate")) && pidsOf("bash", "-lc", wait).length === 0)
      Bun.spawnSync(["touch", join(at.path, "seen")]);
    return existsSync(join(at.path, "seen"));
  });
  const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", "--quiet"]);
  await ended;
  expect(ran).toEqual({ code: 0, out: "done\n", err: "" });
  const [, second, third] = server.requests.map(({ body }) => messagesOf(body));
  expect(second?.at(-1)?.content).toContain("[runs in the background as bg1, pid ");
  expect(third?.slice(0, second?.length)).toEqual(second ?? []);
  expect(third?.slice(-2).map(({ role }) => role)).toEqual(["tool", "user"]);
  expect(third?.at(-1)?.content).toMatch(
    /^\[burin: the background command bg1 ended: exit 0 after [\d.]+ s; its whole output: .*\]\n\$ while .*\nbuilt$/,
  );
});

test("a background command ends with a headless run", async () => {
  using at = home();
  const seconds = `${SECONDS}1`;
  await using server = await replayServer([bash(`sleep ${seconds}`, { background: true }), DONE]);
  const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", "--quiet"]);
  expect([ran.code, pidsOf("sleep", seconds)]).toEqual([0, []]);
});

test("a kept one goes on, also when burin is killed", async () => {
  using at = home();
  const seconds = `${SECONDS}2`;
  await using server = await replayServer([
    bash(`echo up; sleep ${seconds}; true`, { keep: true }),
    bash(`sleep ${seconds}9`),
  ]);
  const child = at.start(["-p", "x", "--base-url", server.url, "-m", "m"]);
  await until("both run", () => pidsOf("sleep", `${seconds}9`).length === 1);
  child.kill("SIGKILL");
  await child.exited;
  await until("the other one is gone", () => pidsOf("sleep", `${seconds}9`).length === 0);
  const told = messagesOf(server.requests[1]?.body).at(-1)?.content ?? "";
  const file = /its output goes to (\S+\.txt)/.exec(told)?.[1] ?? "";
  const [kept] = pidsOf("sleep", seconds);
  try {
    expect([kept === undefined, readFileSync(file, "utf8")]).toEqual([false, "up\n"]);
  } finally {
    if (kept !== undefined) process.kill(Number(kept), "SIGKILL");
    rmSync(file, { force: true });
  }
});

unless(process.platform !== "linux" && "this asks the /proc of Linux")(
  "kill -9 of burin ends also what shed session, environment and parent",
  async () => {
    using at = home();
    const seconds = `${SECONDS}3`;
    const escapee = `(setsid env -i /bin/bash -c 'trap "" TERM; (exec setsid sleep ${seconds}) </dev/null >/dev/null 2>&1 & wait' &)`;
    await using server = await replayServer([bash(`${escapee}\nsleep ${seconds}`)]);
    const child = at.start(["-p", "x", "--base-url", server.url, "-m", "m"]);
    await until("both run", () => pidsOf("sleep", seconds).length === 2);
    child.kill("SIGKILL");
    await until("both are gone", () => pidsOf("sleep", seconds).length === 0);
  },
);

test("200 calls leave no open file, no process and no folder, and memory stays flat", async () => {
  using at = home();
  const seen: { files: number; peak: number; children: number }[] = [];
  const running: { pid: number }[] = [];
  const noisy = "seq 100; echo err >&2; echo $TMPDIR > temp; mktemp >/dev/null";
  await using server = await replayServer(
    [...Array.from({ length: CALLS }, () => bash(noisy)), DONE],
    ({ request, bytes }) => {
      if (bytes !== 0 || (request !== 21 && request !== CALLS + 1)) return;
      for (const { pid } of running)
        seen.push({
          files: readdirSync(`/proc/${pid}/fd`).length,
          peak: peakMemoryMb(pid),
          children: childrenOf(pid),
        });
    },
  );
  const child = at.start(["-p", "x", "--base-url", server.url, "-m", "m", "--max-rounds", "300"]);
  running.push(child);
  const [out] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const [early, late] = seen;
  if (early === undefined || late === undefined) throw new Error("burin was not looked at");
  expect(out).toBe("done\n");
  expect(late.children - early.children).toBeLessThan(MAX_LEFT);
  expect(late.files - early.files).toBeLessThan(MAX_LEFT);
  expect(late.peak - early.peak).toBeLessThan(MAX_GROWTH_MB);
  const temp = readFileSync(join(at.path, "temp"), "utf8").trim();
  expect([temp.includes("burin-"), existsSync(temp)]).toEqual([true, false]);
}, 120_000);

function childrenOf(pid: number): number {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").length;
}
