// From the bytes of a reply to its frames: the events of a stream, or the whole body where no stream came.
import { sentence } from "../base/failure.ts";
import type { EventMessage } from "../wire/eventstream.ts";
import { sseDecoder } from "../wire/sse.ts";
import type { Frame, Framing, ReplyHead } from "./provider.ts";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const TOO_LARGE_BODY = `the reply is larger than ${MAX_BODY_BYTES} bytes`;
/** No event stream begins with one of these, but JSON and web pages do, whatever their content type says. */
const BODY_START = /^[{[<]/;
const SNIFF_BYTES = 256;
const BOM_START = 0xef;
const BOM_BYTES = 3;

type Reply = { head: ReplyHead; body: AsyncIterable<Uint8Array> };

type Cut = (reply: Reply, tooLarge: (what: string) => void) => AsyncGenerator<Frame>;

const CUTS: Readonly<Record<Framing, Cut>> = {
  sse: ({ head, body }, tooLarge) => sseFrames(head, body, tooLarge),
  ndjson: ndjsonFrames,
  eventstream: eventStreamFrames,
};

/** Ends early, after a word to `tooLarge`, when a frame outgrows what memory should hold. */
export function framesOf(
  framing: Framing,
  reply: Reply,
  tooLarge: (what: string) => void,
): AsyncGenerator<Frame> {
  return CUTS[framing](reply, tooLarge);
}

async function* sseFrames(
  head: ReplyHead,
  body: AsyncIterable<Uint8Array>,
  tooLarge: (what: string) => void,
): AsyncGenerator<Frame> {
  const sniff = sniffer(head);
  const decoder = sseDecoder();
  const whole = wholeBody();
  for await (const piece of body) {
    const { kind, bytes } = sniff(piece);
    if (kind === "body") whole.add(bytes);
    if (whole.isTooLarge()) return tooLarge(TOO_LARGE_BODY);
    if (kind !== "stream") continue;
    const events = decoder.feed(bytes);
    if (!events.ok) return tooLarge(sentence(events.failure));
    for (const event of events.value) yield event;
  }
  if (whole.isEmpty()) yield* decoder.end();
  else yield { event: "body", data: whole.text() };
}

/** Each line a frame. */
async function* ndjsonFrames(
  { head, body }: Reply,
  tooLarge: (what: string) => void,
): AsyncGenerator<Frame> {
  if (isRefusal(head) || head.contentType.includes("html")) return yield* bodyFrame(body, tooLarge);
  const { ndjsonDecoder } = await import("../wire/ndjson.ts");
  const decoder = ndjsonDecoder();
  for await (const piece of body) {
    const lines = decoder.feed(piece);
    if (!lines.ok) return tooLarge(sentence(lines.failure));
    for (const data of lines.value) yield { event: "message", data };
  }
  for (const data of decoder.end()) yield { event: "message", data };
}

/**
 * Each message a frame of its type: an event's by its name, `exception:NAME` with the exception's body, `error:CODE`
 * with its message, and `damaged` with a sentence, after which nothing comes.
 */
async function* eventStreamFrames(
  { head, body }: Reply,
  tooLarge: (what: string) => void,
): AsyncGenerator<Frame> {
  if (isRefusal(head) || /json|html/.test(head.contentType))
    return yield* bodyFrame(body, tooLarge);
  const { eventStreamDecoder } = await import("../wire/eventstream.ts");
  const decoder = eventStreamDecoder();
  for await (const piece of body) {
    const { messages, failure } = decoder.feed(piece);
    for (const message of messages) yield messageFrame(message);
    if (failure?.kind === "limit") return tooLarge(sentence(failure));
    if (failure !== null) return yield { event: "damaged", data: sentence(failure) };
  }
  const end = decoder.end();
  if (end !== null) yield { event: "damaged", data: sentence(end) };
}

function messageFrame({ headers, payload }: EventMessage): Frame {
  const named = (name: string): string => String(headers.get(name) ?? "");
  const data = new TextDecoder().decode(payload);
  const type = named(":message-type");
  if (type === "exception") return { event: `exception:${named(":exception-type")}`, data };
  if (type === "error")
    return { event: `error:${named(":error-code")}`, data: named(":error-message") };
  return { event: named(":event-type"), data };
}

async function* bodyFrame(
  body: AsyncIterable<Uint8Array>,
  tooLarge: (what: string) => void,
): AsyncGenerator<Frame> {
  const whole = wholeBody();
  for await (const piece of body) {
    whole.add(piece);
    if (whole.isTooLarge()) return tooLarge(TOO_LARGE_BODY);
  }
  if (!whole.isEmpty()) yield { event: "body", data: whole.text() };
}

function isRefusal({ status }: ReplyHead): boolean {
  return status < 200 || status >= 300;
}

type Kind = "unknown" | "stream" | "body";

/** Decides by the first bytes, which it holds back until they tell. */
function sniffer(head: ReplyHead): (piece: Uint8Array) => { kind: Kind; bytes: Uint8Array } {
  let kind: Kind =
    isRefusal(head) && !head.contentType.includes("event-stream") ? "body" : "unknown";
  let held = new Uint8Array();
  return (piece) => {
    if (kind !== "unknown") return { kind, bytes: piece };
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece]);
    kind = kindOf(bytes);
    held = new Uint8Array(bytes);
    return { kind, bytes };
  };
}

/** By the first character that is no space; spaces alone, and half a byte order mark, do not tell yet. */
function kindOf(bytes: Uint8Array): Kind {
  if (bytes[0] === BOM_START && bytes.length < BOM_BYTES) return "unknown";
  const start = new TextDecoder().decode(bytes.subarray(0, SNIFF_BYTES)).trimStart();
  if (start === "") return bytes.length < SNIFF_BYTES ? "unknown" : "stream";
  return BODY_START.test(start) ? "body" : "stream";
}

function wholeBody(): {
  add(bytes: Uint8Array): void;
  isTooLarge(): boolean;
  isEmpty(): boolean;
  text(): string;
} {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes) {
      pieces.push(bytes);
      size += bytes.length;
    },
    isTooLarge: () => size > MAX_BODY_BYTES,
    isEmpty: () => size === 0,
    text: () => new TextDecoder().decode(Buffer.concat(pieces)),
  };
}
