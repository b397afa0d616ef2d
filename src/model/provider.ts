// A provider: a named endpoint, and the wire spoken to it as two functions, request to body and frames to events.
import type { Result } from "../base/failure.ts";
import type { ModelEvent } from "./event.ts";
import type { ModelRequest } from "./request.ts";
import type { Wire } from "./wire-names.ts";

export type Credential = { kind: "none" } | { kind: "key"; key: string; source: string };

export type WireRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The body again, for a transport that can send only what is new of it. */
  pieces?: BodyPieces;
};

/** The body is `head`, the items with commas between them, and `]}`. */
export type BodyPieces = {
  head: string;
  /** JSON texts, the oldest first. */
  items: readonly string[];
  /** Of what the head holds. */
  parts: { instructionBytes: number; toolBytes: number; tools: number };
};

/** How a wire cuts its byte stream into frames. */
export type Framing = "sse" | "ndjson" | "eventstream";

/** One event of the stream (or, where a whole body came instead of a stream, that body with `event` "body"). */
export type Frame = { event: string; data: string };

export type ReplyHead = { status: number; contentType: string; headers: Record<string, string> };

/** The wire: pure, never retries, prints, sleeps or touches a session. `decode` ends with exactly one `stop` or `failed`. */
export type Adapter = {
  wire: Wire;
  framing: Framing;
  encode(endpoint: Endpoint, request: ModelRequest): WireRequest;
  decode(head: ReplyHead, frames: AsyncIterable<Frame>): AsyncGenerator<ModelEvent>;
  /** Where the same exchange can also be had over a WebSocket that stays open. */
  overSocket?: OverSocket;
};

export type OverSocket = {
  /** Of the handshake, besides the request's own. */
  headers: Readonly<Record<string, string>>;
  /** The state of one connection. */
  talk(): Talk;
};

/** One conversation on one connection: what is sent, and what the messages that come mean for the transport. */
export type Talk = {
  /** The message that asks; it continues the last reply where that is all the request adds to. */
  ask(pieces: BodyPieces): { message: string; isContinued: boolean; sentItems: number };
  hear(message: string): Heard;
};

export type Heard =
  /** Nothing that a person would see yet. */
  | { kind: "quiet" }
  | { kind: "output" }
  /** The last message of the reply. */
  | { kind: "end" }
  /** The last message, too. `again`: the same request may be sent once more, whole, on this connection or a new one. */
  | { kind: "refused"; again: "here" | "anew" | null };

export type Endpoint = {
  provider: string;
  baseUrl: string;
  credential: Credential;
  /** Tokens: what the settings say the model holds, for servers that make room as asked. */
  window?: number;
};

/** Signs a request that is ready to be sent, with what may have to be looked up first. The failure says what to do. */
export type Authorize = (request: WireRequest, signal: AbortSignal) => Promise<Result<WireRequest>>;

/** What `agent` needs: something that plays a request as a stream of events and never throws. */
export type Model = {
  provider: string;
  wire: string;
  id: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent>;
  /** Ends what it holds open between requests. */
  close?(): void;
};
