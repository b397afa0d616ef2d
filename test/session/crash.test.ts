// What other processes do to a log: being killed at any moment, holding it, wanting the same name.
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { openLog } from "../../src/session/reopen.ts";
import { random } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { until } from "../support/until.ts";

const WRITER = Bun.fileURLToPath(import.meta.resolve("./writer.ts"));
const KILLS = 12;

function start(path: string, work: string) {
  return Bun.spawn([process.execPath, WRITER, path, work], { stdout: "pipe", stderr: "inherit" });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

test("a writer killed at any moment loses nothing that append returned for", async () => {
  using tree = tempTree();
  const chance = random(1);
  const path = tree.path("x.jsonl");
  const told: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const writer = start(path, "write");
    const enough = sizeOf(path) + 1 + chance.int(400_000);
    const out = new Response(writer.stdout).text();
    await until("the writer wrote", () => sizeOf(path) > enough);
    writer.kill("SIGKILL");
    await writer.exited;
    told.push(...(await out).split("\n").slice(0, -1));

    const log = openLog(path);
    if (!log.ok) throw new Error(JSON.stringify(log.failure));
    const found = new Set(log.value.events().map(({ id }) => id));
    expect(told.filter((id) => !found.has(id))).toEqual([]);
    expect(log.value.events().length - told.length).toBeLessThanOrEqual(kill + 1);
    expect(log.value.skipped.length).toBeLessThanOrEqual(kill + 1);
    log.value.close();
  }
}, 60_000);

test("kill -9 keeps what was read of a running reply", async () => {
  using tree = tempTree();
  const path = tree.path("x.jsonl");
  const writer = start(path, "stream");
  await until("the journal holds some of it", () => sizeOf(`${path}.journal`) > 200);
  const journal = readFileSync(`${path}.journal`, "utf8");
  writer.kill("SIGKILL");
  await writer.exited;

  const log = openLog(path);
  if (!log.ok) throw new Error(JSON.stringify(log.failure));
  const [, reply] = log.value.events();
  if (reply?.type !== "message.assistant") throw new Error("no reply was recovered");
  const [part] = reply.data.content;
  expect(reply.data.status).toBe("interrupted");
  expect(part?.type === "text" && part.text.startsWith("1 2 3 4 5 ")).toBe(true);
  expect(part?.type === "text" && part.text.length).toBeGreaterThanOrEqual(journal.length - 120);
  log.value.close();
}, 30_000);

test("a session open in another process is refused with its pid, until that process is gone", async () => {
  using tree = tempTree();
  const path = tree.path("x.jsonl");
  const holder = start(path, "hold");
  const reader = holder.stdout.getReader();
  await reader.read();
  expect(openLog(path)).toEqual({
    ok: false,
    failure: {
      kind: "denied",
      because: `session x is open in process ${holder.pid}: end that one first, or start a new session`,
    },
  });
  holder.kill("SIGKILL");
  await holder.exited;
  const log = openLog(path);
  expect(log.ok).toBe(true);
  if (log.ok) log.value.close();
}, 30_000);

test("many sessions at once in one folder do not disturb each other", async () => {
  using tree = tempTree();
  const writers = ["a", "b", "c", "d"].map((name) => ({
    path: tree.path(`${name}.jsonl`),
    writer: start(tree.path(`${name}.jsonl`), "write"),
  }));
  const drained = writers.map(({ writer }) => new Response(writer.stdout).text());
  await until("all wrote", () => writers.every(({ path }) => sizeOf(path) > 50_000));
  for (const { writer } of writers) writer.kill("SIGKILL");
  await Promise.all(writers.map(({ writer }) => writer.exited));
  for (const [index, { path }] of writers.entries()) {
    const log = openLog(path);
    if (!log.ok) throw new Error(JSON.stringify(log.failure));
    const told = (await drained[index])?.split("\n").slice(0, -1) ?? [];
    const found = log.value.events().map(({ id }) => id);
    expect(found.slice(0, told.length)).toEqual(told);
    log.value.close();
  }
}, 30_000);
