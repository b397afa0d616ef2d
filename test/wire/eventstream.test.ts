// AWS event streams: messages out of bytes that are cut anywhere, and damage that never passes.
import { describe, expect, test } from "bun:test";
import { eventStreamDecoder, type EventMessage } from "../../src/wire/eventstream.ts";
import { pieces } from "../support/collect.ts";
import { eventMessage, jsonEvent, text } from "../support/event-stream-writer.ts";
import { forSeeds, random } from "../support/random.ts";

type Read = { messages: [headers: object, payload: string][]; failure: string | null };

function read(...chunks: Uint8Array[]): Read {
  const decoder = eventStreamDecoder();
  const messages: EventMessage[] = [];
  let failure: string | null = null;
  for (const chunk of chunks) {
    const fed = decoder.feed(chunk);
    messages.push(...fed.messages);
    failure ??= fed.failure === null ? null : JSON.stringify(fed.failure);
  }
  return {
    messages: messages.map(({ headers, payload }) => [
      Object.fromEntries(headers),
      Buffer.from(payload).toString(),
    ]),
    failure,
  };
}

const DAMAGED = (what: string): string =>
  `{"kind":"broken","what":"the event stream is damaged: the ${what} of a message is wrong"}`;

describe("a message", () => {
  test("has headers of every type", () => {
    const uuid = Buffer.from("00112233445566778899aabbccddeeff", "hex");
    const bytes = eventMessage(
      {
        yes: { type: "true" },
        no: { type: "false" },
        byte: { type: "byte", value: -2 },
        short: { type: "short", value: -300 },
        int: { type: "int", value: -70_000 },
        long: { type: "long", value: -(2n ** 40n) },
        bytes: { type: "bytes", value: Buffer.from([0, 255]) },
        text: { type: "text", value: "é" },
        at: { type: "timestamp", value: 1_700_000_000_000n },
        id: { type: "uuid", value: uuid },
      },
      "body",
    );
    expect(read(bytes)).toEqual({
      messages: [
        [
          {
            yes: true,
            no: false,
            byte: -2,
            short: -300,
            int: -70_000,
            long: -(2n ** 40n),
            bytes: new Uint8Array([0, 255]),
            text: "é",
            at: new Date(1_700_000_000_000),
            id: "00112233-4455-6677-8899-aabbccddeeff",
          },
          "body",
        ],
      ],
      failure: null,
    });
  });

  // From the description of the format: a message without headers and with none of a payload.
  test("may be empty", () => {
    const bytes = Buffer.from("000000100000000005c248eb7d98c8ff", "hex");
    expect(read(bytes)).toEqual({ messages: [[{}, ""]], failure: null });
  });

  test("that is not whole is no message yet", () => {
    const bytes = eventMessage({ a: text("b") }, "body");
    expect(read(bytes.subarray(0, -1))).toEqual({ messages: [], failure: null });
  });

  test("that the stream ends in is a failure, and no other end is", () => {
    const bytes = eventMessage({ a: text("b") }, "body");
    const endOf = (...chunks: Uint8Array[]): unknown => {
      const decoder = eventStreamDecoder();
      for (const chunk of chunks) decoder.feed(chunk);
      return decoder.end();
    };
    expect([endOf(), endOf(bytes), endOf(bytes, bytes.subarray(0, 1))]).toEqual([
      null,
      null,
      {
        kind: "broken",
        what: "the reply broke off: the event stream ended within a message",
      },
    ]);
  });

  test("larger than the cap is a limit", () => {
    const decoder = eventStreamDecoder(64);
    expect(decoder.feed(eventMessage({}, "x".repeat(49)))).toEqual({
      messages: [],
      failure: { kind: "limit", which: "one message of the reply (64 bytes)" },
    });
  });
});

describe("a stream", () => {
  const parts = [
    jsonEvent("a", { text: "é😀" }),
    eventMessage({}, ""),
    jsonEvent("b", "x".repeat(3000)),
  ];
  const whole = Buffer.concat(parts);

  test("reads the same however it is cut", () => {
    const expected = read(whole);
    expect(expected.messages).toHaveLength(3);
    forSeeds(300, (chance) => {
      expect(read(...pieces(whole, chance, 1 + chance.int(200)))).toEqual(expected);
    });
  });

  test.each([
    ["prelude", 3],
    ["prelude", 9],
    ["checksum", 14],
    ["checksum", (parts[0]?.length ?? 0) - 1],
  ])("with a wrong byte fails by its %s (at %d)", (what, at) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(read(bytes)).toEqual({ messages: [], failure: DAMAGED(what) });
  });

  test("gives what came before the damage, and nothing after it", () => {
    const bad = Buffer.from(parts[1] ?? []);
    bad.writeUInt8(bad.readUInt8(15) ^ 1, 15);
    const first = read(...parts.slice(0, 1)).messages;
    expect(read(parts[0] ?? bad, bad, whole)).toEqual({
      messages: first,
      failure: DAMAGED("checksum"),
    });
  });

  test("whose headers do not end where they should is damaged", () => {
    const message = eventMessage({ name: text("value") }, "");
    // The length of the value, and then both checksums made to fit again.
    const headers = Buffer.from(message.subarray(12, -4));
    headers.writeUInt16BE(9, 6);
    const lengths = Buffer.from(message.subarray(0, 12));
    const end = Buffer.alloc(4);
    end.writeUInt32BE(Bun.hash.crc32(Buffer.concat([lengths, headers])));
    expect(read(Buffer.concat([lengths, headers, end]))).toEqual({
      messages: [],
      failure: DAMAGED("header"),
    });
  });

  test("with any one bit changed gives no message that was not sent", () => {
    const sent = new Set(read(whole).messages.map((message) => JSON.stringify(message)));
    for (let seed = 1; seed <= 5000; seed += 1) {
      const chance = random(seed);
      const bytes = Buffer.from(whole);
      const at = chance.int(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << chance.int(8)), at);
      const got = read(...pieces(bytes, chance, 500));
      const strange = got.messages.filter((message) => !sent.has(JSON.stringify(message)));
      expect([seed, strange]).toEqual([seed, []]);
    }
  });
});
