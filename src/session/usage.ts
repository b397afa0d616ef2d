// Totals of a session: tokens by kind, cost, rounds and tools, folded from its events.

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
