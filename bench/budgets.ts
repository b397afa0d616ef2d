// The budgets: what is measured, in which unit, and what it may cost at most (or must reach at least).

export type Budget = {
  id: string;
  what: string;
  unit: string;
  limit: number;
  better: "less" | "more";
  /** What two runs on one machine may differ by without a change of code, in the row's unit. */
  noise: number;
};

type Line = [id: string, what: string, limit: number, unit: string, noise: number];

function atMost([id, what, limit, unit, noise]: Line): Budget {
  return { id, what, unit, limit, better: "less", noise };
}

function atLeast([id, what, limit, unit, noise]: Line): Budget {
  return { id, what, unit, limit, better: "more", noise };
}

export const BUDGETS: Budget[] = [
  atMost(["version.time", "--version: time", 1.15, "× floor", 0.1]),
  atMost(["version.memory", "--version: memory", 1.15, "× floor", 0.1]),
  atMost(["help.time", "--help: time", 1.15, "× floor", 0.1]),
  atMost(["help.memory", "--help: memory", 1.15, "× floor", 0.1]),
  atMost(["answer.time", "-p answered at once: time", 2.5, "× floor", 0.2]),
  atMost(["answer.memory", "-p answered at once: memory", 60, "MB", 3]),
  atMost(["prompt.size", "system prompt and tools", 1400, "tokens", 0]),
  atMost(["round.time", "harness per round, 20 rounds", 5, "ms", 1]),
  atMost(["round.growth", "a late round over an early one, 400 rounds", 1.5, "×", 0.3]),
  atLeast(["prefix.kept", "requests that repeat the last one's start", 100, "%", 0]),
  atMost(["stream.cpu", "20,000 deltas, headless: CPU", 0.3, "s", 0.03]),
  atMost(["chat.name", "chat: start to the name prompt", 3, "× floor", 0.3]),
  atMost(["chat.prompt", "chat --name: start to the input prompt", 3, "× floor", 0.3]),
  atMost(["chat.memory", "chat, idle: memory", 60, "MB", 3]),
  atMost(["chat.cpu", "chat, idle: CPU", 0, "%", 0.5]),
  atMost(["chat.stream", "20,000 deltas, chat: CPU", 1, "s", 0.1]),
  atLeast(["sse.rate", "SSE framing", 200, "MB/s", 0]),
  atLeast(["events.rate", "SSE framing, JSON and events", 50, "MB/s", 0]),
  atMost(["edit.time", "edit in a file of 10 MB", 100, "ms", 20]),
  atMost(["grep.small", "grep in 2,000 files, the slowest of six", 1, "× rg", 0.3]),
  atMost(["find.small", "find in 2,000 files", 1, "× fd", 0.2]),
  atMost(["grep.literal", "grep in 50,000 files: literal", 1, "× rg", 0.2]),
  atMost(["grep.fold", "grep in 50,000 files: ignored case", 1.3, "× rg", 0.2]),
  atMost(["grep.regex", "grep in 50,000 files: regex with a literal", 1.3, "× rg", 0.2]),
  atMost(["binary.size", "binary over hello world", 8, "MB", 0]),
];

/** Whether a value breaks its budget; the noise counts for budgets of zero only. */
export function isOver(budget: Budget, value: number): boolean {
  if (budget.better === "more") return value < budget.limit;
  return value > (budget.limit === 0 ? budget.noise : budget.limit);
}

const MAX_REGRESSION = 1.25;

export function isWorse(budget: Budget, value: number, agreed: number): boolean {
  return budget.better === "more"
    ? value * MAX_REGRESSION < agreed
    : value > Math.max(agreed * MAX_REGRESSION, agreed + budget.noise);
}
