// What the chat prints for good: a fold over events. Live events only bring the same entries earlier.
import { reasonOf, type TurnEnd, type TurnEvent } from "../agent/event.ts";
import type { PlanItem } from "../base/plan.ts";
import type { ToolCall } from "../model/event.ts";
import { modelLabel } from "../model/model-name.ts";
import type { UserPart } from "../model/request.ts";
import type { EventData, KnownEvent, SessionEvent } from "../session/event.ts";
import { BLOCKS, finish, openBlocks, push, type Block, type Blocks } from "../term/blocks.ts";
import type { Entry } from "./entry.ts";
import { titleOf } from "../agent/title.ts";

export type Feed = {
  /** The prose that is open. */
  readonly blocks: Blocks;
  /** Text that came live and is not stored yet. */
  readonly streamed: string;
  /** The next text begins another part of the reply. */
  readonly isBorder: boolean;
  /** Calls of stored replies whose results have not come. */
  readonly calls: readonly ToolCall[];
  readonly last: Entry["kind"] | null;
  /** The plan of the session, as it was shown last. */
  readonly plan: readonly PlanItem[];
  /** Whether the turn's end is stored, so that it is not told twice. */
  readonly hasEnded: boolean;
};

const LOST = "no result: burin ended before it came";

/** The start of a reply: it stands apart from what is above it. */
const FRESH: Blocks = { ...BLOCKS, gap: true };

export const FEED: Feed = {
  blocks: FRESH,
  streamed: "",
  isBorder: false,
  calls: [],
  last: null,
  plan: [],
  hasEnded: false,
};

type Told = { feed: Feed; entries: Entry[] };

/** The entries of a stored history, such as a resumed session's. */
export function entriesOf(events: readonly SessionEvent[]): Entry[] {
  let feed = FEED;
  const entries: Entry[] = [];
  for (const event of events) {
    if (event.type === "unknown") continue;
    const told = tellStored(feed, event);
    feed = told.feed;
    entries.push(...told.entries);
  }
  return [...entries, ...lostCalls(feed).entries];
}

export function tell(feed: Feed, event: TurnEvent): Told {
  switch (event.kind) {
    case "live":
      return tellLive(feed, event.event);
    case "stored":
      return tellStored(feed, event.event);
    case "end":
      return tellEnd(feed, event.end);
  }
}

/** Entries from elsewhere (cards, notes, questions) with the gaps they need in this place. */
export function interject(feed: Feed, entries: readonly Entry[]): Told {
  return spaced(feed, entries);
}

/** The prose that is still open, as it would be printed if it ended now. */
export function openProse(feed: Feed): Block[] {
  return openBlocks(feed.blocks);
}

function tellLive(feed: Feed, event: (TurnEvent & { kind: "live" })["event"]): Told {
  switch (event.type) {
    case "text": {
      const opened = feed.isBorder && feed.streamed !== "" ? endProse(feed) : quiet(feed);
      const pushed = addProse(opened.feed, event.delta);
      const streamed = feed.streamed + event.delta;
      return {
        feed: { ...pushed.feed, streamed, isBorder: false },
        entries: [...opened.entries, ...pushed.entries],
      };
    }
    case "thinking":
    case "call.begin":
      return quiet({ ...feed, isBorder: true });
    case "request":
    case "call.delta":
    case "tool.begin":
    case "tool.output":
    case "notice":
    case "retry":
      return quiet(feed);
  }
}

/** What was printed is not what is stored: it stays, and is said to be no part of the reply. */
function brokenOff(feed: Feed): Told {
  const ended = endProse(feed);
  const told = spaced({ ...ended.feed, streamed: "", blocks: FRESH }, [
    warning("the reply broke off"),
  ]);
  return { feed: told.feed, entries: [...ended.entries, ...told.entries] };
}

function tellStored(feed: Feed, event: KnownEvent): Told {
  switch (event.type) {
    case "message.user":
      return tellPrompt(feed, event.data);
    case "message.assistant":
      return tellReply(feed, event.data);
    case "message.tool":
      return tellResult(feed, event.data);
    case "permission.decision":
      return spaced(feed, decisionEntries(event.data, feed.calls));
    case "session.ended":
      return spaced({ ...feed, hasEnded: true }, endEntries(event.data.status, event.data.reason));
    case "session.renamed":
      return spaced(feed, [note(`the session is now called ${event.data.name}`)]);
    case "model.retry":
      return spaced(feed, [note(`asked again: ${event.data.because}`)]);
    case "model.changed":
      return spaced(feed, [
        note(`the model is now ${modelLabel({ ...event.data, id: event.data.model })}`),
      ]);
    case "session.started":
    case "session.leaf":
    case "checkpoint":
    case "model.usage":
    case "model.response":
    case "model.provider_item":
    case "model.metrics":
      return quiet(feed);
  }
}

function tellEnd(feed: Feed, end: TurnEnd): Told {
  const ended = endProse({ ...feed, streamed: "" });
  if (feed.hasEnded) return ended;
  const told = spaced(ended.feed, endEntries(end.status, reasonOf(end)));
  return { feed: told.feed, entries: [...ended.entries, ...told.entries] };
}

/** The stored reply: what of it was streamed is printed already, the rest follows. */
function tellReply(feed: Feed, reply: EventData["message.assistant"]): Told {
  const parts = reply.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const isContinued = parts.join("").startsWith(feed.streamed);
  const started = isContinued ? quiet(feed) : brokenOff(feed);
  let current = started.feed;
  const entries = [...started.entries];
  let skip = isContinued ? feed.streamed.length : 0;
  for (const part of parts) {
    const rest = part.slice(skip);
    skip = Math.max(0, skip - part.length);
    if (rest === "" && skip > 0) continue;
    const told = addProse(current, rest);
    const ended = endProse(told.feed);
    entries.push(...told.entries, ...ended.entries);
    current = ended.feed;
  }
  // Those of a reply that broke off are not run.
  const isWhole = reply.status === "complete";
  const calls = reply.content.flatMap((part) =>
    isWhole && part.type === "tool_call" ? [part] : [],
  );
  const done = endProse(current);
  entries.push(...done.entries);
  return {
    feed: {
      ...done.feed,
      blocks: FRESH,
      streamed: "",
      isBorder: false,
      calls: [...feed.calls, ...calls],
    },
    entries,
  };
}

function tellResult(feed: Feed, result: EventData["message.tool"]): Told {
  const call = feed.calls.find((candidate) => candidate.id === result.toolCallId);
  const entry: Entry = {
    kind: "tool",
    gap: feed.last !== "tool",
    id: result.toolCallId,
    title: call ? titleOf(call) : result.name,
    summary: result.summary,
    durationMs: result.durationMs,
    isError: result.isError,
    output: result.isError ? textOf(result.content) : "",
    diff: result.diff ?? null,
  };
  const calls = feed.calls.filter((candidate) => candidate !== call);
  const { plan } = result;
  if (plan === undefined || isSamePlan(plan, feed.plan)) return spaced({ ...feed, calls }, [entry]);
  return spaced({ ...feed, calls, plan }, [{ kind: "plan", gap: true, items: plan }]);
}

/** Every call has its result before anyone writes again: one without was lost with the process that ran it. */
function tellPrompt(feed: Feed, message: EventData["message.user"]): Told {
  const lost = lostCalls(feed);
  const told = spaced({ ...lost.feed, hasEnded: false }, userEntries(message));
  return { feed: told.feed, entries: [...lost.entries, ...told.entries] };
}

function lostCalls(feed: Feed): Told {
  const entries = feed.calls.map((call): Entry => ({
    kind: "tool",
    gap: feed.last !== "tool",
    id: call.id,
    title: titleOf(call),
    summary: LOST,
    durationMs: 0,
    isError: true,
    output: "",
    diff: null,
  }));
  return spaced({ ...feed, calls: [] }, entries);
}

function isSamePlan(one: readonly PlanItem[], other: readonly PlanItem[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function userEntries(message: EventData["message.user"]): Entry[] {
  const text = textOf(message.content);
  switch (message.origin) {
    case "prompt":
    case "queue":
    case "loop":
    case "steer":
      return [{ kind: "prompt", gap: true, text }];
    case "hook":
    case "background":
    case "harness":
      return [note(text)];
  }
}

function textOf(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : `[${part.name}]`)).join("\n");
}

/** Only a person's yes is news: rules and modes were known before, and of a no the call's own line tells. */
function decisionEntries(
  { by, decision, grant, tool, toolCallId }: EventData["permission.decision"],
  calls: Feed["calls"],
): Entry[] {
  if (by !== "person" || decision === "deny") return [];
  if (grant !== undefined) return [note(`allowed for this session: ${grant}`)];
  const call = calls.find(({ id }) => id === toolCallId);
  return [note(`allowed once: ${call === undefined ? tool : titleOf(call)}`)];
}

function because(text: string): string {
  return text === "" ? "" : `: ${text}`;
}

function endEntries(status: TurnEnd["status"], reason: string): Entry[] {
  switch (status) {
    case "complete":
      return [];
    case "interrupted":
      return [note("stopped")];
    case "error":
      return [{ kind: "note", gap: true, tone: "error", text: reason }];
    case "limit":
      return [warning(`stopped at a limit${because(reason)}; write “continue” to go on`)];
    case "denied":
      return [warning(`stopped${because(reason)}`)];
  }
}

function note(text: string): Entry {
  return { kind: "note", gap: true, tone: "quiet", text };
}

function warning(text: string): Entry {
  return { kind: "note", gap: true, tone: "warning", text };
}

function quiet(feed: Feed): Told {
  return { feed, entries: [] };
}

function addProse(feed: Feed, text: string): Told {
  const { blocks, done } = push(feed.blocks, text);
  return spaced({ ...feed, blocks }, done.map(prose));
}

function endProse(feed: Feed): Told {
  const { blocks, done } = finish(feed.blocks);
  return spaced({ ...feed, blocks }, done.map(prose));
}

function prose(block: Block): Entry {
  return { kind: "prose", gap: block.gap, block };
}

/** Entries with their gaps settled: none at the very top, always one where another kind of thing begins. */
function spaced(feed: Feed, entries: readonly Entry[]): Told {
  let last = feed.last;
  const settled = entries.map((entry): Entry => {
    const isOther = last !== null && last !== entry.kind;
    const gap = last !== null && (isOther || entry.gap);
    last = entry.kind;
    return { ...entry, gap };
  });
  return { feed: { ...feed, last }, entries: settled };
}
