// Totals of a session: tokens by kind, cost, rounds and tools, folded from its events.
import type { EventData, Origin, SessionEvent } from "./event.ts";

export type Totals = {
  turns: number;
  rounds: number;
  toolCalls: number;
  input: number;
  cached: number;
  output: number;
  reasoning: number;
  /** USD of the requests whose usage is known; null as soon as the price of one of them is not. */
  costUsd: number | null;
  /** Rounds of which nobody said what they took: they were stopped, broke off, or the server does not tell. */
  unmetered: number;
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
  unmetered: 0,
};

/** A turn is begun by these; steering, hooks and notes of the harness belong to the turn that runs. */
const TURN_ORIGINS: ReadonlySet<Origin> = new Set(["prompt", "queue", "loop"]);

export function totals(events: readonly SessionEvent[]): Totals {
  const sum = { ...NO_TOTALS };
  // Its usage follows a reply.
  let isUnmetered = false;
  for (const event of events) {
    if (event.type === "message.assistant") {
      isUnmetered = isRound(event.data);
      sum.rounds += Number(isUnmetered);
      sum.unmetered += Number(isUnmetered);
    }
    if (event.type === "message.user" && TURN_ORIGINS.has(event.data.origin)) sum.turns += 1;
    if (event.type === "message.tool") sum.toolCalls += 1;
    if (event.type !== "model.usage") continue;
    sum.unmetered -= Number(isUnmetered);
    isUnmetered = false;
    const { usage, costUsd } = event.data;
    sum.input += usage.input;
    sum.cached += usage.cacheRead;
    sum.output += usage.output;
    sum.reasoning += usage.reasoning;
    sum.costUsd = sum.costUsd === null || costUsd === null ? null : sum.costUsd + costUsd;
  }
  return sum;
}

/** A request that failed before anything came (a refused connection, a wrong key) is none. */
function isRound({ status, content }: EventData["message.assistant"]): boolean {
  return status !== "error" || content.length > 0;
}

/** USD of all rounds; null where that of one is not known: it is shown as “—”, never as 0. */
export function wholeCost({
  costUsd,
  unmetered,
}: Pick<Totals, "costUsd" | "unmetered">): number | null {
  return unmetered > 0 ? null : costUsd;
}

/** `1234`, or `—` where no round said what it took. */
export function tokenText(
  amount: number,
  { rounds, unmetered }: Pick<Totals, "rounds" | "unmetered">,
  format: (amount: number) => string = String,
): string {
  return rounds > 0 && unmetered >= rounds ? "—" : format(amount);
}
