// Requests over one WebSocket that stays open for the session: only what is new is sent where the server holds the rest.
//
// Messages come out as the server-sent events they would have been, so that nobody above knows the difference. What goes
// wrong before the model has said anything is mended here: a connection that went stale is opened anew, and where none
// can be had, the request goes over HTTP, as all later ones do. What goes wrong afterwards is a reply that broke off.
import type { HttpFailure } from "../wire/http-failure.ts";
import type { HttpOptions, HttpReply } from "../wire/http.ts";
import { openSocket, type SocketLine } from "../wire/websocket.ts";
import type { TransportFigures } from "./event.ts";
import type { BodyPieces, Heard, OverSocket, Talk, WireRequest } from "./provider.ts";
import { figuresOf, type Sent, type Transport } from "./transport.ts";

/** Larger ones go over HTTP. */
const MAX_MESSAGE_BYTES = 8 << 20;
const IDLE_MS = 15 * 60_000;
/** A stale connection, a new one, and once more whole. */
const MAX_TRIES = 3;

export type SocketWay = {
  overSocket: OverSocket;
  direct: Transport;
  http: HttpOptions;
  hasFallback: boolean;
};

type Line = {
  socket: SocketLine;
  talk: Talk;
  /** Address and credential: another one is not the same conversation. */
  key: string;
  /** It has carried a reply. */
  isWarm: boolean;
  idle: Timer | undefined;
};

type State = {
  line: Line | null;
  isBusy: boolean;
  /** Why this session stays with HTTP. */
  pinned: string | null;
};

export function overWebSocket(way: SocketWay): Transport {
  const state: State = { line: null, isBusy: false, pinned: null };
  const overHttp = async (request: WireRequest, signal: AbortSignal, because: string) => {
    const sent = await way.direct.send(request, signal);
    return { ...sent, figures: sent.figures && { ...sent.figures, fallback: because } };
  };
  return {
    async send(request, signal) {
      const { pieces } = request;
      const against = state.pinned ?? obstacle(state, request);
      if (against !== null || pieces === undefined) return overHttp(request, signal, against ?? "");
      state.isBusy = true;
      const tried = await trySocket(state, way, { request: { ...request, pieces }, signal });
      if (tried.kind === "sent") return tried.sent;
      state.isBusy = false;
      if (signal.aborted || !way.hasFallback) return unsent(tried);
      const sent = await overHttp(request, signal, tried.failure.message);
      // Where HTTP fares no better, the WebSocket was not at fault.
      if (sent.ok && sent.reply.status < 400) state.pinned = tried.failure.message;
      return sent;
    },
    close: () => drop(state),
  };
}

function obstacle({ isBusy }: State, { body }: WireRequest): string | null {
  if (isBusy) return "another request was on the WebSocket";
  return Buffer.byteLength(body) > MAX_MESSAGE_BYTES ? "too large for one message" : null;
}

type Failed = { kind: "failed"; failure: HttpFailure; status: number | null };

/** An answer with a status is one, though nobody can read what it says. */
function unsent({ failure, status }: Failed): Sent {
  const unmeasured = { sentBytes: 0, figures: null };
  if (status === null) return { ok: false, failure, ...unmeasured };
  return { ok: true, reply: plainReply(status), ...unmeasured };
}

type Asking = { request: WireRequest & { pieces: BodyPieces }; signal: AbortSignal };
type Tried = { kind: "sent"; sent: Sent } | Failed;

async function trySocket(state: State, way: SocketWay, asking: Asking): Promise<Tried> {
  let because: string | null = null;
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const tried = await tryOnce(state, way, { ...asking, because });
    if (tried.kind !== "again") return tried;
    because = tried.because;
  }
  const message = `no WebSocket held: ${because}`;
  return { kind: "failed", failure: { kind: "reset", message }, status: null };
}

async function tryOnce(
  state: State,
  way: SocketWay,
  asking: Asking & { because: string | null },
): Promise<Tried | { kind: "again"; because: string }> {
  const opened = await lineFor(state, way, asking);
  if (opened.kind === "failed") return opened;
  const { line } = opened;
  const { sentBytes, figures } = ask(line, way, asking);
  const begun = await beginning(line, way, asking.signal);
  if (begun.kind === "broken") {
    drop(state);
    const wasStale = figures.isReused && begun.failure.kind === "reset";
    return wasStale
      ? { kind: "again", because: "the connection had gone stale" }
      : { kind: "failed", failure: begun.failure, status: null };
  }
  if (begun.again === "anew") drop(state);
  if (begun.again !== null) return { kind: "again", because: BECAUSE[begun.again] };
  const reply = replyOf({ state, line, way, signal: asking.signal }, begun);
  return {
    kind: "sent",
    sent: { ok: true, reply, sentBytes, figures: { ...figures, fallback: asking.because } },
  };
}

const BECAUSE = {
  here: "the server no longer had the last reply",
  anew: "the server does not keep a connection for so long",
} as const;

/** The connection of the session, or a new one. */
async function lineFor(
  state: State,
  way: SocketWay,
  { request, signal }: Asking,
): Promise<{ kind: "line"; line: Line } | Failed> {
  const { url, headers } = request;
  const key = `${url} ${headers["authorization"] ?? ""}`;
  const { line } = state;
  if (line !== null && line.key === key && line.socket.isOpen()) return { kind: "line", line };
  drop(state);
  const handshake = { "user-agent": "burin", ...headers, ...way.overSocket.headers };
  const opened = await openSocket({ url, headers: handshake }, way.http, signal);
  if (!opened.ok) return { kind: "failed", failure: opened.failure, status: opened.status };
  const talk = way.overSocket.talk();
  state.line = { socket: opened.line, talk, key, isWarm: false, idle: undefined };
  return { kind: "line", line: state.line };
}

function ask(
  line: Line,
  { http }: SocketWay,
  { request }: Asking,
): { sentBytes: number; figures: TransportFigures } {
  clearTimeout(line.idle);
  const { message, isContinued, sentItems } = line.talk.ask(request.pieces);
  const sentBytes = Buffer.byteLength(message);
  http.trace?.(`→ a message over the WebSocket (${sentBytes} bytes)\n`);
  line.socket.send(message);
  const how = { kind: "websocket", isReused: line.isWarm, isContinued, sentItems } as const;
  return { sentBytes, figures: { ...figuresOf(request.pieces), ...how } };
}

type Begun = { kind: "begun"; messages: string[]; isOver: boolean; again: "here" | "anew" | null };
type Beginning = Begun | { kind: "broken"; failure: HttpFailure };

/** Hears until there is something to show, or the end of it. */
async function beginning(
  { socket, talk }: Line,
  { http: { timeouts } }: SocketWay,
  signal: AbortSignal,
): Promise<Beginning> {
  const messages: string[] = [];
  for (;;) {
    const ms = messages.length > 0 ? timeouts.idleMs : timeouts.firstByteMs;
    const got = await socket.next(ms, signal);
    if (got.kind === "broken") return got;
    messages.push(got.text);
    const heard = talk.hear(got.text);
    if (heard.kind === "quiet") continue;
    const again = heard.kind === "refused" ? heard.again : null;
    return { kind: "begun", messages, isOver: isEnd(heard), again };
  }
}

function isEnd({ kind }: Heard): boolean {
  return kind === "end" || kind === "refused";
}

type Heeding = { state: State; line: Line; way: SocketWay; signal: AbortSignal };

function replyOf(heeding: Heeding, begun: Begun): HttpReply {
  let broken: HttpFailure | null = null;
  const body = bodyOf(heeding, begun, (failure) => {
    broken = failure;
  });
  const headers = { "content-type": "text/event-stream" };
  return { status: 200, headers, body, broke: () => broken };
}

async function* bodyOf(
  { state, line, way, signal }: Heeding,
  begun: Begun,
  broke: (failure: HttpFailure) => void,
): AsyncGenerator<Uint8Array, void> {
  let { isOver } = begun;
  try {
    for (const message of begun.messages) yield eventOf(message);
    while (!isOver) {
      const got = await line.socket.next(way.http.timeouts.idleMs, signal);
      if (got.kind === "broken") return broke(got.failure);
      // Known before it is handed on: who has the last event reads no further.
      isOver = isEnd(line.talk.hear(got.text));
      yield eventOf(got.text);
    }
  } finally {
    state.isBusy = false;
    // Half a reply cannot be called off, and nobody wants the rest.
    if (isOver) rest(state, line);
    else drop(state);
  }
}

/** The message as a server-sent event; JSON may be written over several lines. */
function eventOf(message: string): Uint8Array {
  const lines = message.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return Buffer.from(`${lines.join("")}\n`);
}

function plainReply(status: number): HttpReply {
  return { status, headers: {}, body: nothing(), broke: () => null };
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

/** Stays open for the next request, for a while. */
function rest(state: State, line: Line): void {
  line.isWarm = true;
  line.idle = setTimeout(() => drop(state), IDLE_MS);
  line.idle.unref();
}

function drop(state: State): void {
  clearTimeout(state.line?.idle);
  state.line?.socket.close();
  state.line = null;
}
