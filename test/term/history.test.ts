// Prompt history: walking back and forth.
import { expect, test } from "bun:test";
import { HISTORY, newer, older, remember } from "../../src/term/history.ts";

const history = ["one", "two"].reduce(remember, HISTORY);

test("Up walks back and Down returns to the draft", () => {
  const first = older(history, "draft");
  const second = first && older(first.history, first.text);
  const forth = second && newer(second.history);
  const draft = forth && newer(forth.history);
  expect([first, second, forth, draft].map((step) => step?.text)).toEqual([
    "two",
    "one",
    "two",
    "draft",
  ]);
});

test("the oldest entry and the draft are the ends", () => {
  const first = older(history, "");
  const second = first && older(first.history, "");
  expect([second && older(second.history, ""), newer(history)]).toEqual([null, null]);
});

test("a repeated prompt is kept once, an empty one not at all", () => {
  expect(["two", " "].reduce(remember, history).entries).toEqual(["one", "two"]);
});
