// Bytes from a terminal into keys: incremental, pure, and deaf to sequences it does not know (they are never typed).
import { chord, type Key } from "./key.ts";
import { readSequence } from "./sequences.ts";

export type Decoder = {
  /** The first bytes of a character whose rest has not come yet. */
  readonly bytes: readonly number[];
  /** The beginning of a sequence whose rest has not come yet. */
  readonly rest: string;
  /** The text of an open bracketed paste; null outside of one. */
  readonly paste: string | null;
};

export const DECODER: Decoder = { bytes: [], rest: "", paste: null };

const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** A lone ESC is a key when nothing follows for this long; a sequence in pieces gets more time. */
const ESCAPE_MS = 30;
const SEQUENCE_MS = 500;
/** A paste whose end never comes is taken as it is after this silence. */
const PASTE_MS = 2000;

const CONTROL_NAMES: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "ctrl+j",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0000": "ctrl+space",
  "\u001c": "ctrl+\\",
  "\u001d": "ctrl+]",
  "\u001e": "ctrl+^",
  "\u001f": "ctrl+_",
};

type Decoded = { decoder: Decoder; keys: Key[] };

export function decode(decoder: Decoder, chunk: Uint8Array): Decoded {
  const { text, bytes } = decodeUtf8(decoder.bytes, chunk);
  return read({ ...decoder, bytes }, text);
}

/** How long to wait for more bytes before `flush`; null when nothing is pending. */
export function waitMs(decoder: Decoder): number | null {
  if (decoder.paste !== null) return PASTE_MS;
  if (decoder.rest === "") return null;
  return isEscape(decoder.rest) ? ESCAPE_MS : SEQUENCE_MS;
}

/** Nothing followed: ESC was the key itself, a half sequence is forgotten, an open paste is taken. */
export function flush(decoder: Decoder): Decoded {
  if (decoder.paste !== null) {
    const text = decoder.paste + decoder.rest;
    return { decoder: { ...decoder, rest: "", paste: null }, keys: [{ kind: "paste", text }] };
  }
  const keys = isEscape(decoder.rest) ? Array.from(decoder.rest, () => chord("escape")) : [];
  return { decoder: { ...decoder, rest: "" }, keys };
}

/** ESC itself, once or twice, and nothing that would make it a sequence. */
function isEscape(text: string): boolean {
  return text === "\u001b" || text === "\u001b\u001b";
}

function read(decoder: Decoder, added: string): Decoded {
  const keys: Key[] = [];
  let paste = decoder.paste;
  let text = decoder.rest + added;
  let at = 0;
  while (at < text.length) {
    if (paste !== null) {
      const end = text.indexOf(PASTE_END, at);
      if (end < 0) {
        const kept = heldBack(text.slice(at));
        paste += text.slice(at, text.length - kept);
        return { decoder: { ...decoder, paste, rest: text.slice(text.length - kept) }, keys };
      }
      keys.push({ kind: "paste", text: paste + text.slice(at, end) });
      paste = null;
      at = end + PASTE_END.length;
      continue;
    }
    if (text.startsWith(PASTE_START, at)) {
      paste = "";
      at += PASTE_START.length;
      continue;
    }
    const next = readKey(text, at);
    if (next === null) break;
    if (next.key) keys.push(next.key);
    at = next.end;
  }
  text = text.slice(at);
  return { decoder: { ...decoder, paste, rest: text }, keys };
}

/** One key (or none, for a swallowed sequence) and where it ends; null when the sequence is not complete. */
function readKey(text: string, at: number): { key: Key | null; end: number } | null {
  const char = text.charAt(at);
  if (char === "\u001b") return readSequence(text, at, controlChord);
  const name = controlChord(char);
  if (name !== null) return { key: chord(name), end: at + 1 };
  // oxlint-disable-next-line no-control-regex
  const run = /[^\u0000-\u001f\u007f-\u009f]+/y;
  run.lastIndex = at;
  const typed = run.exec(text)?.[0];
  if (typed === undefined) return { key: null, end: at + 1 };
  return { key: { kind: "text", text: typed }, end: at + typed.length };
}

function controlChord(char: string): string | null {
  const known = CONTROL_NAMES[char];
  if (known !== undefined) return known;
  if (char < "\u001b") return `ctrl+${String.fromCodePoint((char.codePointAt(0) ?? 0) + 96)}`;
  return null;
}

/** How many last characters could be the start of the end marker. */
function heldBack(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--) {
    if (PASTE_END.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}

/** The complete characters of `before` and `chunk`, and the bytes of a last incomplete one. */
function decodeUtf8(
  before: readonly number[],
  chunk: Uint8Array,
): { text: string; bytes: number[] } {
  const all = before.length === 0 ? chunk : Uint8Array.from([...before, ...chunk]);
  const end = completeLength(all);
  return { text: new TextDecoder().decode(all.subarray(0, end)), bytes: [...all.subarray(end)] };
}

function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return needed(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes of the character that `lead` begins. */
function needed(lead: number): number {
  if (lead >= 0xf5) return 1;
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc2 ? 2 : 1;
}
