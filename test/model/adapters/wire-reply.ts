// Decodes the bytes of a reply on any wire in tests, with call ids that do not depend on chance.
import { summarize, type Summary } from "../../../src/model/decode.ts";
import type { ModelEvent } from "../../../src/model/event.ts";
import { framesOf } from "../../../src/model/frames.ts";
import type { Adapter } from "../../../src/model/provider.ts";
import { streamOf } from "../../support/collect.ts";

export type Head = { status?: number; contentType?: string; headers?: Record<string, string> };

export type WireReply = {
  events: (body: string | Uint8Array[], head?: Head) => AsyncGenerator<ModelEvent>;
  summary: (body: string | Uint8Array[], head?: Head) => Promise<Summary>;
};

export function wireReply(adapterOf: (newCallId: () => string) => Adapter): WireReply {
  const events = (body: string | Uint8Array[], head: Head = {}): AsyncGenerator<ModelEvent> => {
    let count = 0;
    const adapter = adapterOf(() => `own-${(count += 1)}`);
    const contentType = head.contentType ?? "text/event-stream";
    const whole = { status: head.status ?? 200, contentType, headers: head.headers ?? {} };
    const bytes = typeof body === "string" ? [Buffer.from(body)] : body;
    const reply = { head: whole, body: streamOf(bytes) };
    return adapter.decode(
      whole,
      framesOf(adapter.framing, reply, () => undefined),
    );
  };
  return { events, summary: (body, head) => summarize(events(body, head)) };
}
