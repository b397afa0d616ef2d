// Server-sent events: an incremental decoder from byte chunks, cut anywhere, to events.
import { fail, ok, type Result } from "../base/failure.ts";

/** `event` is "message" where the stream names none; `data` holds the data lines joined by line feeds. */
export type SseEvent = { event: string; data: string };

export type SseDecoder = {
  /** The events that these bytes complete. Fails, for good, when one event outgrows the cap. */
  feed(bytes: Uint8Array): Result<SseEvent[]>;
  /** The event that lacked its closing blank line when the stream ended, if any. */
  end(): SseEvent[];
};

export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Follows the WHATWG grammar but for one thing: an event without its blank line at the end of the stream still counts. */
export function sseDecoder(maxEventBytes: number = MAX_EVENT_BYTES): SseDecoder {
  // The decoder drops a byte order mark at the start and keeps split UTF-8 sequences for the next chunk.
  const decoder = new TextDecoder();
  const splitter = lineSplitter();
  const builder = eventBuilder();
  return {
    feed(bytes) {
      const events: SseEvent[] = [];
      splitter.feed(decoder.decode(bytes, { stream: true }), (line) => builder.line(line, events));
      if (builder.size() + splitter.pending() > maxEventBytes) {
        return fail({ kind: "limit", which: `one server-sent event (${maxEventBytes} bytes)` });
      }
      return ok(events);
    },
    end() {
      const events: SseEvent[] = [];
      const rest = decoder.decode();
      splitter.feed(`${rest}\n\n`, (line) => builder.line(line, events));
      return events;
    },
  };
}

/** Lines end at LF, CR or CRLF. Each character is looked at once: an unfinished line is only appended to, never rescanned. */
function lineSplitter(): {
  feed(text: string, emit: (line: string) => void): void;
  pending(): number;
} {
  let open = "";
  let endedWithCr = false;
  return {
    pending: () => open.length,
    feed(text, emit) {
      if (text === "") return;
      const lines = withoutCr(endedWithCr && text.startsWith("\n") ? text.slice(1) : text);
      endedWithCr = text.endsWith("\r");
      let start = 0;
      for (let end = lines.indexOf("\n"); end >= 0; end = lines.indexOf("\n", start)) {
        emit(open + lines.slice(start, end));
        open = "";
        start = end + 1;
      }
      open += lines.slice(start);
    },
  };
}

function withoutCr(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function eventBuilder(): { line(line: string, out: SseEvent[]): void; size(): number } {
  let event = "";
  let data: string | null = null;
  const dispatch = (out: SseEvent[]): void => {
    if (data !== null) out.push({ event: event === "" ? "message" : event, data });
    event = "";
    data = null;
  };
  return {
    size: () => event.length + (data?.length ?? 0),
    line(line, out) {
      if (line === "") return dispatch(out);
      if (line.startsWith("data:")) {
        const value = line.slice(line[5] === " " ? 6 : 5);
        data = data === null ? value : `${data}\n${value}`;
      } else if (line === "data") {
        data = data === null ? "" : `${data}\n`;
      } else if (line.startsWith("event:")) {
        event = line.slice(line[6] === " " ? 7 : 6);
      }
      // Comments, `id`, `retry` and fields of no meaning here are passed over.
    },
  };
}
