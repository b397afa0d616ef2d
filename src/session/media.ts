// How much of a conversation is pictures, sound and documents: every request carries all of it.
import type { SessionEvent } from "./event.ts";

/** Bytes of all media in the events, as they are sent: in base64. */
export function mediaBytes(events: readonly SessionEvent[]): number {
  return events.reduce((sum, event) => sum + bytesIn(event), 0);
}

function bytesIn(event: SessionEvent): number {
  if (event.type !== "message.tool" && event.type !== "message.user") return 0;
  return event.data.content.reduce(
    (sum, part) => sum + (part.type === "text" ? 0 : part.data.length),
    0,
  );
}
