// The editor: against a plain model, and key by key.
import { expect, test } from "bun:test";
import { graphemes } from "../../src/base/cells.ts";
import { content, EDITOR, feed, type Editor } from "../../src/term/editor.ts";
import { chord, type Key } from "../../src/term/key.ts";
import { layout } from "../../src/term/motion.ts";
import { forSeeds } from "../support/random.ts";

const COLUMNS = 20;
const text = (typed: string): Key => ({ kind: "text", text: typed });
const after = (keys: readonly (string | Key)[], start: Editor = EDITOR): Editor =>
  keys
    .map((key) => (typeof key === "string" ? chord(key) : key))
    .reduce((editor, key) => feed(editor, key, COLUMNS), start);
const shown = (editor: Editor): string =>
  `${editor.text.slice(0, editor.caret)}|${editor.text.slice(editor.caret)}`;
const typed = (value: string): Key => ({ kind: "paste", text: value });

const TABLE: readonly (readonly [string, readonly (string | Key)[], string])[] = [
  ["typing", [text("ab"), text("c")], "abc|"],
  ["left and right by grapheme", [text("a👨‍👩‍👧é"), "left", "left", "right"], "a👨‍👩‍👧|é"],
  ["backspace takes a whole family", [text("a👨‍👩‍👧"), "backspace"], "a|"],
  ["delete takes what follows", [text("abc"), "home", "delete"], "|bc"],
  ["home and end stay in the line", [typed("one\ntwo"), "home"], "one\n|two"],
  ["word left", [text("one two-three"), "alt+b", "alt+b"], "one |two-three"],
  ["word right", [text("one two"), "home", "alt+f"], "one| two"],
  ["kill to the end and yank", [text("one two"), "alt+b", "ctrl+k", "home", "ctrl+y"], "two|one "],
  ["kill at the line's end takes the newline", [typed("a\nb"), "up", "end", "ctrl+k"], "a|b"],
  ["kills in a row are one", [text("one two"), "ctrl+w", "ctrl+w", "ctrl+y"], "one two|"],
  ["kill the line before the caret", [text("one two"), "ctrl+u"], "|"],
  [
    "yank-pop brings the kill before",
    [text("a b"), "ctrl+w", "left", "ctrl+k", "ctrl+y", "alt+y"],
    "ab|",
  ],
  ["yank-pop without a yank does nothing", [text("ab"), "ctrl+w", "alt+y"], "|"],
  ["transpose", [text("ab"), "ctrl+t"], "ba|"],
  ["undo takes back a word", [text("a"), text("b"), text(" "), text("c"), "ctrl+_"], "ab|"],
  ["redo brings it again", [text("ab"), "ctrl+_", "alt+_"], "ab|"],
  ["up keeps the column", [typed("long line\nab"), "up"], "lo|ng line\nab"],
  [
    "up over a short line keeps the goal",
    [typed("abcdef\nx\nabcdef"), "up", "up"],
    "abcdef|\nx\nabcdef",
  ],
  ["up moves by wrapped rows", [text("a".repeat(25)), "up"], "aaaaa|aaaaaaaaaaaaaaaaaaaa"],
  ["a control character in a paste is dropped", [typed("a\u0007b\r\nc")], "ab\nc|"],
];

test.each(TABLE)("%s", (_, keys, expected) => {
  expect(shown(after(keys))).toBe(expected);
});

test("unknown chords leave the same editor", () => {
  const editor = after([text("abc")]);
  expect(feed(editor, chord("ctrl+alt+f9"), COLUMNS)).toBe(editor);
});

test("a large paste folds and its content is kept", () => {
  const pasted = Array.from({ length: 42 }, (_, line) => `line ${line}`).join("\n");
  const editor = after([text("see "), typed(pasted), text(" ok")]);
  expect({ content: content(editor), rows: layout(editor, 60).rows }).toEqual({
    content: `see ${pasted} ok`,
    rows: ["see [paste 42 lines] ok"],
  });
});

test("one key opens a folded paste, and backspace removes it as one character", () => {
  const pasted = "x\n".repeat(20);
  const folded = after([typed(pasted)]);
  expect([after(["ctrl+o"], folded).text, after(["backspace"], folded).text]).toEqual([pasted, ""]);
});

test("pasted private characters cannot stand for another paste", () => {
  const editor = after([typed("secret\n".repeat(20)), typed("\u{f0000}")]);
  expect(content(editor)).toBe("secret\n".repeat(20));
});

test("the caret after a full row stands at the start of the next", () => {
  expect(layout(after([text("a".repeat(20))]), 20).caret).toEqual({ row: 1, column: 0 });
});

test("wide characters never reach over the edge of a row", () => {
  expect(layout(after([text("a漢字漢字")]), 4)).toEqual({
    rows: ["a漢", "字漢", "字"],
    caret: { row: 2, column: 2 },
  });
});

test("the editor does what a list of graphemes with a caret does", () => {
  const alphabet = ["a", "漢", "👨‍👩‍👧", "é", " ", "🇩🇪"];
  forSeeds(300, (random) => {
    let editor = EDITOR;
    const model = { before: [] as string[], after: [] as string[] };
    for (let step = 0; step < 40; step += 1) {
      const action = random.pick(["type", "left", "right", "backspace", "delete"] as const);
      const typedNow = random.pick(alphabet);
      editor = feed(editor, action === "type" ? text(typedNow) : chord(action), COLUMNS);
      applyToModel(model, action, typedNow);
    }
    expect(shown(editor)).toBe(`${model.before.join("")}|${model.after.join("")}`);
  });
});

test("undo leads back to the empty text from anywhere", () => {
  const keys = [
    "left",
    "right",
    "backspace",
    "ctrl+k",
    "ctrl+w",
    "ctrl+y",
    "ctrl+t",
    "up",
    "alt+d",
  ];
  forSeeds(200, (random) => {
    let editor = EDITOR;
    for (let step = 0; step < 60; step += 1) {
      const key = random.chance(0.5) ? text(random.pick(["a", " b", "\n", "漢"])) : null;
      editor = feed(editor, key ?? chord(random.pick(keys)), COLUMNS);
      expect(graphemes(editor.text).join("")).toBe(editor.text);
    }
    for (let step = 0; step < 200; step += 1) editor = feed(editor, chord("ctrl+_"), COLUMNS);
    expect(editor.text).toBe("");
  });
});

type Model = { before: string[]; after: string[] };

function applyToModel(model: Model, action: string, typedNow: string): void {
  if (action === "type") model.before.push(typedNow);
  if (action === "backspace") model.before.pop();
  if (action === "delete") model.after.shift();
  const moved = action === "left" ? model.before.pop() : undefined;
  if (moved !== undefined) model.after.unshift(moved);
  const back = action === "right" ? model.after.shift() : undefined;
  if (back !== undefined) model.before.push(back);
}
