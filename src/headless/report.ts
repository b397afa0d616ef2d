// The closing report of a headless run: what `--json` prints, and the totals line on standard error.
import type { TurnEnd } from "../agent/event.ts";
import { titleOf } from "../agent/title.ts";
import { EXIT_DENIED, EXIT_FAILED, EXIT_LIMIT, EXIT_SIGNAL } from "../base/exit-codes.ts";
import { usd } from "../base/money.ts";
import { count } from "../base/text.ts";
import type { KnownEvent } from "../session/event.ts";
import { tokenText, totals, wholeCost } from "../session/usage.ts";

/** Field names are the published format: docs/protocols/stream-json.md. */
export type Report = {
  result: string;
  /** Null where nothing is recorded. */
  session: string | null;
  name: string;
  status: TurnEnd["status"];
  exit: number;
  model: string;
  rounds: number;
  tool_calls: number;
  usage: { input: number; cached: number; output: number; reasoning: number };
  /** USD; null where no price is known. */
  cost_usd: number | null;
  duration_ms: number;
  /** Rounds whose usage nobody told; `usage` holds that of the others. */
  unmetered: number;
  /** `call` is the tool with what it was to work on: the command, the path. */
  denied: { tool: string; call: string; because: string }[];
  error: string | null;
};

export type Run = {
  session: { id: string; name: string; path: string | null };
  model: string;
  /** What this run stored, in order. */
  events: readonly KnownEvent[];
  end: TurnEnd;
  /** Set when a signal or a closed stdout ended the run: it overrides the exit code of the turn's end. */
  exit: number | null;
  durationMs: number;
};

export function reportOf(run: Run): Report {
  const sum = totals(run.events);
  return {
    result: answerOf(run),
    session: idOf(run.session),
    name: run.session.name,
    status: run.end.status,
    exit: run.exit ?? exitOf(run.end),
    model: run.model,
    rounds: sum.rounds,
    tool_calls: sum.toolCalls,
    usage: {
      input: sum.input,
      cached: sum.cached,
      output: sum.output,
      reasoning: sum.reasoning,
    },
    cost_usd: wholeCost(sum),
    duration_ms: Math.round(run.durationMs),
    unmetered: sum.unmetered,
    denied: deniedIn(run.events),
    error: errorOf(run.end),
  };
}

/** A session that is not recorded cannot be resumed: its id would mislead. */
export function idOf({ id, path }: Run["session"]): string | null {
  return path === null ? null : id;
}

function deniedIn(events: Run["events"]): Report["denied"] {
  const calls = events.flatMap((event) =>
    event.type === "message.assistant"
      ? event.data.content.flatMap((part) => (part.type === "tool_call" ? [part] : []))
      : [],
  );
  return events.flatMap((event) => {
    if (event.type !== "permission.decision" || event.data.decision !== "deny") return [];
    const { tool, toolCallId, because } = event.data;
    const call = calls.findLast(({ id }) => id === toolCallId);
    return [{ tool, call: call === undefined ? tool : titleOf(call), because }];
  });
}

/** The final answer; of a run that did not finish, what there was of the last reply, whichever try it came with. */
function answerOf({ end, events }: Run): string {
  if (end.status === "complete") return end.text;
  for (const event of events.toReversed()) {
    if (event.type === "message.user" || event.type === "message.tool") return "";
    if (event.type !== "message.assistant") continue;
    const { content } = event.data;
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    if (text !== "") return text;
  }
  return "";
}

function exitOf(end: TurnEnd): number {
  switch (end.status) {
    case "complete":
      return 0;
    case "error":
      return EXIT_FAILED;
    case "limit":
      return EXIT_LIMIT;
    case "denied":
      return EXIT_DENIED;
    case "interrupted":
      return EXIT_SIGNAL.SIGINT;
  }
}

function errorOf(end: TurnEnd): string | null {
  switch (end.status) {
    case "complete":
      return null;
    case "interrupted":
      return "stopped by a signal";
    case "error":
      return end.message;
    case "limit":
      return `the limit on ${end.which} was reached: raise it, or go on with burin -c`;
    case "denied":
      return `stopped by policy: ${end.because}`;
  }
}

/** `tokens 1234 in, 56 out · cost — · 3 rounds, 5 tool calls · session 01J…`. */
export function totalsLine(report: Report): string {
  const { usage, cost_usd: cost, rounds, tool_calls: calls, session } = report;
  const used = (amount: number): string => tokenText(amount, report);
  const work = `${count(rounds, "round")}, ${count(calls, "tool call")}`;
  const tokens = `tokens ${used(usage.input)} in, ${used(usage.output)} out`;
  return `${tokens} · cost ${usd(cost)} · ${work} · ${session === null ? "not recorded" : `session ${session}`}`;
}
