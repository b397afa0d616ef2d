// The one HTTP client: a request with its own timers, a reply whose body is a stream, and every failure a clear value.
import { ABORTED, describe, isLoopback, placeOf, type HttpFailure } from "./http-failure.ts";

export type HttpRequest = {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | null;
  /** Connect to this address, whatever the host's name leads to now; the body is then given as it was sent, compressed. */
  address?: string;
};

/** Milliseconds; 0 means no limit. */
export type HttpTimeouts = {
  /** From sending until the reply's headers. */
  firstByteMs: number;
  /** Between two pieces of the body. */
  idleMs: number;
};

export type HttpOptions = {
  timeouts: HttpTimeouts;
  /** Only read to name the proxy in errors; Bun itself decides about proxies from the process's variables. */
  environment: Readonly<Record<string, string | undefined>>;
};

export const DEFAULT_HTTP: HttpOptions = {
  timeouts: { firstByteMs: 120_000, idleMs: 300_000 },
  environment: {},
};

export type HttpReply = {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Ends early when the body breaks; `broke` then says why. */
  body: AsyncGenerator<Uint8Array, void>;
  broke(): HttpFailure | null;
};

export type HttpResult = { ok: true; reply: HttpReply } | { ok: false; failure: HttpFailure };

/** How long a reader that has all it wants waits for the end of the body, which keeps the connection for the next request. */
const DRAIN_MS = 25;

/** Sends the request; never throws. Redirects are not followed: they would carry keys to another host. */
export async function send(
  request: HttpRequest,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<HttpResult> {
  if (signal.aborted) return { ok: false, failure: ABORTED };
  const exchange = openExchange(request.url, options, signal);
  try {
    exchange.watch(options.timeouts.firstByteMs, "did not answer");
    const response = await fetch(targetOf(request), {
      method: request.method,
      headers: request.headers,
      body: request.body,
      ...pinned(request),
      redirect: "manual",
      signal: exchange.signal,
      // Bun's own watchdog is coarse and ends quiet streams after five minutes; ours stand above.
      timeout: false,
      ...(isLoopback(request.url) ? { proxy: false } : {}),
    });
    exchange.rest();
    const headers = Object.fromEntries(response.headers);
    let broken: HttpFailure | null = null;
    const body = readBody(response, exchange, options.timeouts.idleMs, (failure) => {
      broken = failure;
    });
    return { ok: true, reply: { status: response.status, headers, body, broke: () => broken } };
  } catch (error) {
    exchange.close();
    return { ok: false, failure: exchange.failure(error) };
  }
}

/** The URL with the address in the place of the name. */
function targetOf({ url, address }: HttpRequest): string {
  if (address === undefined) return url;
  const target = new URL(url);
  target.hostname = address.includes(":") ? `[${address}]` : address;
  return target.href;
}

/** Host header and certificate are still the name's; no connection to the address is shared with another name. */
function pinned({ url, address, headers }: HttpRequest): object {
  if (address === undefined) return {};
  const { host, hostname } = new URL(url);
  const isAddress = hostname.startsWith("[") || hostname === address;
  return {
    headers: { ...headers, host },
    keepalive: false,
    decompress: false,
    ...(isAddress ? {} : { tls: { serverName: hostname } }),
  };
}

type Exchange = {
  signal: AbortSignal;
  /** Starts the timer; `what` completes “HOST …”. */
  watch(ms: number, what: string): void;
  rest(): void;
  /** Takes timer and listener away; the connection is not touched. */
  close(): void;
  failure(error: unknown): HttpFailure;
};

function openExchange(url: string, options: HttpOptions, signal: AbortSignal): Exchange {
  const place = placeOf(url, options.environment);
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener("abort", stop, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late: HttpFailure | null = null;
  return {
    signal: controller.signal,
    rest: () => clearTimeout(timer),
    watch(ms, what) {
      if (ms === 0) return;
      timer = setTimeout(() => {
        late = { kind: "timeout", message: `${place} ${what} for ${ms / 1000} s` };
        controller.abort();
      }, ms);
    },
    close() {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
    failure(error) {
      if (signal.aborted) return ABORTED;
      return late ?? describe(error, place);
    },
  };
}

async function* readBody(
  response: Response,
  exchange: Exchange,
  idleMs: number,
  broke: (failure: HttpFailure) => void,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return exchange.close();
  let isDone = false;
  try {
    while (!isDone) {
      exchange.watch(idleMs, "sent nothing more");
      const piece = await reader.read();
      // A reader that takes its time with this piece is no fault of the server.
      exchange.rest();
      isDone = piece.done;
      if (piece.value) yield piece.value;
    }
  } catch (error) {
    isDone = true;
    broke(exchange.failure(error));
  } finally {
    if (!isDone) await drain(reader);
    exchange.close();
  }
}

type Reader = { read(): Promise<{ done: boolean }>; cancel(): Promise<void> };

/** Reads on for a moment: a body read to its end leaves a connection that can be used again; else it is cut. */
async function drain(reader: Reader): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<{ done: boolean }>((resolve) => {
    timer = setTimeout(() => resolve({ done: false }), DRAIN_MS);
  });
  const rest = reader.read().catch(() => ({ done: true }));
  const { done } = await Promise.race([rest, late]);
  clearTimeout(timer);
  if (!done) await reader.cancel().catch(() => undefined);
}
