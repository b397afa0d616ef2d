// Threads in a search: the same answers as without, also when they die, and nothing left running after a cancel.
import { expect, test } from "bun:test";
import { toBytes } from "../../src/search/bytes.ts";
import { grep, type GrepEvent, type GrepRequest } from "../../src/search/grep.ts";
import { matcherOf } from "../../src/search/match.ts";
import { poolOf, type Pool } from "../../src/search/pool.ts";
import type { Wanted } from "../../src/search/scan-state.ts";
import { collect } from "../support/collect.ts";
import { random } from "../support/random.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { until } from "../support/until.ts";

const MAIN = new URL("../../src/main.ts", import.meta.url);

function poolFrom(entry: string | URL, most = 2): Pool & Disposable {
  const pool = poolOf({ entry, most, worthFrom: 1 });
  return { ...pool, [Symbol.dispose]: pool.end };
}

function request(tree: TempTree, pattern: string, pool: Pool): GrepRequest {
  const matcher = matcherOf({ pattern, regex: true, ignoreCase: false, multiline: false });
  if (!matcher.ok) throw new Error("no pattern");
  return {
    roots: [{ path: toBytes(tree.root), shown: "", kind: "folder" }],
    matcher: matcher.value,
    wanted: () => ({ what: "lines", perFile: 3, context: 1, lineCap: 80 }),
    globs: [],
    cwd: toBytes(tree.root),
    skip: new Set(),
    isPrivate: () => false,
    pool,
  };
}

/** Many files, some of them with matches, one that is binary. */
function manyFiles(count: number): TempTree {
  const chance = random(count);
  const files: Record<string, string> = { binary: "x\0" };
  for (let at = 0; at < count; at += 1) {
    const lines = Array.from({ length: 40 }, () => (chance.chance(0.02) ? `x ${at}` : "no"));
    files[`${at % 30}/f${at}`] = lines.join("\n");
  }
  return tempTree(files);
}

/** A pool whose threads are seen at work: how many answers came from them. */
function counted(pool: Pool): { pool: Pool; answers: () => number } {
  let answers = 0;
  return {
    answers: () => answers,
    pool: {
      ...pool,
      begin(query) {
        const job = pool.begin(query);
        return {
          ...job,
          offer(batch) {
            const offer = job.offer(batch);
            void offer.settled.then(() => {
              answers += offer.found() === null ? 0 : 1;
              return answers;
            });
            return offer;
          },
        };
      },
    },
  };
}

async function alone(tree: TempTree, pattern: string): Promise<GrepEvent[]> {
  const pool = poolOf({ entry: MAIN, most: 0, worthFrom: Infinity });
  return collect(grep(request(tree, pattern, pool), new AbortController().signal));
}

test("threads give the same, in the same order, as one thread alone", async () => {
  using tree = manyFiles(4_000);
  using threads = poolFrom(MAIN);
  const { pool, answers } = counted(threads);
  const expected = await alone(tree, "x \\d");
  // Threads need a moment to start: the first searches may be over before.
  for (let turn = 0; turn < 200 && answers() === 0; turn += 1) {
    const events = await collect(grep(request(tree, "x \\d", pool), new AbortController().signal));
    expect(events).toEqual(expected);
  }
  expect(answers()).toBeGreaterThan(0);
}, 30_000);

test("when a limit is reached meanwhile no more is given than is wanted by then", async () => {
  using tree = manyFiles(4_000);
  using pool = poolFrom(MAIN);
  let left = 5;
  const wanted = (): Wanted => ({ what: "lines", perFile: left, context: 0, lineCap: 80 });
  for await (const event of grep(
    { ...request(tree, "x", pool), wanted },
    new AbortController().signal,
  )) {
    if (event.type === "end") continue;
    expect(event.result.lines.length).toBe(Math.min(left, event.result.matches));
    left -= event.result.lines.length;
  }
  expect(left).toBe(0);
});

const ENDS: Record<string, string> = {
  "dies when asked": `self.onmessage = ({ data }) => { if (data.kind === "task") process.exit(1); };`,
  "fails when asked": `self.onmessage = ({ data }) => { if (data.kind === "task") throw new Error("bug"); };`,
  "claims and dies": `let claims; self.onmessage = ({ data }) => {
    if (data.kind === "claims") claims = data.claims;
    if (data.kind !== "task") return;
    const { id } = data.task;
    if (Atomics.compareExchange(claims, id % claims.length, id, 0) === id) process.exit(1);
  };`,
};

for (const [what, code] of Object.entries(ENDS)) {
  test(`a thread that ${what} costs no result`, async () => {
    using tree = manyFiles(3_000);
    using scripts = tempTree({ "thread.ts": `${code}\npostMessage({ kind: "ready" });` });
    using pool = poolFrom(scripts.path("thread.ts"));
    const expected = await alone(tree, "x");
    for (let turn = 0; turn < 5; turn += 1) {
      const signal = new AbortController().signal;
      expect(await collect(grep(request(tree, "x", pool), signal))).toEqual(expected);
    }
  });
}

test("a thread that cannot start leaves the search to the one that asks", async () => {
  using tree = manyFiles(1_000);
  using pool = poolFrom("/nowhere/thread.ts");
  const signal = new AbortController().signal;
  expect(await collect(grep(request(tree, "x", pool), signal))).toEqual(await alone(tree, "x"));
});

/** Resolves once the process takes next to no time: its threads rest. */
async function quiet(): Promise<void> {
  let last = { at: performance.now(), cpu: process.cpuUsage() };
  await until("the process rests", () => {
    const passedMs = performance.now() - last.at;
    if (passedMs < 50) return false;
    const { user, system } = process.cpuUsage(last.cpu);
    last = { at: performance.now(), cpu: process.cpuUsage() };
    return user + system < passedMs * 500;
  });
}

test("a cancel in the midst ends at once and leaves no thread at work", async () => {
  const large = "no match here\n".repeat(100_000);
  using tree = tempTree(
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, large])),
  );
  using pool = poolFrom(MAIN);
  const stop = new AbortController();
  const search = collect(grep(request(tree, "[a-z]+\\d", pool), stop.signal));
  setTimeout(() => stop.abort(), 60);
  const [end, ...more] = await search;
  expect(more).toEqual([]);
  // All of it would take seconds.
  expect(end?.type === "end" ? end.searched : 300).toBeLessThan(300);
  await quiet();
}, 30_000);

test("a thread that is stuck is ended by a cancel", async () => {
  using tree = manyFiles(2_000);
  using scripts = tempTree({
    "thread.ts": `let claims; self.onmessage = ({ data }) => {
      if (data.kind === "claims") claims = data.claims;
      if (data.kind !== "task") return;
      const { id } = data.task;
      if (Atomics.compareExchange(claims, id % claims.length, id, 0) === id) for (;;);
    };
    postMessage({ kind: "ready" });`,
  });
  using pool = poolFrom(scripts.path("thread.ts"), 1);
  for (let turn = 0; turn < 3; turn += 1) {
    const signal = AbortSignal.timeout(300);
    await collect(grep(request(tree, "x", pool), signal));
  }
  await quiet();
}, 30_000);
