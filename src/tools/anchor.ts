// Anchors: a line named by its number and a hash of what it held when it was read, `12:3fa0`.

export type Anchor = { line: number; hash: string };

const HASH_DIGITS = 4;
/** What follows a tab is the line itself, pasted along. */
const WRITTEN = /^\s*(\d+):([0-9a-f]{4})(?:\t.*)?\s*$/is;

export function anchorOf(line: number, text: string): string {
  return `${line}:${hashOf(text)}`;
}

/** Of a line without its end: carriage returns there do not count. */
export function hashOf(text: string): string {
  const hash = Bun.hash.crc32(text.replace(/\r+$/, "")).toString(16).padStart(HASH_DIGITS, "0");
  return hash.slice(-HASH_DIGITS);
}

/** Null: not an anchor as `read` shows them. */
export function parseAnchor(written: string): Anchor | null {
  const [, line, hash] = WRITTEN.exec(written) ?? [];
  return line === undefined || hash === undefined
    ? null
    : { line: Number(line), hash: hash.toLowerCase() };
}
