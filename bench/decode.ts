// Decoding alone, in this process: bytes to frames, and bytes to model events.
import { decodeRecording } from "../src/model/decode.ts";
import { sseDecoder } from "../src/wire/sse.ts";
import { smallest } from "./measure.ts";
import { longReply } from "./replies.ts";

const DELTAS = 100_000;
const CHUNK_BYTES = 16 * 1024;
const RUNS = 5;

function recording(): Uint8Array[] {
  const bytes = new TextEncoder().encode(longReply(DELTAS).join(""));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

async function* replay(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function frameCount(chunks: Uint8Array[]): number {
  const decoder = sseDecoder();
  let count = 0;
  for (const chunk of chunks) {
    const events = decoder.feed(chunk);
    if (!events.ok) throw new Error("the SSE decoder refused the recording");
    count += events.value.length;
  }
  return count;
}

async function eventCount(chunks: Uint8Array[]): Promise<number> {
  const decoded = await decodeRecording({
    wire: "openai-chat",
    status: 200,
    contentType: "text/event-stream",
    body: replay(chunks),
  });
  if (!decoded.ok) throw new Error("the wire openai-chat is not there");
  let count = 0;
  for await (const _ of decoded.value) count += 1;
  return count;
}

/** Megabytes a second of framing, and of framing with JSON and events. */
export async function decode(): Promise<[number, number]> {
  const chunks = recording();
  const megabytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0) / 1e6;
  const rate = async (work: () => number | Promise<number>): Promise<number> => {
    const seconds = await smallest(RUNS, async () => {
      const started = performance.now();
      if ((await work()) < DELTAS) throw new Error("fewer events came out than went in");
      return (performance.now() - started) / 1000;
    });
    return megabytes / seconds;
  };
  return [await rate(() => frameCount(chunks)), await rate(async () => eventCount(chunks))];
}
