// The model's own questions: which keys move, mark, choose and write, and what each way of answering gives.
import { describe, expect, test } from "bun:test";
import { hear, inquiringOf, inquiryEntry, type Heard } from "../../src/chat/inquiry.ts";
import { inquiryRows } from "../../src/chat/question-view.ts";
import { chord, type Key } from "../../src/term/key.ts";
import { PLAIN } from "../../src/term/style.ts";
import type { Inquiry } from "../../src/tools/inquiry.ts";

const text = (typed: string): Key => ({ kind: "text", text: typed });
const LATER = 2000;

function asked(changes: Partial<Inquiry> = {}): Inquiry {
  const options = ["A", "B", "C"].map((label) => ({ label, description: "" }));
  return { header: "", question: "Which?", options, multi: false, ...changes };
}

/** After keys by name or as they are; until it is answered. */
function heard(questions: readonly Inquiry[], keys: readonly (string | Key)[]): Heard {
  let last: Heard = { kind: "waiting", inquiring: inquiringOf(questions, 1000) };
  for (const key of keys) {
    if (last.kind !== "waiting") return last;
    last = hear(last.inquiring, typeof key === "string" ? chord(key) : key, LATER, 40);
  }
  return last;
}

const answered = (...answers: string[][]): Heard => ({
  kind: "answered",
  inquired: { kind: "answered", answers },
});
const DECLINED: Heard = { kind: "answered", inquired: { kind: "declined" } };

describe("one of several", () => {
  test.each([
    [["enter"], answered(["A"])],
    [["down", "enter"], answered(["B"])],
    [["up", "up", "enter"], answered(["C"])],
    [["tab", "ctrl+n", "shift+tab", "enter"], answered(["B"])],
    [[text("3")], answered(["C"])],
    [[text("4"), text("mine"), "enter"], answered(["mine"])],
    [["up", "enter", text("mine"), "enter"], answered(["mine"])],
    [[text("my "), text("2 words"), "enter"], answered(["my 2 words"])],
    [[text("x"), "escape", text("2")], answered(["B"])],
    [[text("4"), "enter", text("2")], answered(["B"])],
    [[{ kind: "paste", text: "pasted" } as const, "enter"], answered(["pasted"])],
    [["escape"], DECLINED],
    [["ctrl+c"], { kind: "stop" } as const],
    [[text("x"), "ctrl+c"], { kind: "stop" } as const],
  ])("%j", (keys, wanted) => {
    expect(heard([asked()], keys)).toEqual(wanted);
  });

  test.each([" ", "9"])("%j is no answer", (key) => {
    expect(heard([asked()], [text(key)])).toEqual(heard([asked()], []));
  });
});

describe("any of several", () => {
  test.each([
    [["enter"], answered(["A"])],
    [[text("3"), text("1"), "enter"], answered(["A", "C"])],
    [[text("3"), text("3"), "enter"], answered(["C"])],
    [["down", text(" "), "down", text(" "), "up", text(" "), "enter"], answered(["C"])],
    [[text("2"), text("own"), "enter"], answered(["B", "own"])],
    [[text("2"), text("own"), "escape", "up", "enter"], answered(["B"])],
  ])("%j", (keys, wanted) => {
    expect(heard([asked({ multi: true })], keys)).toEqual(wanted);
  });
});

test("a question without options is answered in words, and not with nothing", () => {
  const open = asked({ options: [] });
  expect(heard([open], ["enter", text("because"), "enter"])).toEqual(answered(["because"]));
  expect(heard([open], [text("x"), "escape"])).toEqual(DECLINED);
});

test("several questions come one after the other, each with its own list", () => {
  const questions = [asked(), asked({ multi: true }), asked({ options: [] })];
  const keys = [text("2"), text("1"), text("3"), "enter", text("end"), "enter"];
  expect(heard(questions, keys)).toEqual(answered(["B"], ["A", "C"], ["end"]));
});

test("a key pressed before the question could be read does not answer it, and puts it off", () => {
  const first = hear(inquiringOf([asked()], 1000), text("1"), 1200, 40);
  expect(first).toMatchObject({ kind: "waiting", inquiring: { openAt: 1500 } });
  const second = first.kind === "waiting" ? hear(first.inquiring, text("1"), 1450, 40) : first;
  expect(second).toMatchObject({ kind: "waiting", inquiring: { openAt: 1750 } });
});

test("nothing of a question is hidden", () => {
  const question = asked({
    header: "H\u202e",
    question: "a\u200bb?",
    options: [{ label: "x\ny", description: "d\u001b[2J" }],
  });
  expect(inquiryEntry(inquiringOf([question, question], 0))).toEqual({
    kind: "inquiry",
    gap: true,
    question: String.raw`(1/2) H\u202e: a\u200bb?`,
    options: [{ label: String.raw`x\ny`, description: String.raw`d\u001b[2J` }],
  });
});

describe("the list", () => {
  const rowsOf = (keys: string[], rows: number, columns = 40): string[] => {
    const last = heard([asked({ multi: true })], keys);
    if (last.kind !== "waiting") throw new Error("it was answered");
    return inquiryRows(last.inquiring, { rows, columns, style: PLAIN });
  };

  test("shows all options, the own answer and the keys where there is room", () => {
    expect(rowsOf(["down"], 6, 80)).toEqual([
      "  1 [ ] A",
      "› 2 [ ] B",
      "  3 [ ] C",
      "  4 another answer",
      "Space or number marks · Enter sends · Esc answers nothing",
    ]);
  });

  test.each([1, 2, 3, 4])("keeps the chosen row in %i rows", (rows) => {
    for (const [steps, row] of [
      [0, "› 1 [ ] A"],
      [2, "› 3 [ ] C"],
      [3, "› 4 another answer"],
    ] as const) {
      const shown = rowsOf(
        Array.from({ length: steps }, () => "down"),
        rows,
      );
      expect([shown.length, shown.includes(row)]).toEqual([rows, true]);
    }
  });
});
