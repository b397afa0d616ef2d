// The text of a line's bytes, and where its characters lie in the bytes.
import { isAscii, type Bytes } from "./bytes.ts";

/** Bytes that are not UTF-8 become lone surrogates from here on, which no text contains and no class matches. */
const STRAY = 0xdc00;

/** UTF-8 to text; nothing is lost. */
export function textOf(bytes: Bytes): string {
  if (isAscii(bytes)) return bytes;
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  return text.includes("\ufffd") ? withStrays(bytes) : text;
}

/** Well-formed UTF-8 sequences beyond ASCII, as bytes. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

function withStrays(bytes: Bytes): string {
  return bytes.replaceAll(SEQUENCE, (part) =>
    part.length === 1
      ? String.fromCharCode(STRAY + part.charCodeAt(0))
      : Buffer.from(part, "latin1").toString("utf8"),
  );
}

export function isUtf8(text: string): boolean {
  return !/[\ud800-\udfff]/u.test(text);
}

/** How many bytes the code units of a text from `textOf` came from, between two positions that cut no pair. */
export function byteLength(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at++) bytes += unitBytes(text.charCodeAt(at));
  return bytes;
}

/** The halves of a pair count four bytes together: a stray byte is a low half, and counts one. */
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit >= 0xd800 && unit < STRAY) return 3;
  return unit >= STRAY && unit < 0xe000 ? 1 : 3;
}
