// What must not reach a reader: taken out or written out, and nothing else touched.
import { describe, expect, test } from "bun:test";
import { plainText, strip, stripEscapes, visible } from "../../src/base/plain.ts";
import { forSeeds } from "../support/random.ts";

describe("plainText", () => {
  test.each([
    ["\u001b[1;31mred\u001b[0m", "red"],
    ["\u001b]0;title\u0007text", "text"],
    ["\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u001b]0;never closed\nnext", "0;never closed\nnext"],
    ["10%\r20%\r100%\ndone", "100%\ndone"],
    ["10%\r\u001b[K", "10%"],
    ["line\r\nnext\r\n", "line\nnext\n"],
    ["N\bNA\bA", "NA"],
    ["a\u0000b\u0007\tc", "ab\tc"],
    ["\u001b(Bx\u001b=", "x"],
    ["\u009b1;31mred\u009b0m\u009d0;title\u009ctext", "redtext"],
    ["\u0085a\u0080b\u009b", "ab"],
  ])("of %j is %j", (raw, plain) => {
    expect(plainText(raw)).toBe(plain);
  });
});

test("escapes go, carriage returns stay", () => {
  expect(stripEscapes("\u001b[2K1\r2")).toBe("1\r2");
});

describe("strip", () => {
  test("takes out escapes, controls, bidi marks and all of no width, and keeps lines and tabs", () => {
    expect(strip("a\u001b[31mb\u001b]0;title\u0007c\r\nd\u0008\u202ee\tf\u009b1mg")).toBe(
      "abc\nde\tfg",
    );
    expect(strip("a\u200bb\u200e\u2066c\ufeffd\u2028e\u{e0041}f\ud800g")).toBe("abcd efg");
  });

  test("keeps the joiners and selectors that belong to emoji and to scripts", () => {
    const text = "👨‍👩‍👧 ⚠️ 1️⃣ 👩🏽‍🚀 می‌خواهم 漢字　naïve";
    expect(strip(text)).toBe(text);
    expect(strip("pay\u200dpal 1\ufe0f a\u200cb")).toBe("paypal 1 ab");
  });
});

describe("visible", () => {
  test("in a question nothing stays invisible", () => {
    expect(visible("rm\t-rf \u202e/\u200b \u001b[2K\u00a0x\u3164\u{e0041}\u2028")).toBe(
      String.raw`rm\t-rf \u202e/\u200b \u001b[2K\u00a0x\u3164\udb40\udc41\u2028`,
    );
  });

  test("ordinary text is visible as it is", () => {
    const text = 'grep "naïve 漢字" ./src && echo done ⚠️\nsecond line';
    expect(visible(text)).toBe(text);
  });

  test("newlines and tabs stay where they are asked for", () => {
    expect([visible("a\n\tb", ""), visible("a\n\tb"), visible("a\n\tb", "\n\t")]).toEqual([
      String.raw`a\n\tb`,
      String.raw`a` + "\n" + String.raw`\tb`,
      "a\n\tb",
    ]);
  });
});

test("neither leaves a control or a bidi mark, whatever comes", () => {
  const parts = [
    "\u001b[",
    "\u009b",
    "\u202e",
    "\u2067",
    "\u200f",
    "\r",
    "\u0085",
    "\u007f",
    "⚠️",
    "ab",
    "m",
  ];
  forSeeds(300, (random) => {
    const text = Array.from({ length: random.int(12) }, () => random.pick(parts)).join("");
    const harmful = /[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;
    expect([strip(text), visible(text)].filter((clean) => harmful.test(clean))).toEqual([]);
  });
});
