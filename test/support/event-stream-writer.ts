// Writes AWS event streams in tests: messages with headers of every type, and checksums that hold.
export type Header =
  | { type: "true" | "false" }
  | { type: "byte" | "short" | "int"; value: number }
  | { type: "long" | "timestamp"; value: bigint }
  | { type: "bytes" | "uuid"; value: Uint8Array }
  | { type: "text"; value: string };

export function eventMessage(
  headers: Record<string, Header>,
  payload: string | Uint8Array,
): Buffer<ArrayBuffer> {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerOf(name, value)));
  const body = Buffer.from(payload);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(16 + head.length + body.length, 0);
  lengths.writeUInt32BE(head.length, 4);
  const start = Buffer.concat([lengths, checksum(lengths), head, body]);
  return Buffer.concat([start, checksum(start)]);
}

/** As services write an event: its name, and a payload in JSON. */
export function jsonEvent(name: string, payload: unknown): Buffer<ArrayBuffer> {
  return rawEvent(name, JSON.stringify(payload));
}

export function rawEvent(name: string, payload: string): Buffer<ArrayBuffer> {
  return eventMessage({ ...textHeaders("event"), ":event-type": text(name) }, payload);
}

export function exceptionEvent(name: string, payload: unknown): Buffer<ArrayBuffer> {
  const headers = { ...textHeaders("exception"), ":exception-type": text(name) };
  return eventMessage(headers, JSON.stringify(payload));
}

export function text(value: string): Header {
  return { type: "text", value };
}

function textHeaders(type: string): Record<string, Header> {
  return { ":message-type": text(type), ":content-type": text("application/json") };
}

function checksum(bytes: Uint8Array): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(Bun.hash.crc32(bytes));
  return out;
}

function headerOf(name: string, value: Header): Buffer {
  const bytes = Buffer.from(name);
  return Buffer.concat([Buffer.from([bytes.length]), bytes, valueOf(value)]);
}

function valueOf(header: Header): Buffer {
  switch (header.type) {
    case "true":
      return Buffer.from([0]);
    case "false":
      return Buffer.from([1]);
    case "byte":
      return number(2, 1, (out) => out.writeInt8(header.value, 1));
    case "short":
      return number(3, 2, (out) => out.writeInt16BE(header.value, 1));
    case "int":
      return number(4, 4, (out) => out.writeInt32BE(header.value, 1));
    case "long":
      return number(5, 8, (out) => out.writeBigInt64BE(header.value, 1));
    case "bytes":
      return long(6, Buffer.from(header.value));
    case "text":
      return long(7, Buffer.from(header.value));
    case "timestamp":
      return number(8, 8, (out) => out.writeBigInt64BE(header.value, 1));
    case "uuid":
      return Buffer.concat([Buffer.from([9]), header.value]);
  }
}

function number(type: number, size: number, write: (out: Buffer) => void): Buffer {
  const out = Buffer.alloc(1 + size);
  out[0] = type;
  write(out);
  return out;
}

function long(type: number, value: Buffer): Buffer {
  const size = number(type, 2, (out) => out.writeUInt16BE(value.length, 1));
  return Buffer.concat([size, value]);
}
