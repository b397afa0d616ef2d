// What a running turn is doing right now, from live events only: decoration that may be dropped without loss.
import type { TurnEvent } from "../agent/event.ts";
import { plainText } from "../base/plain.ts";

export type RunningTool = {
  readonly id: string;
  readonly title: string;
  readonly since: number;
  /** The last lines of its output. */
  readonly tail: readonly string[];
};

export type Activity = {
  /** Since when the model has been thinking, and the title of its summary; null when it is not. */
  readonly thinking: { readonly since: number; readonly text: string } | null;
  /** The call whose arguments are being written. */
  readonly writing: string | null;
  readonly tools: readonly RunningTool[];
  /** A failed request waits for its next try. */
  readonly retry: Retry | null;
};

export type Retry = {
  readonly until: number;
  readonly because: string;
  readonly attempt: number;
  readonly tries: number;
};

export const ACTIVITY: Activity = { thinking: null, writing: null, tools: [], retry: null };

const MAX_TAIL_LINES = 6;
/** Enough of the thinking's end to find its title in. */
const MAX_THINKING_CHARS = 2000;
const MAX_LINE_CHARS = 500;

export function follow(activity: Activity, event: TurnEvent, at: number): Activity {
  switch (event.kind) {
    case "live":
      return followLive(activity, event.event, at);
    case "stored":
      return followStored(activity, event.event);
    case "end":
      return ACTIVITY;
  }
}

function followStored(
  activity: Activity,
  event: (TurnEvent & { kind: "stored" })["event"],
): Activity {
  // The next try begins.
  if (event.type === "model.retry") return { ...activity, thinking: null, retry: null };
  if (event.type !== "message.tool") return activity;
  return withoutTool(activity, event.data.toolCallId);
}

/** The title of a reasoning summary: its last line in bold, else nothing. */
export function thinkingTitle(text: string): string | null {
  const titles = [...text.matchAll(/\*\*([^*\n]{1,80})\*\*/g)];
  return titles.at(-1)?.[1] ?? null;
}

function followLive(
  activity: Activity,
  event: (TurnEvent & { kind: "live" })["event"],
  at: number,
): Activity {
  switch (event.type) {
    case "request":
      return { ...activity, thinking: null, writing: null };
    case "text":
      return { ...activity, thinking: null, writing: null };
    case "thinking": {
      const { since, text } = activity.thinking ?? { since: at, text: "" };
      const grown = (text + event.delta).slice(-MAX_THINKING_CHARS);
      return { ...activity, thinking: { since, text: grown } };
    }
    case "call.begin":
      return { ...activity, thinking: null, writing: event.name };
    case "call.delta":
    case "notice":
      return activity;
    case "tool.begin": {
      const tool = { id: event.call.id, title: event.title, since: at, tail: [] };
      return { ...activity, writing: null, thinking: null, tools: [...activity.tools, tool] };
    }
    case "retry": {
      const { ms, because, attempt, tries } = event;
      const retry = { until: at + ms, because, attempt, tries };
      return { ...activity, thinking: null, writing: null, retry };
    }
    case "tool.output":
      return withOutput(activity, event.id, event.chunk);
  }
}

function withoutTool(activity: Activity, id: string): Activity {
  return { ...activity, tools: activity.tools.filter((tool) => tool.id !== id) };
}

function withOutput(activity: Activity, id: string, chunk: string): Activity {
  const tools = activity.tools.map((tool) =>
    tool.id === id ? { ...tool, tail: grownTail(tool.tail, chunk) } : tool,
  );
  return { ...activity, tools };
}

/** The last element is the line that is still being written. */
function grownTail(tail: readonly string[], chunk: string): string[] {
  const recent = chunk.slice(-MAX_TAIL_LINES * MAX_LINE_CHARS);
  const [first = "", ...rest] = plainText(recent).split("\n");
  const lines = [...tail.slice(0, -1), (tail.at(-1) ?? "") + first, ...rest];
  return lines.slice(-MAX_TAIL_LINES - 1).map((line) => line.slice(0, MAX_LINE_CHARS));
}
