// Keys: what bytes mean, however they arrive.
import { expect, test } from "bun:test";
import type { Key } from "../../src/term/key.ts";
import { DECODER, decode, flush, waitMs, type Decoder } from "../../src/term/keys.ts";
import { forSeeds, type Random } from "../support/random.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const keysOf = (text: string): Key[] => decode(DECODER, bytes(text)).keys;
const chords = (text: string): string[] =>
  keysOf(text).map((key) => (key.kind === "chord" ? key.chord : `${key.kind}:${key.text}`));

/** Sequences of many terminals, and what each has to mean: nothing, where it is no key. */
const TABLE: readonly (readonly [string, readonly string[]])[] = [
  ["abc", ["text:abc"]],
  ["é漢👨‍👩‍👧", ["text:é漢👨‍👩‍👧"]],
  ["\r", ["enter"]],
  ["\n", ["ctrl+j"]],
  ["\t", ["tab"]],
  ["\u007f", ["backspace"]],
  ["\b", ["backspace"]],
  ["\u0003", ["ctrl+c"]],
  ["\u0000", ["ctrl+space"]],
  ["\u001f", ["ctrl+_"]],
  ["\u001b[A", ["up"]],
  ["\u001bOA", ["up"]],
  ["\u001b[1;5C", ["ctrl+right"]],
  ["\u001b[1;6D", ["ctrl+shift+left"]],
  ["\u001b\u001b[D", ["alt+left"]],
  ["\u001b[H", ["home"]],
  ["\u001b[4~", ["end"]],
  ["\u001b[3;5~", ["ctrl+delete"]],
  ["\u001b[Z", ["shift+tab"]],
  ["\u001b[[A", ["f1"]],
  ["\u001bOP", ["f1"]],
  ["\u001b[24~", ["f12"]],
  ["\u001bb", ["alt+b"]],
  ["\u001bé", ["alt+é"]],
  ["\u001b\r", ["alt+enter"]],
  ["\u001b\u007f", ["alt+backspace"]],
  // kitty
  ["\u001b[13;2u", ["shift+enter"]],
  ["\u001b[27u", ["escape"]],
  ["\u001b[99;5u", ["ctrl+c"]],
  ["\u001b[1089::99;5u", ["ctrl+c"]],
  ["\u001b[97:65;2u", ["text:A"]],
  ["\u001b[99;5:3u", []],
  ["\u001b[57441;2u", []],
  ["\u001b[57404u", ["text:5"]],
  ["\u001b[57414u", ["enter"]],
  ["\u001b[57419u", ["up"]],
  ["\u001b[32;5u", ["ctrl+space"]],
  ["\u001b[32;2u", ["text: "]],
  // modifyOtherKeys
  ["\u001b[27;2;13~", ["shift+enter"]],
  ["\u001b[27;5;106~", ["ctrl+j"]],
  ["\u001b[27;2;65~", ["text:A"]],
  // pastes
  ["\u001b[200~one\ntwo\u001b[201~", ["paste:one\ntwo"]],
  ["\u001b[200~\u001b[31mred\u001b[201~x", ["paste:\u001b[31mred", "text:x"]],
  ["\u001b[201~", []],
  // no keys at all
  ["\u001b[<0;12;5M", []],
  ["\u001b[M !!", []],
  ["\u001b[I", []],
  ["\u001b[?1u", []],
  ["\u001b[?62;4c", []],
  ["\u001b[12;40R", []],
  ["\u001b]11;rgb:1111/2222/3333\u0007", []],
  ["\u001b]8;;x\u001b\\", []],
  ["\u001bP>|xterm\u001b\\", []],
  ["\u001b_Gi=1;OK\u001b\\", []],
  ["\u001b[999~", []],
];

test.each(TABLE)("%j is read", (sequence, expected) => {
  expect(chords(sequence)).toEqual([...expected]);
});

test("a lone ESC waits a moment and is then the Escape key", () => {
  const { decoder, keys } = decode(DECODER, bytes("\u001b"));
  expect({ keys, waits: waitMs(decoder) !== null, later: flush(decoder).keys }).toEqual({
    keys: [],
    waits: true,
    later: [{ kind: "chord", chord: "escape" }],
  });
});

test("two ESC are two Escape keys", () => {
  expect(flush(decode(DECODER, bytes("\u001b\u001b")).decoder).keys).toEqual([
    { kind: "chord", chord: "escape" },
    { kind: "chord", chord: "escape" },
  ]);
});

test("half a sequence is forgotten, not typed", () => {
  expect(flush(decode(DECODER, bytes("\u001b[1;")).decoder)).toEqual({
    decoder: DECODER,
    keys: [],
  });
});

test("a paste whose end never comes is taken after a while", () => {
  const { decoder } = decode(DECODER, bytes("\u001b[200~lost"));
  expect(flush(decoder)).toEqual({ decoder: DECODER, keys: [{ kind: "paste", text: "lost" }] });
});

test("nothing is pending after complete keys", () => {
  expect(waitMs(decode(DECODER, bytes("abc\u001b[A\r")).decoder)).toBeNull();
});

test("any split of a byte log gives the same keys", () => {
  forSeeds(400, (random) => {
    const log = Array.from({ length: 1 + random.int(12) }, () => random.pick(TABLE)[0]).join("");
    expect(merged(inPieces(bytes(log), random))).toEqual(merged(keysOf(log)));
  });
});

test("random bytes never throw and never type a control character", () => {
  forSeeds(400, (random) => {
    const noise = Uint8Array.from({ length: random.int(60) }, () =>
      random.chance(0.3) ? 0x1b : random.int(256),
    );
    const typed = inPieces(noise, random).map((key) => (key.kind === "text" ? key.text : ""));
    expect(/\p{Cc}/u.test(typed.join(""))).toBe(false);
  });
});

test("a large paste in many pieces is decoded in one go", () => {
  const text = "line of text 漢字\n".repeat(20_000);
  const log = bytes(`\u001b[200~${text}\u001b[201~`);
  let decoder: Decoder = DECODER;
  const keys: Key[] = [];
  for (let at = 0; at < log.length; at += 100) {
    const step = decode(decoder, log.subarray(at, at + 100));
    decoder = step.decoder;
    keys.push(...step.keys);
  }
  expect(keys).toEqual([{ kind: "paste", text }]);
});

function inPieces(log: Uint8Array, random: Random): Key[] {
  let decoder: Decoder = DECODER;
  const keys: Key[] = [];
  for (let at = 0; at < log.length;) {
    const size = 1 + random.int(5);
    const step = decode(decoder, log.subarray(at, at + size));
    decoder = step.decoder;
    keys.push(...step.keys);
    at += size;
  }
  return keys;
}

/** Neighbouring typed texts are one: how they are cut is not a difference. */
function merged(keys: readonly Key[]): Key[] {
  const all: Key[] = [];
  for (const key of keys) {
    const last = all.at(-1);
    if (key.kind === "text" && last?.kind === "text") {
      all.splice(-1, 1, { kind: "text", text: last.text + key.text });
    } else all.push(key);
  }
  return all;
}
