// Byte strings: one character for each byte, so that any file name survives and string order is byte order.

export type Bytes = string;

const NOT_ASCII = /[^\0-\x7f]/;

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** The UTF-8 bytes of a text. */
export function toBytes(text: string): Bytes {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** The text of UTF-8 bytes; what is not UTF-8 becomes U+FFFD. */
export function fromBytes(bytes: Bytes): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

/** A path as the file system calls take it: the very bytes. */
export function onDisk(path: Bytes): string | Buffer {
  return isAscii(path) ? path : Buffer.from(path, "latin1");
}
