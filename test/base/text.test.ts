// The plain text of what programs print.
import { describe, expect, test } from "bun:test";
import { byteSize, count, cutLine, plainText, stripEscapes } from "../../src/base/text.ts";
import { createRing } from "../../src/base/ring.ts";
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
  ])("of %j is %j", (raw, plain) => {
    expect(plainText(raw)).toBe(plain);
  });
});

test("escapes go, carriage returns stay", () => {
  expect(stripEscapes("\u001b[2K1\r2")).toBe("1\r2");
});

test("a long line is cut with the count, not inside a surrogate pair", () => {
  expect([cutLine("abcdef", 6), cutLine("abcdef", 4), cutLine("abc😀f", 4)]).toEqual([
    "abcdef",
    "abcd… (+2 characters)",
    "abc… (+3 characters)",
  ]);
});

test("amounts are said in words", () => {
  expect([
    count(1, "line"),
    count(0, "line"),
    byteSize(1),
    byteSize(1536),
    byteSize(3 << 20),
  ]).toEqual(["1 line", "0 lines", "1 byte", "1.5 KB", "3.0 MB"]);
});

test("a ring holds the last bytes, however they came", () => {
  forSeeds(300, (random) => {
    const ring = createRing(16);
    const all: number[] = [];
    for (let chunk = random.int(12); chunk > 0; chunk -= 1) {
      const bytes = Uint8Array.from({ length: random.int(40) }, () => random.int(256));
      all.push(...bytes);
      ring.add(bytes);
    }
    expect([...ring.bytes()]).toEqual(all.slice(-16));
  });
});
