// AWS event streams: an incremental decoder from byte chunks, cut anywhere, to messages whose checksums hold.
import { broken, fail, ok, type Failure, type Result } from "../base/failure.ts";

/** Bytes, timestamps and UUIDs as they are read: a UUID in its usual spelling. */
export type HeaderValue = boolean | number | bigint | string | Uint8Array | Date;
export type EventMessage = { headers: ReadonlyMap<string, HeaderValue>; payload: Uint8Array };

export type EventStreamDecoder = {
  /** The messages that these bytes complete; `failure`, for good, where the stream is damaged or a message outgrows the cap. */
  feed(bytes: Uint8Array): { messages: EventMessage[]; failure: Failure | null };
  /** The failure of a stream that ended within a message. */
  end(): Failure | null;
};

/** The format allows 24 MiB of payload and 128 KiB of headers. */
const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;
/** Total length, headers' length and their checksum, of four bytes each. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MIN_MESSAGE_BYTES = PRELUDE_BYTES + CHECKSUM_BYTES;

export function eventStreamDecoder(
  maxMessageBytes: number = MAX_MESSAGE_BYTES,
): EventStreamDecoder {
  let pieces: Uint8Array[] = [];
  let held = 0;
  // Of the next message: its prelude, and once that is read all of it.
  let needed = PRELUDE_BYTES;
  let failure: Failure | null = null;
  const step = (bytes: Buffer): Result<EventMessage | null> => {
    if (needed > PRELUDE_BYTES) {
      const message = readMessage(bytes.subarray(0, needed));
      return message;
    }
    const total = totalLength(bytes, maxMessageBytes);
    if (!total.ok) return total;
    needed = total.value;
    return ok(null);
  };
  return {
    feed(bytes) {
      const messages: EventMessage[] = [];
      pieces.push(bytes);
      held += bytes.length;
      if (held < needed || failure !== null) return { messages, failure };
      let rest = Buffer.concat(pieces);
      while (rest.length >= needed && failure === null) {
        const read = step(rest);
        if (!read.ok) failure = read.failure;
        else if (read.value !== null) {
          messages.push(read.value);
          rest = rest.subarray(needed);
          needed = PRELUDE_BYTES;
        }
      }
      pieces = [rest];
      held = rest.length;
      return { messages, failure };
    },
    end: () => failure ?? (held === 0 ? null : ENDED_WITHIN),
  };
}

const ENDED_WITHIN: Failure = {
  kind: "broken",
  what: "the reply broke off: the event stream ended within a message",
};

function totalLength(bytes: Buffer, cap: number): Result<number> {
  const total = bytes.readUInt32BE(0);
  const headers = bytes.readUInt32BE(4);
  if (bytes.readUInt32BE(8) !== Bun.hash.crc32(bytes.subarray(0, 8))) return damaged("prelude");
  if (total < MIN_MESSAGE_BYTES + headers) return damaged("lengths");
  if (total > cap) return fail({ kind: "limit", which: `one message of the reply (${cap} bytes)` });
  return ok(total);
}

function damaged(what: string): { ok: false; failure: Failure } {
  return broken(`the event stream is damaged: the ${what} of a message is wrong`);
}

function readMessage(bytes: Buffer): Result<EventMessage> {
  const end = bytes.length - CHECKSUM_BYTES;
  if (bytes.readUInt32BE(end) !== Bun.hash.crc32(bytes.subarray(0, end))) {
    return damaged("checksum");
  }
  const payloadAt = PRELUDE_BYTES + bytes.readUInt32BE(4);
  const headers = readHeaders(bytes.subarray(PRELUDE_BYTES, payloadAt));
  // A copy: the bytes of the whole piece need not stay for one message.
  return headers === null
    ? damaged("header")
    : ok({ headers, payload: new Uint8Array(bytes.subarray(payloadAt, end)) });
}

/** Null where they do not end where they should. */
function readHeaders(bytes: Buffer): Map<string, HeaderValue> | null {
  const headers = new Map<string, HeaderValue>();
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const kind = bytes[nameEnd];
    const read = kind === undefined ? null : readValue(kind, bytes.subarray(nameEnd + 1));
    if (read === null) return null;
    headers.set(bytes.toString("utf8", at + 1, nameEnd), read.value);
    at = nameEnd + 1 + read.size;
  }
  return headers;
}

type Value = { value: HeaderValue; size: number };
type Reader = { size: number; read(bytes: Buffer): HeaderValue };

/** By the number of the type; those of a length of their own are read apart. */
const FIXED: Readonly<Record<number, Reader>> = {
  0: { size: 0, read: () => true },
  1: { size: 0, read: () => false },
  2: { size: 1, read: (bytes) => bytes.readInt8() },
  3: { size: 2, read: (bytes) => bytes.readInt16BE() },
  4: { size: 4, read: (bytes) => bytes.readInt32BE() },
  5: { size: 8, read: (bytes) => bytes.readBigInt64BE() },
  8: { size: 8, read: (bytes) => new Date(Number(bytes.readBigInt64BE())) },
  9: { size: 16, read: (bytes) => uuidOf(bytes.toString("hex", 0, 16)) },
};
const BYTES = 6;
const TEXT = 7;

function readValue(kind: number, bytes: Buffer): Value | null {
  if (kind === BYTES || kind === TEXT) return readLong(kind, bytes);
  const reader = FIXED[kind];
  if (reader === undefined || bytes.length < reader.size) return null;
  return { value: reader.read(bytes), size: reader.size };
}

/** Two bytes of length, then the value. */
function readLong(kind: typeof BYTES | typeof TEXT, bytes: Buffer): Value | null {
  if (bytes.length < 2) return null;
  const size = 2 + bytes.readUInt16BE();
  if (bytes.length < size) return null;
  const value = bytes.subarray(2, size);
  return { value: kind === TEXT ? value.toString() : new Uint8Array(value), size };
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
