// Lines of JSON out of bytes that are cut anywhere.
import { describe, expect, test } from "bun:test";
import { ndjsonDecoder } from "../../src/wire/ndjson.ts";
import { pieces } from "../support/collect.ts";
import { forSeeds } from "../support/random.ts";

function lines(...chunks: (string | Uint8Array)[]): string[] {
  const decoder = ndjsonDecoder();
  const out: string[] = [];
  for (const chunk of chunks) {
    const fed = decoder.feed(Buffer.from(chunk));
    if (!fed.ok) throw new Error("too long");
    out.push(...fed.value);
  }
  return [...out, ...decoder.end()];
}

describe("lines", () => {
  test.each<[string, string[], string[]]>([
    ["end at a line feed", ["a\nb\n"], ["a", "b"]],
    ["may end with a carriage return, too", ["a\r\nb\r\n"], ["a", "b"]],
    ["go on in the next piece", ["a", "b", "c\nd", "\n"], ["abc", "d"]],
    ["without anything are none", ["\n\n a \n\r\n"], ["a"]],
    ["need no line feed at the end", ["a\nb"], ["a", "b"]],
    ["come after a byte order mark", ["\ufeffa\n"], ["a"]],
    ["of nothing are none", [""], []],
  ])("%s", (_, chunks, expected) => {
    expect(lines(...chunks)).toEqual(expected);
  });

  test("are the same however the bytes are cut", () => {
    const bytes = Buffer.from('\ufeff{"a":"é€😀"}\r\n\n{"b":"\u2028"}\nlast 😀');
    forSeeds(300, (random) => {
      expect(lines(...pieces(bytes, random, 1 + random.int(9)))).toEqual([
        '{"a":"é€😀"}',
        '{"b":"\u2028"}',
        "last 😀",
      ]);
    });
  });

  test("outgrow the cap only while they are open", () => {
    const decoder = ndjsonDecoder(4);
    expect(decoder.feed(Buffer.from("longer\nabcd"))).toEqual({ ok: true, value: ["longer"] });
    expect(decoder.feed(Buffer.from("e"))).toEqual({
      ok: false,
      failure: { kind: "limit", which: "one line of the reply (4 characters)" },
    });
  });
});
