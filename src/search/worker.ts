// A search thread: searches the batches it is given one after the other, but for those that somebody else has begun.
import { searchBatch, type Batch, type BatchResult } from "./batch.ts";
import { claim } from "./claim.ts";
import { matcherOf, type Matcher, type Query } from "./match.ts";
import { pace } from "./pace.ts";
import { newScratch } from "./search-file.ts";

/** `paths` joined by NUL, which no path holds: one string is copied faster than many. */
export type Task = Omit<Batch, "paths"> & { id: number; job: number; query: Query; paths: string };

export type ToWorker =
  /** Comes first, once. */
  | { kind: "claims"; claims: Int32Array }
  | { kind: "task"; task: Task }
  /** What has begun of a job is left. */
  | { kind: "stop"; job: number };

export type FromWorker = { kind: "ready" } | { kind: "done"; id: number; result: BatchResult };

declare function postMessage(message: FromWorker): void;

export function serve(): void {
  const scratch = newScratch();
  const beat = pace();
  const matcherFor = matchers();
  const tasks: Task[] = [];
  let claims: Int32Array = new Int32Array(0);
  let current: { job: number; stop: AbortController } | null = null;
  async function work(): Promise<void> {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const { id, job, query, paths, wanted, binary } = task;
      if (!claim(claims, id)) continue;
      const stop = new AbortController();
      current = { job, stop };
      const batch = { paths: paths.split("\0"), wanted, binary };
      const run = { scratch, pace: beat, signal: stop.signal };
      postMessage({
        kind: "done",
        id,
        result: await searchBatch(batch, matcherFor(query), run),
      });
    }
    current = null;
  }
  addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    switch (data.kind) {
      case "claims":
        claims = data.claims;
        return;
      case "task":
        tasks.push(data.task);
        if (current === null) void work();
        return;
      case "stop":
        if (current?.job === data.job) current.stop.abort();
        return;
    }
  });
  // Whatever comes before this is lost.
  postMessage({ kind: "ready" });
}

/** Makes a matcher for each new query; batches of one search follow each other. */
function matchers(): (query: Query) => Matcher {
  let made: { key: string; matcher: Matcher } | null = null;
  return (query) => {
    const key = JSON.stringify(query);
    if (made?.key === key) return made.matcher;
    const matcher = matcherOf(query);
    if (!matcher.ok) throw new Error(`a search thread was given a query that is none: ${key}`);
    made = { key, matcher: matcher.value };
    return matcher.value;
  };
}
