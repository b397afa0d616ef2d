// Where a prefilter looks: every place where a folded text stands, in all its forms, and no other.
import { expect, test } from "bun:test";
import { matcherOf } from "../../src/search/match.ts";
import { seekIn } from "../../src/search/seek.ts";
import { forSeeds } from "../support/random.ts";

/** Whether the prefilter of a text finds it in any case; null when there is none. */
function seeks(pattern: string, text: string): boolean | null {
  const made = matcherOf({ pattern, regex: false, ignoreCase: true, multiline: false });
  if (!made.ok) throw new Error("no pattern");
  const { prefilter } = made.value;
  return prefilter.kind === "none" ? null : seekIn(prefilter, Buffer.from(text))(0) >= 0;
}

test("a letter with three forms is found in each of them", () => {
  const texts = ["task", "TASK", "Ta\u017fk", "tas\u212a", "tax", "tas", "ask", "\u017fk"];
  expect(texts.map((text) => seeks("task", text))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("a text of nothing but such letters has no prefilter", () => {
  expect(seeks("kss", "kss")).toBe(null);
});

test("a text is found in any case wherever it stands, and nowhere else", () => {
  forSeeds(2_000, (chance) => {
    const letter = (): string =>
      chance.pick(["a", "B", "e", "k", "S", "1", "_", "\u017f", "\u212a"]);
    const word = (most: number): string =>
      Array.from({ length: 1 + chance.int(most) }, letter).join("");
    const pattern = word(4).replaceAll(/[\u017f\u212a]/g, "x");
    const text = word(30);
    const found = seeks(pattern, text);
    if (found === null) return;
    expect({ pattern, text, found }).toEqual({
      pattern,
      text,
      found: RegExp(pattern, "iu").test(text),
    });
  });
});
