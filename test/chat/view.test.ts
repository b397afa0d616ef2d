// The live tail: what is shown, and that it always fits.
import { expect, test } from "bun:test";
import type { LiveEvent } from "../../src/agent/event.ts";
import { pendingOf } from "../../src/chat/approval.ts";
import { diffLines, entryLines } from "../../src/chat/lines.ts";
import { choiceRows } from "../../src/chat/question-view.ts";
import { nameFault } from "../../src/chat/name-prompt.ts";
import { initial, type State } from "../../src/chat/state.ts";
import { farewell, opening } from "../../src/chat/start.ts";
import { titleOf } from "../../src/agent/title.ts";
import { update } from "../../src/chat/update.ts";
import { view } from "../../src/chat/view.ts";
import { feed } from "../../src/term/editor.ts";
import { PLAIN } from "../../src/term/style.ts";
import { forSeeds, type Random } from "../support/random.ts";
import { askAbout, eventOf, reply, scriptedPlace } from "../support/scripted-place.ts";

const place = scriptedPlace("demo", async function* (stage) {
  yield stage.store(reply("ok"));
  return { status: "complete", text: "" };
});
const opened = opening(place, { version: "0", home: "/home/me" }, true);
const START = opened.type === "opened" ? initial(opened.facts, 80) : null;
const PAGE = { columns: 79, style: PLAIN, lex: () => [] };

test("an idle chat shows the input and the status line, the cursor at the caret", () => {
  const tail = view(stateOf(), { columns: 80, rows: 24, style: PLAIN, lex: null, now: 0 });
  expect(tail).toEqual({
    rows: ["", "› ", "demo · standard · model-1 · ~/project (main)"],
    cursor: { row: 1, column: 2 },
  });
});

test("the status line shows names from outside without what is hidden in them", () => {
  const state = stateOf();
  const facts = { ...state.facts, branch: "a\u202eb\u009b1mc\nd", mode: "st\u200bandard" };
  const tail = view(
    { ...state, facts },
    { columns: 80, rows: 24, style: PLAIN, lex: null, now: 0 },
  );
  expect(tail.rows.at(-1)).toBe("demo · standard · model-1 · ~/project (abc d)");
});

test("earlier prompts come back without what is hidden in them", () => {
  const prompt = eventOf(
    {
      type: "message.user",
      data: { content: [{ type: "text", text: "a\u001b[2Jb\u202ec" }], origin: "prompt" },
    },
    1,
  );
  const past = { ...place, events: () => [prompt] };
  const event = opening(past, { version: "0", home: null }, true);
  expect(event.type === "opened" ? event.prompts : null).toEqual(["abc"]);
});

test("the tail fits into a third of any screen (never less than three rows), and the cursor into the tail", () => {
  forSeeds(400, (random) => {
    const columns = 20 + random.int(180);
    const rows = 4 + random.int(60);
    const screen = { columns, rows, style: PLAIN, lex: null, now: 5000 };
    const tail = view(randomState(random, columns), screen);
    const cursorRow = tail.rows[tail.cursor.row];
    expect({
      fits: tail.rows.length <= Math.max(3, Math.floor(rows / 3)),
      cursor: cursorRow !== undefined && tail.cursor.column < columns,
    }).toEqual({ fits: true, cursor: true });
  });
});

test("a diff has line numbers and no file headers", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@\n same\n-old\n+new\n same";
  expect(diffLines(diff, PAGE)).toEqual([
    "  @@ -3,3 +3,3 @@",
    "  3  same",
    "  4 -old",
    "  4 +new",
    "  5  same",
  ]);
});

test("a diff shows at most 160 lines and says how many are left", () => {
  const diff = `@@ -0,0 +1,500 @@\n${"+line\n".repeat(500)}`;
  const lines = diffLines(diff, PAGE);
  expect([lines.length, lines.at(-1)]).toEqual([161, "  … 341 more lines"]);
});

test.each([
  [
    "interrupted before it ran",
    "interrupted before it ran",
    ["✗ read x · 0 ms", "  interrupted before it ran"],
  ],
  [
    "a long reas…",
    "a long reason\nwith lines",
    ["✗ read x · 0 ms", "  a long reason", "  with lines"],
  ],
  ["denied", "rule no", ["✗ read x · denied · 0 ms", "  rule no"]],
])("a failed call summed up as %j does not say it twice", (summary, output, lines) => {
  const told = {
    kind: "tool",
    gap: false,
    id: "c",
    title: "read x",
    summary,
    durationMs: 0,
  } as const;
  expect(entryLines({ ...told, isError: true, output, diff: null }, PAGE)).toEqual(lines);
});

test("a change of nothing shows no line of a diff", () => {
  expect(diffLines("", PAGE)).toEqual([]);
});

test("a failed call shows the first lines of what it said", () => {
  const entry = {
    kind: "tool",
    gap: false,
    id: "c",
    title: "bash npm test",
    summary: "exit 1",
    durationMs: 1234,
    isError: true,
    output: "1\n2\n3\n4\n5\n6",
    diff: null,
  } as const;
  expect(entryLines(entry, PAGE)).toEqual([
    "✗ bash npm test · exit 1 · 1.2 s",
    "  1",
    "  2",
    "  3",
    "  4",
    "  … 2 more lines",
  ]);
});

test("control characters of a prompt or a note never reach the terminal", () => {
  const lines = entryLines(
    { kind: "note", gap: false, tone: "error", text: "bad\u001b[2J\u0007 thing" },
    PAGE,
  );
  expect(lines).toEqual(["bad thing"]);
});

test.each([
  ["bash", '{"command":"npm test"}', "bash npm test"],
  ["grep", '{"path":"src","pattern":"a b"}', "grep a b src"],
  ["task", '{"description":"look","count":3}', "task look"],
  ["odd", "not json", "odd"],
])("a stored call of %s has a name", (name, args, title) => {
  expect(titleOf({ id: "c", name, arguments: args })).toBe(title);
});

test.each([
  ["", true],
  ["   ", true],
  ["a\tb", true],
  ["x".repeat(101), true],
  ["fix the tests", false],
  ["修正 👨‍👩‍👧", false],
])("the name %j is refused: %p", (name, isRefused) => {
  expect(nameFault(name) !== undefined).toBe(isRefused);
});

test("a resumed session shows its end and has its prompts in the history", () => {
  const content = (text: string) => [{ type: "text" as const, text }];
  const log = Array.from({ length: 100 }, (_, at) =>
    eventOf(
      { type: "message.user", data: { content: content(`prompt ${at}`), origin: "prompt" } },
      at,
    ),
  );
  const resumed = scriptedPlace(
    "old",
    async function* () {
      yield* [];
      return { status: "complete", text: "" };
    },
    log,
  );
  const event = opening(resumed, { version: "0", home: null }, true);
  if (event.type !== "opened") throw new Error("not opened");
  expect({
    prompts: event.prompts.length,
    kinds: [...new Set(event.entries.map((entry) => entry.kind))],
    shown: event.entries.filter((entry) => entry.kind === "prompt").length,
    last: event.entries.at(-1),
  }).toEqual({
    prompts: 100,
    kinds: ["card", "note", "prompt"],
    shown: 40,
    last: { kind: "prompt", gap: true, text: "prompt 99" },
  });
});

test("a resumed plan that is not done is shown at the end, a finished one is not", () => {
  const planned = (status: "pending" | "completed") =>
    eventOf(
      {
        type: "message.tool",
        data: {
          toolCallId: "c",
          name: "todo_write",
          content: [],
          isError: false,
          tier: "cold",
          summary: "",
          durationMs: 0,
          plan: [{ text: "a", status }],
        },
      },
      0,
    );
  const words = eventOf(reply("ok"), 1);
  const last = (before: Parameters<typeof scriptedPlace>[2]) => {
    const old = scriptedPlace(
      "old",
      async function* () {
        yield* [];
        return { status: "complete", text: "" };
      },
      before,
    );
    const event = opening(old, { version: "0", home: null }, true);
    return event.type === "opened" ? [event.entries.at(-1)?.kind, event.feed.plan] : [];
  };
  expect(last([planned("pending"), words])).toEqual(["plan", [{ text: "a", status: "pending" }]]);
  expect(last([planned("completed"), words])).toEqual([
    "prose",
    [{ text: "a", status: "completed" }],
  ]);
});

test("the last words hold a line that can be copied, unless nothing was recorded", () => {
  const { facts } = stateOf();
  const unrecorded = { ...facts, session: { ...facts.session, path: null } };
  expect([farewell(facts), farewell(unrecorded)]).toEqual([
    ["session demo · id-demo", "0 tokens in · 0 out · cost $0.0000", "burin resume id-demo"],
    ["session demo (not recorded) · 0 tokens in · 0 out · cost $0.0000"],
  ]);
});

function stateOf(): State {
  if (START === null) throw new Error("the place did not open");
  return START;
}

/** A chat in the middle of anything: long input, streams, tools with output, questions, queues. */
function randomState(random: Random, columns: number): State {
  let state: State = { ...stateOf(), columns };
  const text = random.pick(["", "short", "漢字 ".repeat(40), "one\ntwo\n".repeat(20)]);
  const editor = feed(state.composer.editor, { kind: "text", text }, columns);
  if (random.chance(0.7)) state = update(state, { type: "submit", text: "go", at: 0 }).state;
  const deltas = random.pick(["", "word ".repeat(200), "```ts\ncode\n", "- a\n- b\n".repeat(30)]);
  const live = (event: LiveEvent): State => update(state, liveEvent(event)).state;
  if (random.chance(0.5)) state = live({ type: "text", delta: deltas });
  const call = { id: "c", name: "bash", arguments: "{}" };
  if (random.chance(0.3)) state = live({ type: "tool.begin", call, title: "bash ".repeat(40) });
  if (random.chance(0.5))
    state = live({ type: "tool.output", id: "c", chunk: "out\tput\n".repeat(30) });
  const asks = random.chance(0.3) ? [pendingOf(askAbout("x".repeat(random.int(200))), 0)] : [];
  const queue = random.chance(0.3) ? ["queued ".repeat(30), "second"] : [];
  return { ...state, asks, queue, composer: { ...state.composer, editor } };
}

function liveEvent(event: LiveEvent) {
  return { type: "turn", event: { kind: "live", event }, at: 100 } as const;
}

test("who typed before a question could be read is told that it was dropped", () => {
  const late = pendingOf(askAbout("npm test"), 0);
  const rows = (pending: typeof late): string[] =>
    choiceRows(pending, { rows: 6, columns: 80, style: PLAIN });
  const note = "keys that were typed before this question were dropped";
  expect([rows(late).includes(note), rows({ ...late, isEarly: true })[0]]).toEqual([false, note]);
});

test.each([
  [1, 20, ["y a n Esc ? npm…"]],
  [2, 20, ["npm test --watch", "y a n Esc ?"]],
])("in %i rows of %i columns a question repeats what it is about", (rows, columns, shown) => {
  const pending = pendingOf(askAbout("npm test --watch"), 0);
  expect(choiceRows(pending, { rows, columns, style: PLAIN })).toEqual(shown);
});
