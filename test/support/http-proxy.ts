// A proxy for tests: tunnels every host to one port of this machine, answers plain requests itself, and may want a password.
import { connect, createServer, type Socket } from "node:net";

export type TestProxy = AsyncDisposable & {
  host: string;
  /** First line and credentials of every request. */
  seen: { line: string; auth: string | null }[];
};

/** `to` is where tunnels lead; `password`: `name:password` that it wants; `refusal`: what it answers instead. */
export async function testProxy(
  to: number,
  { password = null, refusal = null }: { password?: string | null; refusal?: string | null } = {},
): Promise<TestProxy> {
  const seen: TestProxy["seen"] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    let head = "";
    const onData = (piece: Buffer): void => {
      head += piece.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", onData);
      const [line = ""] = head.split("\r\n");
      const basic = /^proxy-authorization: basic (\S+)/im.exec(head)?.[1];
      const auth = basic === undefined ? null : Buffer.from(basic, "base64").toString();
      seen.push({ line, auth });
      if (refusal !== null) return void socket.end(refusal);
      if (password !== null && auth !== password) {
        return void socket.end("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n");
      }
      if (line.startsWith("CONNECT ")) return tunnel(socket, to, sockets);
      return void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain");
    };
    socket.on("data", onData);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    host: `127.0.0.1:${address.port}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tunnel(socket: Socket, port: number, sockets: Set<Socket>): void {
  const far = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.pipe(far);
    far.pipe(socket);
  });
  sockets.add(far);
  far.on("error", () => socket.destroy());
}
