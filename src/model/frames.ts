// From the bytes of a reply to its frames: the events of a stream, or the whole body where no stream came.
import { sentence } from "../base/failure.ts";
import { sseDecoder } from "../wire/sse.ts";
import type { Frame, Framing, ReplyHead } from "./provider.ts";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** No event stream begins with one of these, but JSON and web pages do, whatever their content type says. */
const BODY_START = /^[{[<]/;
const SNIFF_BYTES = 256;
const BOM_START = 0xef;
const BOM_BYTES = 3;

type Reply = { head: ReplyHead; body: AsyncIterable<Uint8Array> };

type Cut = (reply: Reply, tooLarge: (what: string) => void) => AsyncGenerator<Frame>;

const CUTS: Readonly<Record<Framing, Cut>> = {
  sse: ({ head, body }, tooLarge) => sseFrames(head, body, tooLarge),
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
    if (whole.isTooLarge()) return tooLarge(`the reply is larger than ${MAX_BODY_BYTES} bytes`);
    if (kind !== "stream") continue;
    const events = decoder.feed(bytes);
    if (!events.ok) return tooLarge(sentence(events.failure));
    for (const event of events.value) yield event;
  }
  if (whole.isEmpty()) yield* decoder.end();
  else yield { event: "body", data: whole.text() };
}

type Kind = "unknown" | "stream" | "body";

/** Decides by the first bytes, which it holds back until they tell. */
function sniffer(head: ReplyHead): (piece: Uint8Array) => { kind: Kind; bytes: Uint8Array } {
  const isRefusal = head.status < 200 || head.status >= 300;
  let kind: Kind = isRefusal && !head.contentType.includes("event-stream") ? "body" : "unknown";
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
