// Threads that help a large search along: the one that searches offers its batches, and does itself what none has begun.
import type { Batch, BatchResult } from "./batch.ts";
import { claim } from "./claim.ts";
import {
  endThreads,
  forget,
  goOn,
  handOut,
  HELD,
  newCrew,
  rest,
  startThread,
  stopJob,
  type Crew,
} from "./crew.ts";
import type { Query } from "./match.ts";

export type Pool = {
  begin: (query: Query) => Job;
  /** Ends all threads. */
  end: () => void;
};

export type Job = {
  /** Starts threads once the job turns out large. */
  offer: (batch: Batch) => Offer;
  /** How many offers may be open: so many that no thread waits, none while there are no threads. */
  ahead: () => number;
  /** Frees the threads at once. */
  end: () => void;
};

export type Offer = {
  /** Whether the caller is to search the batch: true once, and only as long as no thread has begun. */
  claim: () => boolean;
  /** What a thread found; null as long as it is not known. */
  found: () => BatchResult | null;
  /** When a thread has answered, has died or was stopped. */
  settled: Promise<void>;
};

export type PoolOptions = {
  entry: string | URL;
  most: number;
  /** Files of a search from which on threads help. */
  worthFrom: number;
};

/** Files for which one more thread is worth its start. */
const FILES_EACH = 4_000;

export function poolOf({ entry, most, worthFrom }: PoolOptions): Pool {
  const crew = newCrew();
  const jobs = new Set<number>();
  const last = { job: 0, id: 0 };
  return {
    begin(query) {
      const job = ++last.job;
      let files = 0;
      jobs.add(job);
      goOn(crew);
      return {
        offer(batch) {
          files += batch.paths.length;
          const wanted = files < worthFrom ? 0 : Math.min(most, Math.ceil(files / FILES_EACH));
          while (crew.threads.size < wanted) startThread(crew, entry);
          return offerTo(crew, { id: ++last.id, job, query, batch });
        },
        ahead: () => (crew.threads.size === 0 ? 0 : HELD * (crew.threads.size + 1)),
        end() {
          if (!jobs.delete(job)) return;
          stopJob(crew, job);
          if (jobs.size === 0) rest(crew);
        },
      };
    },
    end: () => endThreads(crew),
  };
}

type Task = { id: number; job: number; query: Query; batch: Batch };

function offerTo(crew: Crew, task: Task): Offer {
  const { claims, threads } = crew;
  Atomics.store(claims, task.id % claims.length, task.id);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let found: BatchResult | null = null;
  const settle = (result: BatchResult | null): void => {
    found = result;
    resolve(undefined);
  };
  if (threads.size > 0) {
    crew.waiting.push({ ...task, settle });
    handOut(crew);
  }
  return {
    claim() {
      const isOurs = claim(claims, task.id);
      if (isOurs) forget(crew, task.id);
      return isOurs;
    },
    found: () => found,
    settled: promise,
  };
}

const MAX_THREADS = 11;

/** The process's own threads, one for each core but the one that asks: this program once more, `main` sees which. */
export const searchPool: Pool = poolOf({
  entry: Bun.isStandaloneExecutable ? Bun.main : new URL("../main.ts", import.meta.url),
  most: Math.min(MAX_THREADS, navigator.hardwareConcurrency - 1),
  worthFrom: 1_000,
});
