// What every turn took, of all sessions, in one file of their own: a line for each turn and model, in the order they ended.
import { join } from "node:path";
import type { Failure } from "../base/failure.ts";
import { openAppend } from "../host/append.ts";
import { waitForLock } from "../host/wait-lock.ts";
import type { SessionEvent } from "./event.ts";
import { totals, wholeCost } from "./usage.ts";

export type UsageLine = {
  v: 1;
  /** When the turn ended, as ISO 8601 in UTC. */
  time: string;
  session: string;
  /** The folder of the session. */
  project: string;
  provider: string;
  model: string;
  rounds: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  /** Null where the price of a round is not known. */
  costUsd: number | null;
};

/** Others hold the lock for one write; a file system on which it is stuck shall not cost the line. */
const LOCK_MS = 2000;

export function usageFile(data: string): string {
  return join(data, "usage.jsonl");
}

type Turn = Pick<UsageLine, "time" | "session" | "project">;
type Asked = Pick<UsageLine, "provider" | "model">;

/** A line for each model that was asked from the event at `from` on: another may have stood by in the middle of a turn. */
export function usageOf(events: readonly SessionEvent[], from: number, turn: Turn): UsageLine[] {
  const lines: UsageLine[] = [];
  let asked: Asked | null = null;
  let since = from;
  for (const [at, event] of events.entries()) {
    const next = askedBy(event);
    if (next === null) continue;
    if (asked !== null && at > since) lines.push(...lineOf(events.slice(since, at), asked, turn));
    asked = next;
    since = Math.max(from, at);
  }
  return asked === null ? lines : [...lines, ...lineOf(events.slice(since), asked, turn)];
}

function askedBy(event: SessionEvent): Asked | null {
  if (event.type !== "session.started" && event.type !== "model.changed") return null;
  return { provider: event.data.provider, model: event.data.model };
}

/** None where no request was answered. */
function lineOf(events: readonly SessionEvent[], asked: Asked, turn: Turn): UsageLine[] {
  const sum = totals(events);
  if (sum.rounds === 0) return [];
  let cacheWrite = 0;
  for (const event of events) {
    if (event.type === "model.usage") cacheWrite += event.data.usage.cacheWrite;
  }
  const { rounds, input, cached: cacheRead, output, reasoning } = sum;
  const tokens = { input, cacheRead, cacheWrite, output, reasoning };
  const { time, session, project } = turn;
  const { provider, model } = asked;
  const costUsd = wholeCost(sum);
  return [{ v: 1, time, session, project, provider, model, rounds, ...tokens, costUsd }];
}

/** One at a time, so that no two lines run into each other on a file system where appending is not one step. */
export async function addUsage(file: string, lines: readonly UsageLine[]): Promise<Failure | null> {
  if (lines.length === 0) return null;
  const attempt = await waitForLock(`${file}.lock`, LOCK_MS, new AbortController().signal);
  try {
    const opened = openAppend(file);
    if (!opened.ok) return opened.failure;
    const failure = opened.value.append(lines.map((line) => JSON.stringify(line)).join("\n"));
    opened.value.close();
    return failure;
  } finally {
    if (attempt.kind === "locked") attempt.lock.release();
  }
}
