// The input: what is sent, what is a newline, and what a burst means.
import { expect, test } from "bun:test";
import {
  COMPOSER,
  compose,
  settle,
  textOf,
  type Composer,
  type Sent,
} from "../../src/chat/composer.ts";
import { chord, type Key } from "../../src/term/key.ts";

type Timed = readonly [at: number, key: string | Key];
const text = (typed: string): Key => ({ kind: "text", text: typed });

/** Plays keys at their times, `null` being a tick of the clock. */
function play(
  keys: readonly (Timed | readonly [at: number, key: null])[],
  isBusy = false,
): { text: string; sent: Sent[] } {
  let composer: Composer = COMPOSER;
  const sent: Sent[] = [];
  for (const [at, key] of keys) {
    const context = { at, columns: 40, isBusy };
    const pressed = typeof key === "string" ? chord(key) : key;
    const step = pressed === null ? settle(composer, context) : compose(composer, pressed, context);
    composer = step.composer;
    if (step.sent) sent.push(step.sent);
  }
  return { text: textOf(composer), sent };
}

const prompt = (sentText: string): Sent => ({ how: "prompt", text: sentText });

test("Enter sends what was typed", () => {
  expect(
    play([
      [0, text("hello")],
      [500, "enter"],
    ]),
  ).toEqual({ text: "", sent: [prompt("hello")] });
});

test("an empty input sends nothing", () => {
  expect(
    play([
      [0, text("  ")],
      [500, "enter"],
    ]),
  ).toEqual({ text: "  ", sent: [] });
});

test.each(["shift+enter", "ctrl+j", "alt+enter"])("%s is a newline", (key) => {
  expect(
    play([
      [0, text("a")],
      [500, key],
      [1000, text("b")],
    ]),
  ).toEqual({ text: "a\nb", sent: [] });
});

test("a backslash before Enter becomes the newline", () => {
  expect(
    play([
      [0, text("a\\")],
      [500, "enter"],
    ]),
  ).toEqual({ text: "a\n", sent: [] });
});

test("Alt+Enter steers while a turn runs", () => {
  expect(
    play(
      [
        [0, text("left")],
        [500, "alt+enter"],
      ],
      true,
    ).sent,
  ).toEqual([{ how: "steer", text: "left" }]);
});

test("a paste without markers is not sent at its newlines", () => {
  expect(
    play([
      [0, text("one")],
      [0, "enter"],
      [0, text("two")],
      [1, "enter"],
      [40, null],
    ]),
  ).toEqual({
    text: "one\ntwo\n",
    sent: [],
  });
});

test("CR LF in such a paste is one newline", () => {
  const keys: Timed[] = [
    [0, text("one")],
    [0, "enter"],
    [0, "ctrl+j"],
    [0, text("two")],
  ];
  expect(play(keys).text).toBe("one\ntwo");
});

test("one line and Enter sent by a program is sent, a moment later", () => {
  const keys: Timed[] = [
    [0, text("hello")],
    [0, "enter"],
  ];
  expect([play(keys).sent, play([...keys, [31, null]]).sent]).toEqual([[], [prompt("hello")]]);
});

test("a key after a held Enter decides for sending", () => {
  expect(
    play([
      [0, text("hello")],
      [0, "enter"],
      [5, "up"],
    ]).sent,
  ).toEqual([prompt("hello")]);
});

test("after a paste Enter sends again", () => {
  const keys: Timed[] = [
    [0, text("one")],
    [0, "enter"],
    [0, text("two")],
    [600, "enter"],
  ];
  expect(play(keys)).toEqual({ text: "", sent: [prompt("one\ntwo")] });
});

test("Up brings the last prompt, Down the draft", () => {
  const sentOne: Timed[] = [
    [0, text("first")],
    [500, "enter"],
    [900, text("dra")],
  ];
  expect([
    play([...sentOne, [1400, "up"]]).text,
    play([...sentOne, [1400, "up"], [1500, "down"]]).text,
  ]).toEqual(["first", "dra"]);
});

test("Up first moves within a text of several lines", () => {
  const keys: Timed[] = [
    [0, text("old")],
    [500, "enter"],
    [900, text("a")],
    [1400, "ctrl+j"],
  ];
  expect(play([...keys, [1500, "up"]]).text).toBe("a\n");
});
