// A model server for tests: plays Chat Completions replies over raw sockets, records requests, and fails on demand at a given byte.
import { createServer, type Socket } from "node:net";

export type ReplayStep =
  | { text: string }
  | { reasoning: string }
  /** A tool call whose arguments arrive in so many fragments. */
  | { call: { id: string; name: string; arguments: string }; fragments?: number };

export type ReplayTurn = {
  steps?: ReplayStep[];
  usage?: Record<string, unknown>;
  /** The finish reason; null leaves it out. Left out: `tool_calls` after calls, else `stop`. */
  finish?: string | null;
  /** False leaves the closing `[DONE]` out. */
  done?: boolean;
  /** Instead of steps: the body as it is. */
  body?: string | Uint8Array;
  status?: number;
  headers?: Record<string, string>;
  /** The reply waits for this. */
  after?: Promise<unknown>;
  /** Bytes per write; left out: the body in one. */
  chunk?: number;
  /** What happens once so many bytes of the body were sent; `at` -1 is before the reply's first line. */
  fault?: { at: number; kind: "cut" | "stall" | "reset" | "garble" };
};

export type ReplayRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
};

export type ReplayServer = AsyncDisposable & {
  /** Base URL without a slash at its end. */
  url: string;
  requests: ReplayRequest[];
  /** Connections that were opened, and those that are still open. */
  connections(): { opened: number; open: number };
};

/** How far the server is: in the reply to which request (from 1), and how many bytes of its body were sent. */
export type ReplayProgress = { request: number; bytes: number };

/** Each request gets the next turn; one too many gets a 500. `onProgress` is called when a request came and for each piece sent. */
export async function replayServer(
  turns: ReplayTurn[],
  onProgress: (progress: ReplayProgress) => void = () => undefined,
): Promise<ReplayServer> {
  const requests: ReplayRequest[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    // The client may go away at any time: that is its right.
    socket.on("error", () => socket.destroy());
    receive(socket, (request) => {
      requests.push(request);
      const count = requests.length;
      const turn = turns[count - 1];
      onProgress({ request: count, bytes: 0 });
      void answer(
        socket,
        turn ?? { status: 500, body: '{"error":{"message":"script exhausted"}}' },
        (bytes) => onProgress({ request: count, bytes }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    connections: () => ({ opened, open: sockets.size }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body of a chat reply as server-sent events. */
export function chatBody(turn: ReplayTurn): string {
  const deltas = (turn.steps ?? []).flatMap(deltasOf);
  const hasCalls = (turn.steps ?? []).some((step) => "call" in step);
  const usual = hasCalls ? "tool_calls" : "stop";
  const finish = turn.finish === undefined ? usual : turn.finish;
  const chunks: unknown[] = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
  if (finish !== null) chunks.push({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  if (turn.usage) chunks.push({ choices: [], usage: turn.usage });
  const frames = chunks.map((chunk) => sseFrame(chunk));
  return frames.join("") + (turn.done === false ? "" : "data: [DONE]\n\n");
}

function sseFrame(chunk: unknown): string {
  const base = { id: "chatcmpl-test", object: "chat.completion.chunk", model: "served-model" };
  return `data: ${JSON.stringify(Object.assign(base, chunk))}\n\n`;
}

function deltasOf(step: ReplayStep, at: number): unknown[] {
  if ("text" in step) return [{ content: step.text }];
  if ("reasoning" in step) return [{ reasoning_content: step.reasoning }];
  const { id, name, arguments: args } = step.call;
  const size = Math.max(1, Math.ceil(args.length / (step.fragments ?? 1)));
  const deltas: unknown[] = [
    { tool_calls: [{ index: at, id, type: "function", function: { name, arguments: "" } }] },
  ];
  for (let from = 0; from < args.length; from += size) {
    deltas.push({
      tool_calls: [{ index: at, function: { arguments: args.slice(from, from + size) } }],
    });
  }
  return deltas;
}

function receive(socket: Socket, emit: (request: ReplayRequest) => void): void {
  let pending = Buffer.alloc(0);
  socket.on("data", (piece) => {
    pending = Buffer.concat([pending, Buffer.from(piece)]);
    for (let end = pending.indexOf("\r\n\r\n"); end >= 0; end = pending.indexOf("\r\n\r\n")) {
      const [first = "", ...lines] = pending.subarray(0, end).toString().split("\r\n");
      const [method = "", path = ""] = first.split(" ");
      const headers = Object.fromEntries(
        lines.map((line): [string, string] => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const from = end + 4;
      const size = Number(headers["content-length"] ?? 0);
      if (pending.length < from + size) return;
      emit({ method, path, headers, body: pending.subarray(from, from + size).toString() });
      pending = pending.subarray(from + size);
    }
  });
}

async function answer(
  socket: Socket,
  turn: ReplayTurn,
  onSent: (bytes: number) => void,
): Promise<void> {
  const { fault } = turn;
  await turn.after;
  if (fault && fault.at < 0) return breakOff(socket, fault.kind);
  const body = Buffer.from(turn.body ?? chatBody(turn));
  socket.write(headOf(turn));
  const sent = body.subarray(0, fault?.at ?? body.length);
  await writePieces(socket, sent, { chunk: turn.chunk, onSent });
  if (fault) breakOff(socket, fault.kind);
  else socket.write("0\r\n\r\n");
}

function headOf(turn: ReplayTurn): string {
  const headers = {
    "content-type": turn.body === undefined ? "text/event-stream" : "application/json",
    "transfer-encoding": "chunked",
    ...turn.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${turn.status ?? 200} Reply\r\n${lines.join("")}\r\n`;
}

async function writePieces(
  socket: Socket,
  body: Buffer,
  { chunk, onSent }: { chunk: number | undefined; onSent: (bytes: number) => void },
): Promise<void> {
  const size = chunk ?? Math.max(1, body.length);
  for (let from = 0; from < body.length; from += size) {
    const piece = body.subarray(from, from + size);
    const head = Buffer.from(`${piece.length.toString(16)}\r\n`);
    socket.write(Buffer.concat([head, piece, Buffer.from("\r\n")]));
    onSent(from + piece.length);
    // Lets the piece leave by itself.
    if (chunk !== undefined) await Bun.sleep(0);
  }
}

function breakOff(socket: Socket, kind: "cut" | "stall" | "reset" | "garble"): void {
  if (kind === "cut") socket.end();
  if (kind === "reset") socket.resetAndDestroy();
  if (kind === "garble") socket.end(Buffer.from([0xff, 0x00, 0xfe, 0x7b, 0x0a, 0x0d, 0x0a]));
}
