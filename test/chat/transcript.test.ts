// The transcript: stored events are the truth, live ones only bring it earlier.
import { expect, test } from "bun:test";
import type { TurnEvent } from "../../src/agent/event.ts";
import type { Entry } from "../../src/chat/entry.ts";
import { entriesOf, FEED, tell } from "../../src/chat/transcript.ts";
import type { Draft, KnownEvent } from "../../src/session/event.ts";
import { forSeeds, type Random } from "../support/random.ts";
import { eventOf, reply } from "../support/scripted-place.ts";

const stored = (draft: Draft): TurnEvent => ({ kind: "stored", event: eventOf(draft, 1) });
const user = (text: string): Draft => ({
  type: "message.user",
  data: { content: [{ type: "text", text }], origin: "prompt" },
});
const delta = (text: string): TurnEvent => ({ kind: "live", event: { type: "text", delta: text } });
const REQUEST: TurnEvent = { kind: "live", event: { type: "request", round: 1 } };

function told(events: readonly TurnEvent[]): Entry[] {
  let feed = FEED;
  return events.flatMap((event) => {
    const step = tell(feed, event);
    feed = step.feed;
    return step.entries;
  });
}

test("a turn becomes a prompt, prose and one line for each tool", () => {
  const call = { id: "c1", name: "grep", arguments: '{"path":"src","pattern":"TODO"}' };
  const events = [
    user("find it"),
    {
      type: "message.assistant",
      data: {
        content: [
          { type: "text", text: "Looking." },
          { type: "tool_call", ...call },
        ],
        status: "complete",
        stop: "calls",
      },
    },
    {
      type: "message.tool",
      data: {
        toolCallId: "c1",
        name: "grep",
        content: [{ type: "text", text: "a\nb" }],
        isError: false,
        tier: "warm",
        summary: "2 hits",
        durationMs: 8,
      },
    },
  ] satisfies Draft[];
  expect(entriesOf(events.map(eventOf))).toEqual([
    { kind: "prompt", gap: false, text: "find it" },
    { kind: "prose", gap: true, block: { kind: "text", gap: true, source: "Looking." } },
    {
      kind: "tool",
      gap: true,
      id: "c1",
      title: "grep TODO src",
      summary: "2 hits",
      durationMs: 8,
      isError: false,
      output: "",
      diff: null,
    },
  ]);
});

test.each([
  ["interrupted", "", "stopped"],
  ["error", "the server is down; try again", "the server is down; try again"],
  ["denied", "too many refusals", "stopped: too many refusals"],
] as const)("a turn that ended as %s says so once", (status, reason, text) => {
  const end = { type: "session.ended", data: { status, reason, rounds: 1, toolCalls: 0 } } as const;
  const events: TurnEvent[] = [
    stored(user("x")),
    stored(end),
    { kind: "end", end: { status: "interrupted" } },
  ];
  expect(told(events).flatMap((entry) => (entry.kind === "note" ? [entry.text] : []))).toEqual([
    text,
  ]);
});

test("a stored reply that differs from what was streamed is printed whole, and the other said to be void", () => {
  const texts = told([delta("wrong"), stored(reply("right"))]).map((entry) => {
    if (entry.kind === "note") return entry.text;
    return entry.kind === "prose" && entry.block.kind === "text" ? entry.block.source : entry.kind;
  });
  expect(texts).toEqual(["wrong", "the reply broke off", "right"]);
});

test("rules and modes decide silently, a person's decision is told", () => {
  const decision = (by: "mode" | "person"): Draft => ({
    type: "permission.decision",
    data: { tool: "bash", toolCallId: "c", decision: "allow", by, because: "", mode: "standard" },
  });
  expect(entriesOf([decision("mode"), decision("person")].map(eventOf))).toEqual([
    { kind: "note", gap: false, tone: "quiet", text: "allowed once: bash" },
  ]);
});

const ASKED = { id: "c1", name: "bash", arguments: '{"command":"npm ci"}' };
const CALLING: Draft = {
  type: "message.assistant",
  data: { content: [{ type: "tool_call", ...ASKED }], status: "complete", stop: "calls" },
};

test("a yes names the call, whose question a resumed session does not show", () => {
  const data = { tool: "bash", toolCallId: "c1", decision: "allow", by: "person" } as const;
  const yes: Draft = {
    type: "permission.decision",
    data: { ...data, because: "", mode: "standard" },
  };
  expect(JSON.stringify(entriesOf([CALLING, yes].map(eventOf)))).toContain(
    "allowed once: bash npm ci",
  );
});

test("a call that was lost with its process is shown, and before what was written after it", () => {
  const kinds = (drafts: Draft[]): string[] =>
    entriesOf(drafts.map(eventOf)).map((entry) =>
      entry.kind === "tool" ? `${entry.title} · ${entry.summary}` : entry.kind,
    );
  const lost = "bash npm ci · no result: burin ended before it came";
  expect(kinds([user("go"), CALLING])).toEqual(["prompt", lost]);
  expect(kinds([user("go"), CALLING, user("and?")])).toEqual(["prompt", lost, "prompt"]);
});

test("a renderer that ignores every live event ends with the same transcript", () => {
  forSeeds(300, (random) => {
    const events = randomTurns(random);
    const onlyStored = events.filter((event) => event.kind !== "live");
    expect(told(events)).toEqual(told(onlyStored));
  });
});

test("a resumed session shows what the running one did", () => {
  forSeeds(100, (random) => {
    const events = randomTurns(random);
    const log = events.flatMap((event): KnownEvent[] =>
      event.kind === "stored" ? [event.event] : [],
    );
    expect(entriesOf(log)).toEqual(told(events));
  });
});

const TEXTS = [
  "Hello.",
  "A\n\nB with `code`\n",
  "```ts\nlet a;\n```",
  "- one\n- two\n\n1. x",
  "# T\ntext",
];

/** Turns of a few rounds as the agent yields them: deltas, then the stored reply, then the results. */
function randomTurns(random: Random): TurnEvent[] {
  const events: TurnEvent[] = [];
  for (let turn = 0; turn <= random.int(3); turn += 1) {
    events.push(stored(user(`prompt ${turn}`)));
    for (let round = 0; round <= random.int(3); round += 1) {
      events.push(...randomRound(random, `c${turn}-${round}`));
    }
    const data = { status: "complete", reason: "", rounds: 1, toolCalls: 0 } as const;
    events.push(stored({ type: "session.ended", data }));
    events.push({ kind: "end", end: { status: "complete", text: "" } });
  }
  return events;
}

function randomRound(random: Random, id: string): TurnEvent[] {
  const first = random.pick(TEXTS);
  const second = random.chance(0.3) ? random.pick(TEXTS) : null;
  /** Only the beginning came live. */
  const isCut = random.chance(0.2);
  const call = { id, name: "read", arguments: '{"path":"a.ts"}' };
  const content = [
    { type: "text" as const, text: first },
    { type: "tool_call" as const, ...call },
    ...(second === null ? [] : [{ type: "text" as const, text: second }]),
  ];
  return [
    REQUEST,
    { kind: "live", event: { type: "thinking", delta: "hm" } },
    ...(isCut ? pieces(first, random).slice(0, 1) : pieces(first, random)).map(delta),
    { kind: "live", event: { type: "call.begin", id, name: "read" } },
    ...(second === null || isCut ? [] : pieces(second, random)).map(delta),
    stored({ type: "message.assistant", data: { content, status: "complete", stop: "calls" } }),
    { kind: "live", event: { type: "tool.begin", call, title: "read something" } },
    { kind: "live", event: { type: "tool.output", id, chunk: "line\n" } },
    stored({
      type: "message.tool",
      data: {
        toolCallId: id,
        name: "read",
        content: [{ type: "text", text: "bad" }],
        isError: random.chance(0.5),
        tier: "warm",
        summary: "3 lines",
        durationMs: 1,
      },
    }),
  ];
}

function pieces(text: string, random: Random): string[] {
  const size = 1 + random.int(5);
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
}
