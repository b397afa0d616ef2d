// Lines, amounts and sizes as they are said; the ring that holds the last bytes.
import { expect, test } from "bun:test";
import { byteSize, count, cutLine } from "../../src/base/text.ts";
import { createRing } from "../../src/base/ring.ts";
import { forSeeds } from "../support/random.ts";

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
