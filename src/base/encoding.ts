// What kind of text bytes are: UTF-8, UTF-16 by its mark, Latin-1 as the last guess, or no text at all; and back to bytes.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin-1";
/** `text` is without the byte order mark; `encode` puts it back. */
export type DecodedText = { encoding: Encoding; mark: boolean; text: string };

/** As many bytes as tell text from binary. */
const SNIFF_BYTES = 8192;
/** Above this share of control characters among the sniffed bytes, text that is not UTF-8 is no text. */
const MAX_CONTROL_SHARE = 0.05;
const CONTROLS_IN_TEXT: ReadonlySet<number> = new Set([7, 8, 9, 10, 12, 13, 27]);

/** Null: not text. A NUL byte is never text outside UTF-16. `isWhole` false: the bytes may end inside a character. */
export function decodeText(bytes: Uint8Array, isWhole = true): DecodedText | null {
  const first = Buffer.from(bytes.subarray(0, 3)).toString("hex");
  if (first.startsWith("fffe")) return decodeUtf16(bytes, "utf-16le", isWhole);
  if (first.startsWith("feff")) return decodeUtf16(bytes, "utf-16be", isWhole);
  if (bytes.includes(0)) return null;
  const mark = first === "efbbbf";
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(mark ? bytes.subarray(3) : bytes, { stream: !isWhole });
    return { encoding: "utf-8", mark, text };
  } catch {
    // Every byte string is Latin-1: only what looks like text is taken for it.
    if (controlShare(bytes.subarray(0, SNIFF_BYTES)) > MAX_CONTROL_SHARE) return null;
    return { encoding: "latin-1", mark: false, text: Buffer.from(bytes).toString("latin1") };
  }
}

/** Null: the text has characters that the encoding has not. */
export function encodeText(decoded: DecodedText): Uint8Array | null {
  const { encoding, mark, text } = decoded;
  if (!text.isWellFormed()) return null;
  switch (encoding) {
    case "utf-8":
      return Buffer.from(mark ? `\ufeff${text}` : text, "utf8");
    case "utf-16le":
      return Buffer.from(`\ufeff${text}`, "utf16le");
    case "utf-16be":
      return Buffer.from(`\ufeff${text}`, "utf16le").swap16();
    case "latin-1":
      return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, "latin1") : null;
  }
}

export function encodingName(decoded: DecodedText): string {
  const name = decoded.encoding.toUpperCase().replace("LATIN", "Latin");
  return decoded.mark && decoded.encoding === "utf-8" ? `${name} with byte order mark` : name;
}

function decodeUtf16(
  bytes: Uint8Array,
  encoding: "utf-16le" | "utf-16be",
  isWhole: boolean,
): DecodedText | null {
  // Half a unit at the end could not be put back.
  if (isWhole && bytes.length % 2 === 1) return null;
  const body = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
  const text = (encoding === "utf-16be" ? body.swap16() : body).toString("utf16le");
  return text.isWellFormed() && !text.includes("\0") ? { encoding, mark: true, text } : null;
}

function controlShare(bytes: Uint8Array): number {
  const controls = bytes.filter((byte) => byte < 32 && !CONTROLS_IN_TEXT.has(byte));
  return bytes.length === 0 ? 0 : controls.length / bytes.length;
}
