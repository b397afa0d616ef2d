// A WebSocket as a line of messages: opened with headers, proxies and certificates as HTTP has them, read one by one.
import { ABORTED, describe, type HttpFailure } from "./http-failure.ts";
import { CONNECT_MS, isWorthWidening, routeTo, type HttpOptions, type Route } from "./http.ts";

/** No message of a reply is near so large, nor what waits to be read. */
const MAX_WAITING_CHARS = 64 << 20;

export type SocketMessage =
  | { kind: "message"; text: string }
  | { kind: "broken"; failure: HttpFailure };

export type SocketLine = {
  isOpen(): boolean;
  send(message: string): void;
  /** The next message; `ms` without one end the line, 0 is no limit. One reader at a time. */
  next(ms: number, signal: AbortSignal): Promise<SocketMessage>;
  close(): void;
};

export type SocketResult =
  | { ok: true; line: SocketLine }
  /** `status` is that of a server which answered, but would not switch over. */
  | { ok: false; failure: HttpFailure; status: number | null };

/** `url` is the HTTP one. Never throws. */
export async function openSocket(
  request: { url: string; headers: Record<string, string> },
  options: HttpOptions,
  signal: AbortSignal,
): Promise<SocketResult> {
  if (signal.aborted) return { ok: false, failure: ABORTED, status: null };
  const route = await routeTo(request.url, options);
  const traced = options.trace && (await import("./http-trace.ts")).logTo(options.trace);
  traced?.sent({ ...request, method: "GET", body: null }, `${route.place}, a WebSocket`);
  const result = await attempt(request, { options, route, signal });
  traced?.came(
    result.ok ? { ok: true, reply: { status: SWITCHING, headers: {} } } : withStatus(result),
  );
  return result;
}

const SWITCHING = 101;

function withStatus({ failure, status }: Extract<SocketResult, { ok: false }>) {
  const reply = { status: status ?? 0, headers: {} };
  return status === null ? ({ ok: false, failure } as const) : ({ ok: true, reply } as const);
}

type Way = { options: HttpOptions; route: Route; signal: AbortSignal };
type Opened = SocketResult | { ok: "widen"; error: unknown };

async function attempt(
  request: { url: string; headers: Record<string, string> },
  way: Way,
): Promise<SocketResult> {
  const { options, route } = way;
  const tls = options.trust === undefined ? null : await options.trust.options();
  const settings = {
    headers: request.headers,
    ...(route.proxy === null ? {} : { proxy: route.proxy }),
    ...(tls === null ? {} : { tls }),
  };
  const opened = await connect(targetOf(request.url, route), settings, way);
  if (opened.ok !== "widen") return opened;
  if (await isWorthWidening(opened.error, options.trust)) return attempt(request, way);
  return { ok: false, failure: describe(opened.error, route.place), status: null };
}

/** The scheme of the same security; a socket of the file system has a scheme of its own. */
function targetOf(url: string, { socket }: Route): string {
  if (socket === null) return url.replace(/^http/i, "ws");
  return `ws+unix://${socket.socket}:${new URL(socket.url).pathname}`;
}

function connect(url: string, settings: Bun.WebSocketOptions, way: Way): Promise<Opened> {
  const { promise, resolve } = Promise.withResolvers<Opened>();
  const { options, route, signal } = way;
  const { place } = route;
  let socket: WebSocket;
  try {
    socket = new WebSocket(url, settings);
  } catch (error) {
    return Promise.resolve({ ok: false, failure: unusable(error, place), status: null });
  }
  const ms = options.timeouts.connectMs ?? CONNECT_MS;
  const settle = (result: Opened): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    if (result.ok !== true) socket.terminate();
    resolve(result);
  };
  const stop = (): void => settle({ ok: false, failure: ABORTED, status: null });
  const late = (): void => {
    const message = `${place} accepted no connection for ${ms / 1000} s; check the network`;
    settle({ ok: false, failure: { kind: "timeout", message }, status: null });
  };
  const timer = ms === 0 ? undefined : setTimeout(late, ms);
  signal.addEventListener("abort", stop, { once: true });
  socket.addEventListener("open", () => settle({ ok: true, line: lineOf(socket, place) }));
  socket.addEventListener("error", (event) => settle(refusalOf(event, place)));
  return promise;
}

/** What the runtime throws before it tries: a header or a URL that is none. */
function unusable(error: unknown, place: string): HttpFailure {
  if (!(error instanceof SyntaxError)) return describe(error, place);
  return { kind: "invalid", message: `${place} has a URL that cannot be used; check the base URL` };
}

/** The runtime tells the status of an answer that is not the wanted one only in its sentence. */
function refusalOf(event: Event, place: string): Opened {
  const error: unknown = "error" in event ? event.error : undefined;
  const text = error instanceof Error ? error.message : "";
  const status = Number(/status code: (\d{3})/.exec(text)?.[1] ?? 0);
  if (status === 0) return { ok: "widen", error };
  const message = `${place} answers with HTTP ${status} instead of opening a WebSocket`;
  return { ok: false, failure: { kind: "refused", message }, status };
}

function lineOf(socket: WebSocket, place: string): SocketLine {
  const waiting: string[] = [];
  let chars = 0;
  let ended: HttpFailure | null = null;
  let wake: (() => void) | null = null;
  const end = (failure: HttpFailure): void => {
    ended ??= failure;
    wake?.();
  };
  socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const text = typeof data === "string" ? data : new TextDecoder().decode(bytesOf(data));
    chars += text.length;
    waiting.push(text);
    if (chars > MAX_WAITING_CHARS) {
      end({ kind: "reset", message: `${place} sent more than can be held` });
      socket.terminate();
    } else wake?.();
  });
  socket.addEventListener("close", ({ code }) => {
    const message = `${place} closed the WebSocket before the reply was complete (code ${code})`;
    end({ kind: "reset", message });
  });
  const take = (): SocketMessage | null => {
    const text = waiting.shift();
    if (text === undefined) return ended === null ? null : { kind: "broken", failure: ended };
    chars -= text.length;
    return { kind: "message", text };
  };
  const stop = (): void => end(ABORTED);
  const until = (ms: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = (): void =>
      end({ kind: "timeout", message: `${place} sent nothing for ${ms / 1000} s` });
    const timer = ms === 0 ? undefined : setTimeout(late, ms);
    signal.addEventListener("abort", stop, { once: true });
    wake = resolve;
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      wake = null;
    });
  };
  return {
    isOpen: () => ended === null && socket.readyState === WebSocket.OPEN,
    send: (message) => socket.send(message),
    async next(ms, signal) {
      if (signal.aborted) end(ABORTED);
      if (waiting.length === 0 && ended === null) await until(ms, signal);
      const got = take() ?? { kind: "broken", failure: ABORTED };
      if (got.kind === "broken") socket.terminate();
      return got;
    },
    // Terminated, not closed: nobody waits for a farewell.
    close: () => socket.terminate(),
  };
}

function bytesOf(data: unknown): Uint8Array {
  return data instanceof Uint8Array ? data : new Uint8Array();
}
