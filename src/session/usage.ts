// Totals of a session: tokens by kind, cost, rounds and tools, folded from its events.
import type { Origin, SessionEvent } from "./event.ts";

export type Totals = {
  turns: number;
  rounds: number;
  toolCalls: number;
  input: number;
  cached: number;
  output: number;
  reasoning: number;
  /** USD; null as soon as one request's price is unknown: shown as “—”, never as 0. */
  costUsd: number | null;
};

export const NO_TOTALS: Readonly<Totals> = {
  turns: 0,
  rounds: 0,
  toolCalls: 0,
  input: 0,
  cached: 0,
  output: 0,
  reasoning: 0,
  costUsd: 0,
};

/** A turn is begun by these; steering, hooks and notes of the harness belong to the turn that runs. */
const TURN_ORIGINS: ReadonlySet<Origin> = new Set(["prompt", "queue", "loop"]);

export function totals(events: readonly SessionEvent[]): Totals {
  const sum = { ...NO_TOTALS };
  for (const event of events) {
    if (event.type === "message.user" && TURN_ORIGINS.has(event.data.origin)) sum.turns += 1;
    if (event.type === "message.assistant") sum.rounds += 1;
    if (event.type === "message.tool") sum.toolCalls += 1;
    if (event.type !== "model.usage") continue;
    const { usage, costUsd } = event.data;
    sum.input += usage.input;
    sum.cached += usage.cacheRead;
    sum.output += usage.output;
    sum.reasoning += usage.reasoning;
    sum.costUsd = sum.costUsd === null || costUsd === null ? null : sum.costUsd + costUsd;
  }
  return sum;
}
