// Globs in bounded time: the same answers as trying everything, and no pattern that runs away.
import { expect, test } from "bun:test";
import { globSource } from "../../src/policy/glob.ts";
import { forSeeds } from "../support/random.ts";
import { judgeRun, policy, read } from "./policy-kit.ts";
import { decide } from "../../src/policy/verdict.ts";

const SIGNS = { "**/": "(?:[^]*/)?", "**": "[^]*", "*": "[^/]*", "?": "[^/]" };

/** The plain translation, which tries every place for every star. */
function plain(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/|\*\*|[^]/g, (token) =>
    token in SIGNS
      ? SIGNS[token === "**/" || token === "**" || token === "*" ? token : "?"]
      : token,
  );
  return new RegExp(`^${source}$`);
}

test("holding a star to its first fit gives the same answers", () => {
  forSeeds(3000, (random) => {
    const word = (signs: string, most: number): string =>
      Array.from({ length: random.int(most) }, () => signs[random.int(signs.length)]).join("");
    const glob = word("ab/*?", 9).replaceAll(/\*{3,}/g, "**");
    const text = word("ab/", 9);
    const held = new RegExp(`^${globSource(glob, SIGNS)}$`);
    expect({ glob, text, hit: held.test(text) }).toEqual({
      glob,
      text,
      hit: plain(glob).test(text),
    });
  });
});

test("a rule of many stars does not run away", () => {
  const stars = `${"*a".repeat(30)}*b`;
  const rules = policy({ deny: [`read(${stars})`, `bash(${stars})`] });
  expect(decide("read", [read(`/w/${"a".repeat(200)}`)], rules).kind).toBe("allow");
  expect(judgeRun("a".repeat(20_000), { mode: "yolo", deny: [`bash(${stars})`] }).kind).toBe(
    "allow",
  );
});
