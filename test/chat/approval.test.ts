// The permission question: which keys answer it, and when.
import { expect, test } from "bun:test";
import { keysOf, pendingOf, questionEntry, reply, type Reply } from "../../src/chat/approval.ts";
import { chord, type Key } from "../../src/term/key.ts";
import { askAbout } from "../support/scripted-place.ts";

const ask = askAbout("npm test");
const pending = pendingOf(ask, 1000);
const text = (typed: string): Key => ({ kind: "text", text: typed });
const LATER = 2000;
/** As they come when they are typed. */
const letters = (word: string): string[] => word.split("");

function answers(keys: readonly (string | Key)[]): Reply {
  let current = pending;
  let last: Reply = { kind: "waiting", pending };
  for (const key of keys) {
    last = reply(current, typeof key === "string" ? chord(key) : key, LATER, 40);
    if (last.kind !== "waiting") return last;
    current = last.pending;
  }
  return last;
}

test.each([
  [[text("y")], { kind: "once" }],
  [[text("a")], { kind: "session", rule: "bash(npm test)" }],
  [["escape"], { kind: "stop" }],
  [["ctrl+c"], { kind: "stop" }],
  [[text("n"), "enter"], { kind: "no", reason: null }],
  [[text("n"), text("too slow"), "enter"], { kind: "no", reason: "too slow" }],
  [[text("n"), text("too"), "escape"], { kind: "stop" }],
] as const)("%j answers", (keys, answer) => {
  expect(answers(keys)).toMatchObject({ kind: "answered", answer });
});

test.each([
  [["yes"], { kind: "once" }],
  [["Yes"], { kind: "once" }],
  [["always"], { kind: "session", rule: "bash(npm test)" }],
] as const)("%j in one piece answers", (pieces, answer) => {
  expect(answers(pieces.map(text))).toEqual({ kind: "answered", answer, rest: "" });
});

test.each([
  [["no"], null],
  [["n", "o"], null],
  [["no, use another file"], "use another file"],
  [letters("no, use another file"), "use another file"],
  [["n", "use another file"], "use another file"],
  [["n", ...letters("use another file")], "use another file"],
  [["not that file"], "not that file"],
  [letters("not that file"), "not that file"],
  [letters("nothing"), "nothing"],
  [letters("noth"), "noth"],
  [["n", ...letters("only the tests")], "only the tests"],
  [["n", ...letters("other folder")], "other folder"],
  [["n use make"], "use make"],
])("%j and Enter refuses because of %j", (pieces, reason) => {
  expect(answers([...pieces.map(text), "enter"])).toEqual({
    kind: "answered",
    answer: { kind: "no", reason },
    rest: "",
  });
});

test("? asks what the keys mean, and only a grant that holds is offered", () => {
  expect(answers([text("?")])).toEqual({ kind: "help" });
  const floor = pendingOf({ ...ask, question: { ...ask.question, floor: true } }, 0);
  const names = (each: Parameters<typeof keysOf>[0]): string[] =>
    keysOf(each).map(([name]) => name);
  expect([names(pending), names(floor)]).toEqual([
    ["y, yes", "a, always", "n, no", "Esc"],
    ["y, yes", "n, no", "Esc"],
  ]);
});

test.each(["enter", "tab", "shift+tab", "up", "ctrl+y"])("%s does not answer", (key) => {
  expect(answers([key])).toEqual({ kind: "waiting", pending });
});

test("a paste never answers, not even a single letter", () => {
  expect(answers([{ kind: "paste", text: "y" }])).toEqual({
    kind: "waiting",
    pending,
  });
});

test("a key pressed before the question could be read does not answer it", () => {
  expect(reply(pending, text("y"), 1200, 40)).toEqual({
    kind: "waiting",
    pending: { ...pending, openAt: 1500, isEarly: true },
  });
});

test("who types on puts the question off", () => {
  const first = reply(pending, text("y"), 1290, 40);
  const second = first.kind === "waiting" ? reply(first.pending, text("y"), 1500, 40) : first;
  expect(second.kind).toBe("waiting");
});

test("the question shows the whole command with everything hidden made visible, and the part that asks", () => {
  const command = "ls && rm\t-rf \u202ebuild";
  const cause = { kind: "run", command: "rm -rf build", cwd: "/" } as const;
  const asked = { ...askAbout(command), question: { ...ask.question, touch: cause } };
  expect(questionEntry(asked)).toEqual({
    kind: "question",
    gap: true,
    tool: "bash",
    what: "ls && rm\\t-rf \\u202ebuild",
    because: "running a command in mode standard: rm -rf build",
    preview: null,
  });
});

test("what is asked in every mode cannot be allowed for the session", () => {
  const risky = { ...ask, question: { ...ask.question, floor: true } };
  const asked = pendingOf(risky, 0);
  expect(reply(asked, { kind: "text", text: "a" }, 1000, 80)).toEqual({
    kind: "waiting",
    pending: asked,
  });
});

test("a tool that touches nothing is asked about by what the call is called", () => {
  const question = { touch: null, because: "the rule ask tasks", offer: "tasks", floor: false };
  const about = {
    ...ask,
    call: { ...ask.call, name: "tasks", arguments: "{}" },
    title: "tasks stop 1",
  };
  expect(questionEntry({ ...about, question })).toMatchObject({
    tool: "tasks",
    what: "tasks stop 1",
    because: "the rule ask tasks",
  });
});
