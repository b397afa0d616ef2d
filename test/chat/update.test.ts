// The chat's logic: events in, state and wishes out.
import { expect, test } from "bun:test";
import {
  follow,
  initial,
  step,
  type Facts,
  type State,
  type Step,
  type UiEvent,
} from "../../src/chat/state.ts";
import { textOf } from "../../src/chat/composer.ts";
import { update } from "../../src/chat/update.ts";
import { nextChange } from "../../src/chat/view.ts";
import { NO_TOTALS } from "../../src/session/usage.ts";
import { chord, type Key } from "../../src/term/key.ts";
import { askAbout, eventOf } from "../support/scripted-place.ts";

const FACTS: Facts = {
  version: "0",
  cwd: "/p",
  home: "/home/me",
  branch: null,
  model: { provider: "p", id: "m", auth: "none" },
  mode: "standard",
  session: { id: "s1", name: "demo", path: "/s1.jsonl" },
  contextFiles: [],
  totals: NO_TOTALS,
};
const IDLE = initial(FACTS, 80);

const key = (name: string, at = 0): UiEvent => ({ type: "key", key: chord(name), at });
const typed = (text: string, at = 0): UiEvent => ({
  type: "key",
  key: { kind: "text", text } satisfies Key,
  at,
});
const ended = (status: "complete" | "interrupted"): UiEvent => ({
  type: "turn",
  at: 9000,
  event: { kind: "end", end: status === "complete" ? { status, text: "" } : { status } },
});

const play = (state: State, ...events: UiEvent[]): Step =>
  events.reduce<Step>((last, event) => follow(last, (next) => update(next, event)), step(state));
/** Types a text and presses Enter a good while later. */
const line = (text: string, at = 1000): UiEvent[] => [typed(text, at), key("enter", at + 500)];
const busy = play(IDLE, ...line("go")).state;
const kinds = (result: Step): string[] => result.wants.map((want) => want.kind);

test("Enter begins a turn", () => {
  expect(play(IDLE, ...line("hello")).wants).toEqual([{ kind: "ask", prompt: "hello" }]);
});

test("while a turn runs Enter queues, and the text is sent after it", () => {
  const queued = play(busy, ...line("next", 3000));
  expect({ queue: queued.state.queue, after: play(queued.state, ended("complete")).wants }).toEqual(
    {
      queue: ["next"],
      after: [{ kind: "ask", prompt: "next" }],
    },
  );
});

test("queued texts follow one turn at a time", () => {
  const queued = play(busy, ...line("one", 3000), ...line("two", 5000), ended("complete"));
  expect([queued.wants, queued.state.queue]).toEqual([[{ kind: "ask", prompt: "one" }], ["two"]]);
});

test("Alt+Enter steers, and unread steering becomes the next prompt", () => {
  const steering = play(busy, typed("left", 3000), key("alt+enter", 3500));
  expect({
    steering: steering.state.steering,
    unread: play(steering.state, ended("complete")).wants,
    read: play(steering.state, { type: "steered" }, ended("complete")).wants,
  }).toEqual({ steering: ["left"], unread: [{ kind: "ask", prompt: "left" }], read: [] });
});

test("a full lane keeps the text in the input", () => {
  const full = [1, 2, 3, 4, 5].flatMap((at) => line(`text ${at}`, at * 1000));
  const result = play(busy, ...full, ...line("too much", 9000));
  expect([result.state.queue.length, textOf(result.state.composer)]).toEqual([5, "too much"]);
});

test("Esc stops the turn once and gives queued text back", () => {
  const result = play(busy, ...line("next", 3000), key("escape", 4000), key("escape", 4100));
  const after = play(result.state, ended("interrupted")).state;
  expect({ wants: kinds(result), text: textOf(after.composer), phase: after.phase }).toEqual({
    wants: ["stop"],
    text: "next",
    phase: { kind: "idle" },
  });
});

test("Ctrl+C clears the input, then stops the turn, and twice within two seconds quits", () => {
  const cleared = play(busy, typed("draft", 3000), key("ctrl+c", 4000));
  expect({
    text: textOf(cleared.state.composer),
    wants: kinds(cleared),
    second: kinds(play(cleared.state, key("ctrl+c", 4200))),
    third: kinds(play(cleared.state, key("ctrl+c", 4200), key("ctrl+c", 4400))),
    late: kinds(play(cleared.state, key("ctrl+c", 4200), key("ctrl+c", 7000))),
    idle: kinds(play(IDLE, typed("draft", 3000), key("ctrl+c", 4000), key("ctrl+c", 4200))),
  }).toEqual({
    text: "",
    wants: [],
    second: ["stop"],
    third: ["stop", "quit"],
    late: ["stop"],
    idle: ["quit"],
  });
});

test("the offer to quit goes away by itself, and then nothing keeps a clock running", () => {
  const armed = play(IDLE, key("ctrl+c", 1000)).state;
  const due = nextChange(armed, 1000);
  const later = play(armed, { type: "tick", at: due ?? 0 }).state;
  expect([due, nextChange(later, 3000), nextChange(IDLE, 0)]).toEqual([3000, null, null]);
});

test("Ctrl+D quits only when the input is empty", () => {
  expect([
    kinds(play(IDLE, key("ctrl+d"))),
    kinds(play(IDLE, typed("a"), key("ctrl+d", 500))),
  ]).toEqual([["quit"], []]);
});

test.each([
  ["/quit", ["quit"]],
  ["/exit", ["quit"]],
  ["/new", ["name"]],
  ["/new other work", ["open"]],
  ["/resume", ["pick"]],
  ["/help", ["print"]],
  ["/session", ["print"]],
  ["/ not a command", ["ask"]],
  ["/usr/bin is a path", ["ask"]],
] as const)("%s wants %j", (text, wants) => {
  expect(kinds(play(IDLE, ...line(text)))).toEqual([...wants]);
});

test("a mistyped command offers the nearest, and Up brings it back", () => {
  const result = play(IDLE, ...line("/hlep"));
  const recalled = play(result.state, key("up", 3000)).state;
  expect([
    JSON.stringify(result.wants).includes("did you mean /help?"),
    textOf(result.state.composer),
    textOf(recalled.composer),
  ]).toEqual([true, "", "/hlep"]);
});

test("a command that opens another session waits for the end of the turn", () => {
  const result = play(busy, ...line("/new", 3000));
  expect([kinds(result), textOf(result.state.composer)]).toEqual([["print"], ""]);
});

test("a question is answered by its key and is gone", () => {
  const ask = askAbout("npm test");
  const asked = play(busy, { type: "asked", ask, at: 2000 });
  const result = play(asked.state, typed("y", 2400));
  expect({ asked: kinds(asked), wants: result.wants, asks: result.state.asks }).toEqual({
    asked: ["print"],
    wants: [{ kind: "answer", ask, answer: { kind: "once" } }],
    asks: [],
  });
});

test("text typed as the question appears neither answers nor goes to the input", () => {
  const asked = play(busy, typed("draft", 1900), { type: "asked", ask: askAbout("x"), at: 2000 });
  const result = play(asked.state, typed("y", 2100), key("enter", 2200));
  expect([kinds(result), textOf(result.state.composer)]).toEqual([[], "draft"]);
});

test("of an answer that is typed as a word, nothing goes to the input", () => {
  const asked = play(busy, { type: "asked", ask: askAbout("x"), at: 2000 });
  const keys = [typed("y", 3000), typed("e", 3200), typed("s", 3400), key("enter", 3600)];
  const result = play(asked.state, ...keys);
  const other = play(asked.state, typed("y", 3000), typed("go on", 3200)).state;
  expect([kinds(result), textOf(result.state.composer), textOf(other.composer)]).toEqual([
    ["answer"],
    "",
    "go on",
  ]);
});

test("? at a question prints what its keys mean and answers nothing", () => {
  const asked = play(busy, { type: "asked", ask: askAbout("npm test"), at: 2000 });
  const result = play(asked.state, typed("?", 3000));
  expect([kinds(result), result.state.asks.length]).toEqual([["print"], 1]);
  expect(JSON.stringify(result.wants)).toContain("run it this once");
});

test("Esc at a question refuses and stops the turn", () => {
  const ask = askAbout("x");
  const asked = play(busy, { type: "asked", ask, at: 2000 });
  const result = play(asked.state, key("escape", 3000));
  expect(result.wants).toEqual([
    { kind: "answer", ask, answer: { kind: "stop" } },
    { kind: "stop" },
  ]);
});

test("of two questions the second is shown after the first, with its own time to be read", () => {
  const [first, second] = [askAbout("one"), askAbout("two")];
  const asked = play(
    busy,
    { type: "asked", ask: first, at: 2000 },
    { type: "asked", ask: second, at: 2000 },
  );
  const result = play(asked.state, typed("y", 2400), typed("y", 2500));
  expect([kinds(asked), kinds(result), result.state.asks.map((each) => each.ask)]).toEqual([
    ["print"],
    ["answer", "print"],
    [second],
  ]);
});

test("a change shown in its question is not shown again with the result", () => {
  const ask = askAbout("edit", "+new");
  const asked = play(busy, { type: "asked", ask, at: 2000 }).state;
  const event = eventOf(
    {
      type: "message.tool",
      data: {
        toolCallId: ask.call.id,
        name: "edit",
        content: [],
        isError: false,
        tier: "warm",
        summary: "+1 -0",
        durationMs: 1,
        diff: "+new",
      },
    },
    1,
  );
  const result = play(asked, { type: "turn", event: { kind: "stored", event }, at: 3000 });
  expect(JSON.stringify(result.wants)).toContain('"diff":null');
});

test("keys do nothing while another session is being opened", () => {
  const away = play(IDLE, ...line("/new")).state;
  expect(play(away, typed("x", 3000), key("ctrl+d", 3500))).toEqual(step(away));
});

const INQUIRY = [
  { header: "", question: "Which?", options: [{ label: "A", description: "" }], multi: false },
];
const OTHER = [{ header: "", question: "Other?", options: [], multi: false }];

test("questions of the model come one after the other, each printed when its turn comes", () => {
  const both = play(
    busy,
    { type: "inquired", questions: INQUIRY, at: 2000 },
    { type: "inquired", questions: OTHER, at: 2000 },
  );
  expect(kinds(both)).toEqual(["print"]);
  const first = play(both.state, typed("1", 3000));
  expect(first.wants).toEqual([
    { kind: "inform", questions: INQUIRY, inquired: { kind: "answered", answers: [["A"]] } },
    { kind: "print", entries: [{ kind: "inquiry", gap: true, question: "Other?", options: [] }] },
  ]);
  const early = play(first.state, typed("x", 3100));
  expect([textOf(early.state.composer), early.state.inquiries.length]).toEqual(["", 1]);
  const second = play(early.state, typed("because", 4000), key("enter", 4100));
  expect(second.wants).toEqual([
    { kind: "inform", questions: OTHER, inquired: { kind: "answered", answers: [["because"]] } },
  ]);
  expect([second.state.inquiries, textOf(second.state.composer)]).toEqual([[], ""]);
});

test("a permission question goes before a question of the model", () => {
  const both = play(
    busy,
    { type: "inquired", questions: INQUIRY, at: 2000 },
    { type: "asked", ask: askAbout("rm x"), at: 2000 },
  );
  const answered = play(both.state, typed("y", 3000), typed("1", 4000));
  expect(kinds(answered)).toEqual(["answer", "inform"]);
});

test("a question of the model whose turn was stopped is gone, and an idle chat has no timer for it", () => {
  const asked = play(busy, { type: "inquired", questions: INQUIRY, at: 2000 });
  expect(nextChange(asked.state, 2000)).toBeNull();
  const stopped = play(asked.state, key("ctrl+c", 3000));
  expect(kinds(stopped)).toEqual(["stop"]);
  const left = play(stopped.state, { type: "uninquired", questions: INQUIRY, at: 3001 });
  expect(left.state.inquiries).toEqual([]);
});
