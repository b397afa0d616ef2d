// The Responses API in tests, over HTTP and WebSocket: what breaks a rule is refused and noted, and faults come on demand.
import type { Server, ServerWebSocket } from "bun";
import {
  inputItem,
  replyId,
  responsesBody,
  responsesEvents,
  type ResponsesReply,
  type StreamEvent,
} from "./responses-reply.ts";
import { conversationFaults, readRequest, type InputItem } from "./responses-request.ts";

/** What befalls a request over a WebSocket, instead of a reply. */
export type SocketFault =
  | "closed at once"
  | "closed before output"
  | "closed in the text"
  | "stalled in the text"
  | "reply forgotten"
  | "connection too old";

export type Turn = ResponsesReply | { fault: SocketFault } | { error: StreamEvent };

export type ResponsesAsked = {
  over: "http" | "websocket";
  /** The number of the connection, for a WebSocket. */
  connection: number | null;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  text: string;
};

export type ResponsesServer = AsyncDisposable & {
  url: string;
  requests: ResponsesAsked[];
  complaints: string[];
  /** Handshakes, refused ones too. */
  handshakes: Record<string, string>[];
  /** Ends the WebSockets that are open, and waits until they are. */
  closeSockets(): Promise<void>;
};

type Held = { connection: number; headers: Record<string, string>; said: Said | null };
/** What the connection holds of the last reply. */
type Said = { id: string; input: InputItem[]; reply: ResponsesReply };
type Socket = ServerWebSocket<Held>;

/** Each request gets the next turn. `upgrade` is the status with which a handshake is answered. */
export function responsesServer(turns: readonly Turn[], { upgrade = 101 } = {}): ResponsesServer {
  const requests: ResponsesAsked[] = [];
  const complaints: string[] = [];
  const handshakes: Record<string, string>[] = [];
  const before: ResponsesReply[] = [];
  const sockets = new Set<Socket>();
  const gone: (() => void)[] = [];

  /** The turn for a request, or what it is refused with. */
  const turnFor = (asked: ResponsesAsked, said: Said | null): Answer => {
    const at = requests.push(asked) - 1;
    const turn = turns[at];
    const read = readRequest(asked.over, asked.body);
    const input = Array.isArray(read) ? [] : wholeInput(read, said);
    const wrong = Array.isArray(read) ? read : faultsOf(input, before);
    if ((asked.headers["authorization"] ?? "") === "") wrong.push("it has a key");
    if (turn === undefined) wrong.push("one request more than was expected");
    complaints.push(...wrong.map((what) => `request ${at + 1}: ${what}`));
    if (turn === undefined || wrong.length > 0) return { kind: "refused", wrong };
    if ("items" in turn) before.push(turn);
    return { kind: "turn", turn, at, input: input ?? [] };
  };

  const server: Server<Held> = Bun.serve<Held>({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request, self) {
      const headers = Object.fromEntries(request.headers);
      if (new URL(request.url).pathname !== "/v1/responses")
        return new Response("", { status: 404 });
      if (request.method === "GET") {
        const connection = handshakes.push(headers);
        const held = { connection, headers, said: null };
        if (upgrade === 101 && self.upgrade(request, { data: held })) return undefined;
        return new Response("no", { status: upgrade });
      }
      const text = await request.text();
      const asked = { over: "http", connection: null, headers, body: parsed(text), text } as const;
      return answer(turnFor(asked, null));
    },
    websocket: {
      open: (socket) => void sockets.add(socket),
      close(socket) {
        sockets.delete(socket);
        for (const told of gone.splice(0)) told();
      },
      message(socket, message) {
        const { connection, headers, said } = socket.data;
        const text = String(message);
        const asked = { over: "websocket", connection, headers, body: parsed(text), text } as const;
        play(socket, turnFor(asked, said));
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    requests,
    complaints,
    handshakes,
    async closeSockets() {
      const closed = [...sockets].map(() => new Promise<void>((resolve) => gone.push(resolve)));
      for (const socket of sockets) socket.close(1001);
      await Promise.all(closed);
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

type Answer =
  | { kind: "refused"; wrong: string[] }
  | { kind: "turn"; turn: Turn; at: number; input: InputItem[] };

/** With what the connection holds already; null where it holds nothing of that name. */
function wholeInput(
  { input, previous }: { input: InputItem[]; previous: string | null },
  said: Said | null,
): InputItem[] | null {
  if (previous === null) return input;
  if (said?.id !== previous) return null;
  const own = readRequest("http", {
    model: "m",
    store: false,
    stream: true,
    input: said.reply.items.map(inputItem),
  });
  return Array.isArray(own) ? null : [...said.input, ...own.input, ...input];
}

function faultsOf(input: InputItem[] | null, before: readonly ResponsesReply[]): string[] {
  if (input === null) return ["it continues what this connection does not hold"];
  return conversationFaults(input, before);
}

function answer(given: Answer): Response {
  if (given.kind === "refused") return refusal({ message: given.wrong.join("; ") });
  const { turn, at } = given;
  if ("error" in turn) return refusal(turn.error);
  if (!("items" in turn)) return refusal({ message: "a fault of WebSockets over HTTP" });
  return new Response(responsesBody(turn, at), {
    headers: { "content-type": "text/event-stream" },
  });
}

function refusal(error: object): Response {
  return Response.json({ error }, { status: 400 });
}

function play(socket: Socket, given: Answer): void {
  const say = (event: StreamEvent): void => void socket.send(JSON.stringify(event));
  if (given.kind === "refused") {
    return say({ type: "error", status: 400, error: { message: given.wrong.join("; ") } });
  }
  const { turn, at, input } = given;
  if ("error" in turn) say(turn.error);
  else if ("fault" in turn) {
    socket.data.said = null;
    befall(socket, turn.fault, say);
  } else {
    socket.data.said = { id: replyId(at), input, reply: turn };
    for (const event of responsesEvents(turn, at)) say(event);
    // Not of the reply, though it comes on the same connection.
    say({ type: "codex.rate_limits", plan: "x" });
  }
}

/** So many events of a reply, and one half of its text has been said. */
const FIRST_WORD = 5;

function befall(socket: Socket, fault: SocketFault, say: (event: StreamEvent) => void): void {
  const text = responsesEvents({ items: [{ type: "message", text: "Half a" }] });
  const refused = (code: string): StreamEvent => ({
    type: "error",
    status: 400,
    error: { type: "invalid_request_error", code, message: code },
  });
  switch (fault) {
    case "closed at once":
      return socket.terminate();
    case "closed before output":
      for (const event of text.slice(0, 3)) say(event);
      return socket.close(1011, "gone");
    case "closed in the text":
      for (const event of text.slice(0, FIRST_WORD)) say(event);
      return socket.close(1011, "gone");
    case "stalled in the text":
      for (const event of text.slice(0, FIRST_WORD)) say(event);
      return;
    case "reply forgotten":
      return say(refused("previous_response_not_found"));
    case "connection too old":
      say(refused("websocket_connection_limit_reached"));
      return socket.close(1000, "old");
  }
}

function parsed(text: string): Record<string, unknown> {
  return JSON.parse(text);
}
