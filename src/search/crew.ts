// The threads of a pool: starts them, hands them batches, takes what they answer, and ends those that are stuck or idle.
import type { Batch, BatchResult } from "./batch.ts";
import { claim } from "./claim.ts";
import type { Query } from "./match.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** `settle` is given null when the thread has died or the job has ended. */
export type Open = { id: number; job: number; settle: (result: BatchResult | null) => void };
export type Waiting = Open & { query: Query; batch: Batch };

type Thread = { worker: Worker; isReady: boolean; open: Map<number, Open> };

export type Crew = {
  threads: Set<Thread>;
  /** What no thread holds yet. */
  waiting: Waiting[];
  /** Shared with the threads. */
  claims: Int32Array;
  idle: Timer | null;
};

/** Batches a thread holds: it must not wait while the main thread is busy for a moment. */
export const HELD = 32;
/** More than batches can be open at a time. */
const CLAIMS = 16_384;
const IDLE_MS = 30_000;
/** A thread that does not come to an end in one file is ended. */
const STUCK_MS = 300;

export function newCrew(): Crew {
  const claims = new Int32Array(new SharedArrayBuffer(CLAIMS * Int32Array.BYTES_PER_ELEMENT));
  return { threads: new Set(), waiting: [], claims, idle: null };
}

/** An idle thread keeps no process alive. */
export function startThread(crew: Crew, entry: string | URL): void {
  const worker = new Worker(entry, { ref: false });
  const thread: Thread = { worker, isReady: false, open: new Map() };
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    hear(crew, thread, data);
  });
  worker.addEventListener("error", (event) => {
    // Else it would be printed.
    event.preventDefault();
    lose(crew, thread);
  });
  worker.addEventListener("close", () => lose(crew, thread));
  crew.threads.add(thread);
}

function hear(crew: Crew, thread: Thread, message: FromWorker): void {
  if (message.kind === "ready") {
    thread.isReady = true;
    send(thread, { kind: "claims", claims: crew.claims });
  } else {
    thread.open.get(message.id)?.settle(message.result);
    thread.open.delete(message.id);
  }
  handOut(crew);
  if (thread.open.size === 0) thread.worker.unref();
}

/** What it held is given back. */
function lose(crew: Crew, thread: Thread): void {
  if (!crew.threads.delete(thread)) return;
  thread.worker.terminate();
  for (const open of thread.open.values()) open.settle(null);
}

/** What waits goes to the threads that hold least. */
export function handOut(crew: Crew): void {
  for (let next = freest(crew); next !== null; next = freest(crew)) {
    const task = crew.waiting.shift();
    if (task === undefined) return;
    const { id, job, query, batch } = task;
    const { paths, wanted, binary } = batch;
    if (next.open.size === 0) next.worker.ref();
    next.open.set(id, task);
    const sent = { id, job, query, paths: paths.join("\0"), wanted, binary };
    send(next, { kind: "task", task: sent });
  }
}

function freest({ threads }: Crew): Thread | null {
  let best: Thread | null = null;
  for (const thread of threads) {
    const isBetter = thread.open.size < (best?.open.size ?? HELD);
    if (thread.isReady && isBetter) best = thread;
  }
  return best;
}

/** A batch that another does: a thread that holds it will pass it over. */
export function forget(crew: Crew, id: number): void {
  crew.waiting = crew.waiting.filter((task) => task.id !== id);
  for (const { open, worker } of crew.threads) {
    if (open.delete(id) && open.size === 0) worker.unref();
  }
}

/** Ends a job: what is not begun never will be, what is begun is left soon, if need be by ending the thread. */
export function stopJob(crew: Crew, job: number): void {
  crew.waiting = crew.waiting.filter((task) => task.job !== job);
  for (const thread of crew.threads) {
    const ours = [...thread.open.values()].filter((open) => open.job === job);
    for (const open of ours) {
      open.settle(null);
      if (claim(crew.claims, open.id)) forget(crew, open.id);
    }
    const begun = ours.filter(({ id }) => thread.open.has(id));
    if (begun.length === 0) continue;
    send(thread, { kind: "stop", job });
    const endStuck = (): void => {
      if (begun.some(({ id }) => thread.open.has(id))) lose(crew, thread);
    };
    setTimeout(endStuck, STUCK_MS).unref();
  }
}

/** Nothing is to be done: the threads are kept for a while. */
export function rest(crew: Crew): void {
  crew.idle = setTimeout(() => endThreads(crew), IDLE_MS);
  crew.idle.unref();
}

export function goOn(crew: Crew): void {
  if (crew.idle !== null) clearTimeout(crew.idle);
  crew.idle = null;
}

export function endThreads(crew: Crew): void {
  for (const thread of crew.threads) lose(crew, thread);
}

function send({ worker }: Thread, message: ToWorker): void {
  worker.postMessage(message, []);
}
