// A provider: a named endpoint, and the wire spoken to it as two functions, request to body and frames to events.
import type { ModelEvent } from "./event.ts";
import type { ModelRequest } from "./request.ts";
import type { Wire } from "./wire-names.ts";

export type Credential = { kind: "none" } | { kind: "key"; key: string; source: string };

export type WireRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
};

/** How a wire cuts its byte stream into frames. */
export type Framing = "sse";

/** One event of the stream (or, where a whole body came instead of a stream, that body with `event` "body"). */
export type Frame = { event: string; data: string };

export type ReplyHead = { status: number; contentType: string; headers: Record<string, string> };

/** The wire: pure, never retries, prints, sleeps or touches a session. `decode` ends with exactly one `stop` or `failed`. */
export type Adapter = {
  wire: Wire;
  framing: Framing;
  encode(endpoint: Endpoint, request: ModelRequest): WireRequest;
  decode(head: ReplyHead, frames: AsyncIterable<Frame>): AsyncGenerator<ModelEvent>;
};

export type Endpoint = { provider: string; baseUrl: string; credential: Credential };

/** What `agent` needs: something that plays a request as a stream of events and never throws. */
export type Model = {
  provider: string;
  wire: string;
  id: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent>;
};
