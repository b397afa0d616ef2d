// Escape sequences of keys: legacy CSI and SS3, xterm's modifyOtherKeys, kitty's CSI u.
import { chord, type Key } from "./key.ts";

/** `key` is null for a sequence that is no key: replies, mouse reports, focus, releases, the unknown. */
type Read = { key: Key | null; end: number };

/** The event type of a released key in the kitty protocol. */
const RELEASE = 3;
const MAX_STRING = 65_536;

const FINALS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "center",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

const NUMBERED: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

/** Keypad codes of the kitty protocol, from 57399 on. */
const KEYPAD_FIRST = 57_399;
const KEYPAD: readonly string[] = [
  ...Array.from("0123456789./*-+"),
  "enter",
  "=",
  ",",
  "left",
  "right",
  "up",
  "down",
  "pageup",
  "pagedown",
  "home",
  "end",
  "insert",
  "delete",
];

/** Keys whose code in CSI u and modifyOtherKeys is a control character. */
const CODED: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
};

/** Keypad of the application mode: SS3 with these letters. */
const APPLICATION: Readonly<Record<string, string>> = { ...FINALS, M: "enter" };

type Named = (char: string) => string | null;

/** The sequence that begins with the ESC at `at`; null when it is not complete. */
export function readSequence(text: string, at: number, named: Named): Read | null {
  const kind = text.charAt(at + 1);
  if (kind === "") return null;
  if (kind === "[") return readCsi(text, at);
  if (kind === "O") return readSs3(text, at);
  if ("]PX^_".includes(kind)) return readString(text, at);
  if (kind === "\u001b") return readDoubled(text, at, named);
  const control = named(kind);
  if (control !== null) return { key: chord(withAlt(control)), end: at + 2 };
  const char = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return { key: chord(`alt+${char}`), end: at + 1 + char.length };
}

/** ESC before a sequence is how older terminals send Alt; before anything else it was a key. */
function readDoubled(text: string, at: number, named: Named): Read | null {
  const third = text.charAt(at + 2);
  if (third === "") return null;
  if (third !== "[" && third !== "O") return { key: chord("escape"), end: at + 1 };
  const inner = readSequence(text, at + 1, named);
  if (inner?.key?.kind !== "chord") return inner;
  return { key: chord(withAlt(inner.key.chord)), end: inner.end };
}

function readSs3(text: string, at: number): Read | null {
  const final = text.charAt(at + 2);
  if (final === "") return null;
  if (final < " " || final === "\u007f") return { key: null, end: at + 2 };
  const name = APPLICATION[final];
  return { key: name === undefined ? null : chord(name), end: at + 3 };
}

function readString(text: string, at: number): Read | null {
  // oxlint-disable-next-line no-control-regex
  const end = /\u0007|\u001b\\|[\u0018\u001a]/g;
  end.lastIndex = at + 2;
  const hit = end.exec(text);
  if (hit) return { key: null, end: hit.index + hit[0].length };
  return text.length - at > MAX_STRING ? { key: null, end: text.length } : null;
}

function readCsi(text: string, at: number): Read | null {
  const body = /[0-?]*[ -/]*/y;
  body.lastIndex = at + 2;
  const parameters = body.exec(text)?.[0] ?? "";
  const end = at + 2 + parameters.length;
  const final = text.charAt(end);
  if (final === "") return end - at > MAX_STRING ? { key: null, end } : null;
  if (parameters === "" && "[M".includes(final)) return afterBare(final, text, end);
  const isFinal = final >= "@" && final <= "~";
  return { key: csiKey(parameters, final), end: isFinal ? end + 1 : end };
}

/** The Linux console's F1 to F5 (`[` and a letter), and old mouse reports (`M` and three raw characters). */
function afterBare(final: string, text: string, at: number): Read | null {
  if (final === "M") return text.length < at + 4 ? null : { key: null, end: at + 4 };
  const letter = text.charAt(at + 1);
  if (letter === "") return null;
  const index = "ABCDE".indexOf(letter);
  return { key: index < 0 ? null : chord(`f${index + 1}`), end: at + 2 };
}

function csiKey(parameters: string, final: string): Key | null {
  if (/[^0-9;:]/.test(parameters)) return null;
  const fields = parameters.split(";").map((field) => field.split(":").map(Number));
  const at = (field: number, part: number): number => fields[field]?.[part] ?? 0;
  const modifiers = at(1, 0);
  if (at(1, 1) === RELEASE) return null;
  const coded: Coded = { code: at(0, 0), shifted: at(0, 1), base: at(0, 2) };
  if (final === "u") return codedKey(coded, modifiers);
  if (final === "~" && coded.code === 27)
    return codedKey({ ...NO_CODE, code: at(2, 0) }, modifiers);
  if (final === "Z") return chord(withModifiers("tab", (Math.max(0, modifiers - 1) | 1) + 1));
  const name = final === "~" ? NUMBERED[coded.code] : cursorKey(final, coded.code);
  return name === undefined ? null : chord(withModifiers(name, modifiers));
}

/** Cursor keys carry 1 or nothing; another number is a reply of the terminal. */
function cursorKey(final: string, code: number): string | undefined {
  return code > 1 ? undefined : FINALS[final];
}

/** Code points of a key: its own, the one with Shift, the one at its place on a Latin layout; 0 where not told. */
type Coded = { code: number; shifted: number; base: number };

const NO_CODE: Coded = { code: 0, shifted: 0, base: 0 };

/** A key by its code point, as kitty's CSI u and modifyOtherKeys send it. */
function codedKey(coded: Coded, modifiers: number): Key | null {
  const { alt, ctrl } = flags(modifiers);
  const name = CODED[coded.code] ?? KEYPAD[coded.code - KEYPAD_FIRST] ?? printable(coded.code);
  if (name === null) return null;
  if (Array.from(name).length > 1) return chord(withModifiers(name, modifiers));
  if (alt || ctrl) return shortcut(coded, name, modifiers);
  return typed(coded, name, modifiers);
}

/** A shortcut on a non-Latin layout means the key at that place. */
function shortcut(coded: Coded, char: string, modifiers: number): Key {
  const name = char === " " ? "space" : (printable(coded.base) ?? char).toLowerCase();
  return chord(withModifiers(name, modifiers));
}

function typed(coded: Coded, char: string, modifiers: number): Key {
  if (!flags(modifiers).shift) return { kind: "text", text: char };
  return { kind: "text", text: printable(coded.shifted) ?? char.toUpperCase() };
}

/** The character of a code point that a key can type; null for controls, private use and no code at all. */
function printable(code: number): string | null {
  const isControl = code < 32 || (code >= 127 && code < 160);
  const isSpecial = (code >= 0xd8_00 && code <= 0xf8_ff) || code > 0x10_ff_ff;
  return isControl || isSpecial ? null : String.fromCodePoint(code);
}

function flags(modifiers: number): { shift: boolean; alt: boolean; ctrl: boolean } {
  const bits = Math.max(0, modifiers - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}

function withModifiers(name: string, modifiers: number): string {
  const { shift, alt, ctrl } = flags(modifiers);
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}

function withAlt(name: string): string {
  if (name.includes("alt+")) return name;
  return name.startsWith("ctrl+") ? `ctrl+alt+${name.slice(5)}` : `alt+${name}`;
}
