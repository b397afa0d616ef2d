// What bytes are as text, and the same bytes back.
import { describe, expect, test } from "bun:test";
import { decodeText, encodeText, encodingName } from "../../src/base/encoding.ts";
import { forSeeds } from "../support/random.ts";

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

describe("decodeText", () => {
  test.each([
    ["UTF-8", Buffer.from("größe €"), "größe €"],
    ["UTF-8 with byte order mark", Buffer.from("\ufeffa"), "a"],
    ["UTF-16LE", Buffer.from("\ufeffa€", "utf16le"), "a€"],
    ["UTF-16BE", Buffer.from("\ufeffa€", "utf16le").swap16(), "a€"],
    ["Latin-1", Buffer.from("größe\n", "latin1"), "größe\n"],
    ["UTF-8", bytes(), ""],
  ])("takes %s for what it is", (name, content, text) => {
    const decoded = decodeText(content);
    expect(decoded?.text).toBe(text);
    expect(decoded === null ? null : encodingName(decoded)).toBe(name);
  });

  test.each([
    ["a NUL byte", bytes(97, 0, 98)],
    ["a PNG", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ["half a UTF-16 unit", bytes(0xff, 0xfe, 97, 0, 98)],
    ["half a surrogate pair in UTF-16", bytes(0xff, 0xfe, 0x3d, 0xd8)],
  ])("does not take %s for text", (_, content) => {
    expect(decodeText(content)).toBeNull();
  });

  test("a part may end inside a character", () => {
    const part = Buffer.from("a€").subarray(0, 2);
    expect([decodeText(part, false)?.text, decodeText(part)?.encoding]).toEqual(["a", "latin-1"]);
  });
});

test("what was decoded is encoded to the same bytes", () => {
  forSeeds(500, (random) => {
    const length = random.int(12);
    const content = Uint8Array.from({ length }, () =>
      random.pick([0xef, 0xbb, 0xbf, 0xff, 0xfe, 65, 10, 13, 0xe9, 0]),
    );
    const decoded = decodeText(content);
    if (decoded === null) return;
    expect([...(encodeText(decoded) ?? [])]).toEqual([...content]);
  });
});

test("what the encoding cannot hold is refused", () => {
  const latin = { encoding: "latin-1", mark: false } as const;
  expect(encodeText({ ...latin, text: "é" })).toEqual(Buffer.from([0xe9]));
  expect(encodeText({ ...latin, text: "€" })).toBeNull();
  expect(encodeText({ encoding: "utf-8", mark: false, text: "\ud83d" })).toBeNull();
});
