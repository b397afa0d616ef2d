// A model behind a wire: sends the request, meters and decodes the reply, and turns every failure into an event.
import { ok, sentence } from "../base/failure.ts";
import { ABORTED, type HttpFailure } from "../wire/http-failure.ts";
import type { HttpOptions, HttpReply } from "../wire/http.ts";
import type { Metrics, ModelEvent, ProviderError, ProviderErrorKind } from "./event.ts";
import { framesOf } from "./frames.ts";
import type { Adapter, Authorize, Endpoint, Model, ReplyHead } from "./provider.ts";
import type { ModelRequest } from "./request.ts";
import { transportOf } from "./transport-choice.ts";
import type { Sent, Transport, TransportChoice } from "./transport.ts";

/** Of one reply on the line: hundreds of times what the largest output limit takes. */
const MAX_REPLY_BYTES = 64 << 20;

export type ModelOptions = {
  adapter: Adapter;
  endpoint: Endpoint;
  modelId: string;
  http: HttpOptions;
  /** Left out: HTTP. */
  transport?: TransportChoice;
  /** Where a key in the headers is not enough. */
  authorize?: Authorize;
};

export function openModel(options: ModelOptions): Model {
  const { adapter, endpoint, http } = options;
  const transport = transportOf(adapter, options.transport ?? "http", http);
  const way = { ...options, transport };
  return {
    provider: endpoint.provider,
    wire: adapter.wire,
    id: options.modelId,
    stream: (request, signal) => attempt(way, request, signal),
    close: () => transport.close(),
  };
}

/** One try. `metrics` and then exactly one `stop` or `failed` come last. */
async function* attempt(
  options: Omit<ModelOptions, "transport"> & { transport: Transport },
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { adapter, endpoint, transport } = options;
  const encoded = adapter.encode(endpoint, request);
  const meter = startMeter(encoded.body);
  const secrets = keyIn(endpoint);
  const failed = (error: ProviderError): ModelEvent => ({
    type: "failed",
    error: { ...error, message: without(secrets, error.message) },
  });

  const ready = (await options.authorize?.(encoded, signal)) ?? ok(encoded);
  if (!ready.ok) {
    yield { type: "metrics", metrics: meter.read() };
    yield failed({ ...unanswered(ABORTED), kind: "auth", message: sentence(ready.failure) });
    return;
  }
  const wire = ready.value;
  secrets.push(...tokenIn(wire.headers));
  const headers = { "user-agent": "burin", ...wire.headers };
  const sent = await transport.send({ ...wire, headers }, signal);
  meter.sent(sent);
  if (!sent.ok) {
    yield { type: "metrics", metrics: meter.read() };
    yield failed(unanswered(sent.failure));
    return;
  }
  meter.headers();
  for await (const event of decodeReply(adapter, sent.reply, meter)) {
    // What is already here but not yet shown is dropped: stopped means stopped.
    if (signal.aborted) break;
    if (event.type !== "stop" && event.type !== "failed") {
      meter.event();
      yield event;
      continue;
    }
    yield { type: "metrics", metrics: meter.read() };
    yield event.type === "stop" ? event : failed(event.error);
    return;
  }
  yield { type: "metrics", metrics: meter.read() };
  yield failed(unanswered(ABORTED));
}

/** The adapter's events; where the line broke, the failure it reports becomes the line's own. */
async function* decodeReply(
  adapter: Adapter,
  reply: HttpReply,
  meter: Meter,
): AsyncGenerator<ModelEvent> {
  const head: ReplyHead = {
    status: reply.status,
    contentType: reply.headers["content-type"] ?? "",
    headers: reply.headers,
  };
  const cap: { exceeded: string | null } = { exceeded: null };
  const exceeded = (what: string): void => {
    cap.exceeded = what;
  };
  const frames = framesOf(
    adapter.framing,
    { head, body: bounded(meter.count(reply.body), exceeded) },
    exceeded,
  );
  for await (const event of adapter.decode(head, frames)) {
    if (event.type !== "failed") {
      yield event;
      continue;
    }
    yield { type: "failed", error: lineError(event.error, reply.broke(), cap.exceeded) };
  }
}

/** A reply without end must not fill the memory. */
async function* bounded(
  body: AsyncIterable<Uint8Array>,
  exceeded: (what: string) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MAX_REPLY_BYTES) {
      exceeded(`the reply is larger than ${MAX_REPLY_BYTES >> 20} MiB and was cut off there`);
      return;
    }
    yield piece;
  }
}

function unanswered(failure: HttpFailure): ProviderError {
  return {
    ...kindOf(failure),
    retryAfterMs: null,
    status: null,
    requestId: null,
    message: failure.message,
  };
}

function lineError(
  reported: ProviderError,
  broke: HttpFailure | null,
  exceeded: string | null,
): ProviderError {
  if (exceeded !== null) return { ...reported, retryable: false, message: exceeded };
  if (broke === null) return reported;
  const { kind, retryable } = kindOf(broke);
  const own = kind === "transport" ? "stream_cut" : kind;
  return { ...reported, kind: own, retryable, message: broke.message };
}

function kindOf(failure: HttpFailure): { kind: ProviderErrorKind; retryable: boolean } {
  switch (failure.kind) {
    case "aborted":
      return { kind: "aborted", retryable: false };
    case "timeout":
      return { kind: "timeout", retryable: true };
    case "refused":
    case "dns":
    case "reset":
      return { kind: "transport", retryable: true };
    case "tls":
      return { kind: "transport", retryable: false };
    case "invalid":
      return { kind: "bad_request", retryable: false };
  }
}

/** Providers can quote the key they refuse. */
function without(secrets: readonly string[], message: string): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, "•••"), message);
}

function keyIn({ credential }: Endpoint): string[] {
  return credential.kind === "key" ? [credential.key] : [];
}

/** The token that a sign-in added. */
function tokenIn({ authorization = "" }: Record<string, string>): string[] {
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1];
  return token === undefined ? [] : [token];
}

type Meter = {
  sent(how: Pick<Sent, "sentBytes" | "figures">): void;
  headers(): void;
  event(): void;
  count(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  read(): Metrics;
};

function startMeter(body: string): Meter {
  const start = performance.now();
  const since = (): number => Math.round(performance.now() - start);
  let requestBytes = Buffer.byteLength(body);
  let transport: Sent["figures"] = null;
  let responseBytes = 0;
  let headersMs: number | null = null;
  let firstEventMs: number | null = null;
  return {
    sent({ sentBytes, figures }) {
      requestBytes = sentBytes;
      transport = figures;
    },
    headers() {
      headersMs = since();
    },
    event() {
      firstEventMs ??= since();
    },
    async *count(chunks) {
      for await (const bytes of chunks) {
        responseBytes += bytes.length;
        yield bytes;
      }
    },
    read: () => ({
      requestBytes,
      responseBytes,
      headersMs,
      firstEventMs,
      totalMs: since(),
      ...(transport === null ? {} : { transport }),
    }),
  };
}
