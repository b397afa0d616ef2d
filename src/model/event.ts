// What a model can say: the closed union that every adapter's stream is made of.

/** A tool call as the model wrote it; `arguments` is JSON text, parsed strictly only when it is executed. */
export type ToolCall = { id: string; name: string; arguments: string };

/** Tokens. `input` counts every prompt token, cached ones included; `output` includes `reasoning`. */
export type Usage = {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  /** What the provider itself says the request cost, in USD; null where it says nothing. */
  costUsd: number | null;
};

export type StopReason = "end" | "calls" | "length" | "refusal" | "filter" | "paused";

export type ProviderErrorKind =
  | "auth"
  | "rate_limit"
  | "quota"
  | "overloaded"
  | "transport"
  | "timeout"
  | "stream_cut"
  | "context_overflow"
  | "tool_unsupported"
  | "bad_request"
  | "content_filter"
  | "model_not_found"
  | "server"
  | "aborted";

/** Any failure of a request, from refused connection to error frame, as the adapters and `model/stream` report it. */
export type ProviderError = {
  kind: ProviderErrorKind;
  retryable: boolean;
  retryAfterMs: number | null;
  /** HTTP status; null where no reply came. */
  status: number | null;
  requestId: string | null;
  /** One sentence: cause, and the next step where one is known. Never holds a credential. */
  message: string;
};

/** Figures of one request: bytes on the wire, milliseconds since it was sent. */
export type Metrics = {
  requestBytes: number;
  responseBytes: number;
  headersMs: number | null;
  firstEventMs: number | null;
  totalMs: number;
  /** How it travelled, where its wire knows more ways than one. */
  transport?: TransportFigures;
};

/** `items` are those of the conversation; bytes are those of their JSON. */
export type TransportFigures = {
  kind: "http" | "websocket";
  /** Over a connection that was open already. */
  isReused: boolean;
  /** Only what is new was sent. */
  isContinued: boolean;
  inputItems: number;
  sentItems: number;
  inputBytes: number;
  instructionBytes: number;
  toolBytes: number;
  tools: number;
  /** Why it took another way than it should have, or more than one try; null where it did not. */
  fallback: string | null;
};

export type ModelEvent =
  | { type: "text"; delta: string }
  | { type: "thinking"; delta: string }
  | { type: "call.begin"; id: string; name: string }
  | { type: "call.delta"; id: string; delta: string }
  | { type: "call"; call: ToolCall }
  /**
   * An opaque provider item that belongs to the part heard last, where that is of this kind, else to an empty part of
   * its own (thinking that is not shown). It goes back verbatim, to the same wire and model only.
   */
  | { type: "keep"; of: "text" | "reasoning" | "tool_call"; item: unknown }
  | { type: "usage"; usage: Usage }
  | { type: "response"; id: string | null; model: string | null }
  | { type: "metrics"; metrics: Metrics }
  /** `because` is what the model said when it refused. */
  | { type: "stop"; reason: StopReason; because?: string }
  | { type: "failed"; error: ProviderError };
