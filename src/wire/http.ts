// The one HTTP client: a request with its own timers, a reply whose body is a stream, and every failure a clear value.
import {
  ABORTED,
  codeOf,
  describe,
  isLoopback,
  placeOf,
  PROXY_AUTH,
  wantsProxyAuth,
  type HttpFailure,
} from "./http-failure.ts";
import type { Variables } from "./proxy.ts";
import type { TlsOptions, Trust } from "./tls.ts";

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
  /** Until the server (or the proxy) accepts a connection; left out: `CONNECT_MS`. */
  connectMs?: number;
  /** From sending until the reply's headers. */
  firstByteMs: number;
  /** Between two pieces of the body. */
  idleMs: number;
};

export type HttpOptions = {
  timeouts: HttpTimeouts;
  /** Where the usual variables may name a proxy. */
  environment: Variables;
  /** A proxy of its own: a URL, or `none`. */
  proxy?: string;
  /** Whose certificates are accepted; left out: as the runtime has it. */
  trust?: Trust;
  /** Takes what a debug log shows: heads of requests and replies without their secrets, as lines. */
  trace?: (lines: string) => void;
};

export const CONNECT_MS = 15_000;

export const DEFAULT_HTTP: HttpOptions = {
  timeouts: { connectMs: CONNECT_MS, firstByteMs: 120_000, idleMs: 300_000 },
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
  const route = await routeTo(request.url, options);
  const traced = options.trace && (await import("./http-trace.ts")).logTo(options.trace);
  traced?.sent(request, route.place);
  const result = await attempt(request, { options, route, signal });
  traced?.came(result);
  return result;
}

/** How a request gets to its server, and what errors call that. */
export type Route = {
  proxy: string | null;
  socket: { socket: string; url: string } | null;
  place: string;
};
type Way = { options: HttpOptions; route: Route; signal: AbortSignal };

const PROXY_VARIABLES = ["https_proxy", "http_proxy", "all_proxy"];

export function namesProxy(environment: Variables): boolean {
  return PROXY_VARIABLES.some(
    (name) => (environment[name] || environment[name.toUpperCase()] || "") !== "",
  );
}

/** Most people have neither a proxy nor a socket: what knows of them is loaded for the others. */
export async function routeTo(
  url: string,
  { proxy: setting, environment }: HttpOptions,
): Promise<Route> {
  if (url.startsWith("http+unix:")) {
    const { socketOf } = await import("./socket-url.ts");
    return { proxy: null, socket: socketOf(url), place: placeOf(url, null) };
  }
  if (isLoopback(url) || (setting === undefined && !namesProxy(environment))) {
    return { proxy: null, socket: null, place: placeOf(url, null) };
  }
  const { proxyName, proxyOf } = await import("./proxy.ts");
  const proxy = proxyOf(url, setting ?? null, environment);
  return { proxy, socket: null, place: placeOf(url, proxy === null ? null : proxyName(proxy)) };
}

async function attempt(request: HttpRequest, way: Way): Promise<HttpResult> {
  const { options, route } = way;
  const { timeouts, trust } = options;
  const open = openExchange(request.url, way);
  try {
    open.watch(timeouts.firstByteMs, "did not answer");
    open.watchDoor(timeouts.connectMs);
    const tls = trust === undefined ? null : await trust.options();
    const response = await fetch(route.socket?.url ?? targetOf(request), {
      ...initOf(request, route, tls),
      signal: open.signal,
    });
    open.rest();
    if (response.status !== PROXY_AUTH || route.proxy === null) {
      return { ok: true, reply: replyOf(response, open, timeouts.idleMs) };
    }
    open.close();
    return { ok: false, failure: wantsProxyAuth(route.place) };
  } catch (error) {
    open.close();
    if (await isWorthWidening(error, trust)) return attempt(request, way);
    return { ok: false, failure: open.failure(error) };
  }
}

function initOf(request: HttpRequest, route: Route, tls: TlsOptions | null): BunFetchRequestInit {
  const { method, headers, body } = request;
  return {
    method,
    headers,
    body,
    ...pinned(request, tls),
    redirect: "manual",
    // Bun's own watchdog is coarse and ends quiet streams after five minutes; ours stand above.
    timeout: false,
    // Bun must not decide by the variables once more: it knows fewer forms of them.
    proxy: route.proxy ?? false,
    ...(route.socket === null ? {} : { unix: route.socket.socket }),
  };
}

function replyOf(response: Response, open: Exchange, idleMs: number): HttpReply {
  let broken: HttpFailure | null = null;
  const body = readBody(response, open, idleMs, (failure) => {
    broken = failure;
  });
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body, broke: () => broken };
}

/** Companies put their authorities into the system's store, which is read only when it is needed. */
export async function isWorthWidening(error: unknown, trust: Trust | undefined): Promise<boolean> {
  if (trust === undefined) return false;
  const { isUnknownAuthority } = await import("./tls.ts");
  return isUnknownAuthority(codeOf(error)) && (await trust.widen());
}

/** The URL with the address in the place of the name. */
function targetOf({ url, address }: HttpRequest): string {
  if (address === undefined) return url;
  const target = new URL(url);
  target.hostname = address.includes(":") ? `[${address}]` : address;
  return target.href;
}

/** Host header and certificate are still the name's; no connection to the address is shared with another name. */
function pinned({ url, address, headers }: HttpRequest, tls: TlsOptions | null): object {
  if (address === undefined) return tls === null ? {} : { tls };
  const { host, hostname } = new URL(url);
  const isAddress = hostname.startsWith("[") || hostname === address;
  return {
    headers: { ...headers, host },
    keepalive: false,
    decompress: false,
    tls: { ...tls, ...(isAddress ? {} : { serverName: hostname }) },
  };
}

type Exchange = {
  signal: AbortSignal;
  /** Starts the timer; `what` completes “HOST …”. */
  watch(ms: number, what: string): void;
  /** Ends the exchange where by then nobody has accepted a connection. */
  watchDoor(ms: number | undefined): void;
  rest(): void;
  /** Takes timers and listener away; the connection is not touched. */
  close(): void;
  failure(error: unknown): HttpFailure;
};

/** Of the time to connect, after which a second connection tells whether the first one only waits for its answer. */
const KNOCK_AT = 2 / 3;

function openExchange(url: string, { route, signal }: Way): Exchange {
  const { place, proxy } = route;
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener("abort", stop, { once: true });
  let timer: Timer | undefined;
  let doorTimer: Timer | undefined;
  let late: HttpFailure | null = null;
  const end = (what: string): void => {
    late = { kind: "timeout", message: `${place} ${what}` };
    controller.abort();
  };
  const rest = (): void => {
    clearTimeout(timer);
    clearTimeout(doorTimer);
  };
  return {
    signal: controller.signal,
    rest,
    watch(ms, what) {
      if (ms > 0) timer = setTimeout(() => end(`${what} for ${ms / 1000} s`), ms);
    },
    watchDoor(ms = CONNECT_MS) {
      // The runtime does not tell when it is connected: knocking once more does, and most answers come before.
      if (ms === 0 || route.socket !== null) return;
      doorTimer = setTimeout(() => {
        doorTimer = setTimeout(
          () => end(`accepted no connection for ${ms / 1000} s; check the network`),
          ms * (1 - KNOCK_AT),
        );
        void isAnybodyThere(url, proxy).then((isThere) => isThere && clearTimeout(doorTimer));
      }, ms * KNOCK_AT);
    },
    close() {
      rest();
      signal.removeEventListener("abort", stop);
    },
    failure(error) {
      if (signal.aborted) return ABORTED;
      return late ?? describe(error, place);
    },
  };
}

async function isAnybodyThere(url: string, proxy: string | null): Promise<boolean> {
  const { doorOf, knock } = await import("./knock.ts");
  const door = doorOf(url, proxy);
  return door !== null && knock(door);
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
  let timer: Timer | undefined;
  const late = new Promise<{ done: boolean }>((resolve) => {
    timer = setTimeout(() => resolve({ done: false }), DRAIN_MS);
  });
  const rest = reader.read().catch(() => ({ done: true }));
  const { done } = await Promise.race([rest, late]);
  clearTimeout(timer);
  if (!done) await reader.cancel().catch(() => undefined);
}
