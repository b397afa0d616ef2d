// Server-sent events: the grammar as a table, and that cutting the bytes anywhere changes nothing.
import { describe, expect, test } from "bun:test";
import { sseDecoder, type SseEvent } from "../../src/wire/sse.ts";
import { pieces } from "../support/collect.ts";
import { forSeeds, type Random } from "../support/random.ts";

function decode(chunks: Iterable<Uint8Array>): SseEvent[] {
  const decoder = sseDecoder();
  const events: SseEvent[] = [];
  for (const chunk of chunks) {
    const fed = decoder.feed(chunk);
    if (!fed.ok) throw new Error("over the cap");
    events.push(...fed.value);
  }
  return [...events, ...decoder.end()];
}

const message = (data: string): SseEvent => ({ event: "message", data });

const GRAMMAR: [name: string, text: string, events: SseEvent[]][] = [
  ["one event", "data: a\n\n", [message("a")]],
  ["no space after the colon", "data:a\n\n", [message("a")]],
  ["only the first space is taken off", "data:  a\n\n", [message(" a")]],
  ["CRLF line ends", "data: a\r\n\r\ndata: b\r\n\r\n", [message("a"), message("b")]],
  ["CR line ends", "data: a\r\rdata: b\r\r", [message("a"), message("b")]],
  ["mixed line ends", "data: a\r\ndata: b\ndata: c\r\r\n", [message("a\nb\nc")]],
  ["several data lines", "data: a\ndata:\ndata: b\n\n", [message("a\n\nb")]],
  ["a data line without a colon", "data\ndata\n\n", [message("\n")]],
  ["a named event", "event: error\ndata: {}\n\n", [{ event: "error", data: "{}" }]],
  [
    "a name lasts for one event",
    "event: x\ndata: 1\n\ndata: 2\n\n",
    [{ event: "x", data: "1" }, message("2")],
  ],
  ["a name without data is no event", "event: x\n\ndata: 1\n\n", [message("1")]],
  ["comments", ": ping\n\n:\n\ndata: a\n: in between\ndata: b\n\n", [message("a\nb")]],
  ["id, retry and unknown fields", "id: 1\nretry: 3\nfoo: bar\ndata: a\n\n", [message("a")]],
  ["a field that only begins like data", "database: x\ndata: a\n\n", [message("a")]],
  ["a byte order mark", "\uFEFFdata: a\n\n", [message("a")]],
  ["no blank line at the end", "data: a\n\ndata: b\n", [message("a"), message("b")]],
  ["no line end at the end", "data: a\n\ndata: b", [message("a"), message("b")]],
  ["blank lines alone", "\n\n\r\n\r\r", []],
  ["nothing", "", []],
  ["text beyond ASCII", "data: é漢😀\n\n", [message("é漢😀")]],
];

describe("the decoder", () => {
  test.each(GRAMMAR)("reads %s", (_, text, events) => {
    expect(decode([Buffer.from(text)])).toEqual(events);
  });

  test.each(GRAMMAR)("reads %s byte by byte", (_, text, events) => {
    expect(decode([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  });

  test("gives an event as soon as its blank line is there", () => {
    const decoder = sseDecoder();
    expect(decoder.feed(Buffer.from("data: a\n"))).toEqual({ ok: true, value: [] });
    expect(decoder.feed(Buffer.from("\n"))).toEqual({ ok: true, value: [message("a")] });
    expect(decoder.end()).toEqual([]);
  });

  test("refuses an event above the cap, as one line or as many", () => {
    const refusal = {
      ok: false,
      failure: { kind: "limit", which: "one server-sent event (10 bytes)" },
    } as const;
    expect(sseDecoder(10).feed(Buffer.from("data: 0123456789"))).toEqual(refusal);
    expect(sseDecoder(10).feed(Buffer.from("data: 01234\ndata: 56789\n"))).toEqual(refusal);
    expect(sseDecoder(10).feed(Buffer.from("data: 0\n\n".repeat(10))).ok).toBe(true);
  });

  test("shows bytes that are no UTF-8 as replacement characters", () => {
    expect(decode([Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a])])).toEqual([
      message("\uFFFD"),
    ]);
  });
});

const FRAGMENTS = [
  "data: ",
  "data:",
  "event: x",
  ": c",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "é",
  "😀",
  "{}",
  "id: 1",
  "\uFEFF",
  " ",
];

function anyStream(random: Random): Buffer {
  const parts = Array.from({ length: random.int(60) }, () => random.pick(FRAGMENTS));
  return Buffer.from(parts.join(""));
}

test("any cut of any stream gives the same events", () => {
  forSeeds(500, (random) => {
    const bytes = anyStream(random);
    expect(decode(pieces(bytes, random, 1 + random.int(9)))).toEqual(decode([bytes]));
  });
});
