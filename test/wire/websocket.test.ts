// A WebSocket as a line of messages: opened through what HTTP goes through, and every way it can end as a failure.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_HTTP, type HttpOptions } from "../../src/wire/http.ts";
import { openTrust } from "../../src/wire/tls.ts";
import { openSocket, type SocketLine } from "../../src/wire/websocket.ts";
import { authorityIn } from "../support/authority.ts";
import { testProxy } from "../support/http-proxy.ts";

const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), "burin-websocket-"));
const hasOpenssl = Bun.which("openssl") !== null;
/** Only a proxy could reach it. */
const AWAY = "api.invalid";

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Place = { port: number } | { unix: string };

/** Says what it was told, and the key that the handshake had; `bye` and `cut` end the line. */
function echo(place: Place = { port: 0 }, tls?: { cert: string; key: string }) {
  const server = Bun.serve<{ key: string }>({
    ...(tls === undefined ? {} : { tls }),
    ...("unix" in place ? { unix: place.unix } : { ...place, hostname: "127.0.0.1" }),
    fetch(request, self) {
      const key = request.headers.get("authorization") ?? "";
      if (new URL(request.url).pathname !== "/v1/x") return new Response("", { status: 404 });
      return self.upgrade(request, { data: { key } })
        ? undefined
        : new Response("", { status: 426 });
    },
    websocket: {
      message(socket, message) {
        if (message === "bye") socket.close(1011, "no more");
        else if (message === "cut") socket.terminate();
        else if (message === "bytes") socket.send(Buffer.from("b\u00fctes"));
        else if (message !== "quiet") socket.send(`${String(message)} ${socket.data.key}`);
      },
    },
  });
  return { port: server.port ?? 0, [Symbol.asyncDispose]: () => server.stop(true) };
}

function open(url: string, options: Partial<HttpOptions> = {}, signal = never) {
  const request = { url, headers: { authorization: "k" } };
  return openSocket(request, { ...DEFAULT_HTTP, ...options }, signal);
}

async function lineTo(url: string, options: Partial<HttpOptions> = {}): Promise<SocketLine> {
  const opened = await open(url, options);
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.line;
}

async function asked(line: SocketLine, message: string, ms = 5000, signal = never) {
  line.send(message);
  const got = await line.next(ms, signal);
  return got.kind === "message" ? got.text : `${got.failure.kind}: ${got.failure.message}`;
}

describe("a line", () => {
  test("carries messages both ways, in their order, as text", async () => {
    await using server = echo();
    const line = await lineTo(`http://127.0.0.1:${server.port}/v1/x`);
    line.send("one");
    line.send("two");
    expect([await asked(line, "bytes"), await line.next(0, never), line.isOpen()]).toEqual([
      "one k",
      { kind: "message", text: "two k" },
      true,
    ]);
    expect(await line.next(0, never)).toEqual({ kind: "message", text: "b\u00fctes" });
    line.close();
    expect((await line.next(0, never)).kind).toBe("broken");
  });

  test.each([
    ["bye", "reset: 127.0.0.1:PORT closed the WebSocket before the reply was complete (code 1011)"],
    ["cut", "reset: 127.0.0.1:PORT closed the WebSocket before the reply was complete (code 1006)"],
  ])("that the server ends (%s) has a failure, and is closed", async (message, said) => {
    await using server = echo();
    const line = await lineTo(`http://127.0.0.1:${server.port}/v1/x`);
    expect(await asked(line, message)).toBe(said.replace("PORT", String(server.port)));
    expect(line.isOpen()).toBe(false);
  });

  test("on which nothing comes ends when the time is up", async () => {
    await using server = echo();
    const line = await lineTo(`http://127.0.0.1:${server.port}/v1/x`);
    const said = await asked(line, "quiet", 20);
    expect(said).toBe(`timeout: 127.0.0.1:${server.port} sent nothing for 0.02 s`);
    expect(line.isOpen()).toBe(false);
  });

  test("ends when it is stopped, while it waits and before", async () => {
    await using server = echo();
    const url = `http://127.0.0.1:${server.port}/v1/x`;
    const line = await lineTo(url);
    const stop = new AbortController();
    const waiting = asked(line, "quiet", 0, stop.signal);
    stop.abort();
    expect(await waiting).toBe("aborted: the request was stopped");
    expect(await open(url, {}, stop.signal)).toMatchObject({ ok: false, status: null });
  });
});

describe("a line cannot be had", () => {
  test("from a server that answers with something else", async () => {
    await using server = echo();
    expect(await open(`http://127.0.0.1:${server.port}/other`)).toEqual({
      ok: false,
      status: 404,
      failure: {
        kind: "refused",
        message: `127.0.0.1:${server.port} answers with HTTP 404 instead of opening a WebSocket`,
      },
    });
  });

  test.each([
    ["http://127.0.0.1:1/v1/x", "refused", "127.0.0.1:1 refused the connection"],
    ["http://nothing.invalid/v1/x", "dns", "nothing.invalid was not found"],
    ["http://", "invalid", "the server has a URL that cannot be used"],
  ])("at %s", async (url, kind, said) => {
    const opened = await open(url);
    expect(opened).toMatchObject({ ok: false, status: null, failure: { kind } });
    if (!opened.ok) expect(opened.failure.message).toStartWith(said);
  });

  test("from a server that never answers", async () => {
    const sockets = new Set<{ end(): void }>();
    const silent = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { open: (socket) => void sockets.add(socket), data: () => undefined },
    });
    const timeouts = { ...DEFAULT_HTTP.timeouts, connectMs: 30 };
    const opened = await open(`http://127.0.0.1:${silent.port}/v1/x`, { timeouts });
    silent.stop(true);
    expect(opened).toMatchObject({ ok: false, failure: { kind: "timeout" } });
  });
});

describe("a line goes", () => {
  test("through the proxy of the settings or the variables, with its password", async () => {
    await using server = echo();
    await using proxy = await testProxy(server.port, { password: "me:pw" });
    const url = `http://${AWAY}/v1/x`;
    const through = `http://me:pw@${proxy.host}`;
    const lines = [
      await lineTo(url, { proxy: through }),
      await lineTo(url, { environment: { HTTP_PROXY: through } }),
    ];
    for (const line of lines) expect(await asked(line, "hi")).toBe("hi k");
    expect(proxy.seen.map(({ auth }) => auth)).toEqual(["me:pw", "me:pw"]);
    for (const line of lines) line.close();
  });

  test("to a socket of the file system", async () => {
    const path = join(folder, "s.sock");
    await using _ = echo({ unix: path });
    const line = await lineTo(`http+unix://${encodeURIComponent(path)}/v1/x`);
    expect(await asked(line, "hi")).toBe("hi k");
    line.close();
  });

  test.skipIf(!hasOpenssl)("to a server whose authority is known, and to no other", async () => {
    const authority = authorityIn(join(folder, "ca"));
    await using server = echo({ port: 0 }, authority.issue("DNS:localhost"));
    const url = `https://localhost:${server.port}/v1/x`;
    const trusting = (authorities: string | null, system: string[] = []) => ({
      trust: openTrust(
        { isInsecure: false, authorities },
        { known: () => Promise.resolve([]), system: () => Promise.resolve(system) },
      ),
    });
    expect(await open(url, trusting(null))).toMatchObject({ ok: false, failure: { kind: "tls" } });
    for (const options of [trusting(authority.pem), trusting(null, [authority.pem])]) {
      const line = await lineTo(url, options);
      expect(await asked(line, "hi")).toBe("hi k");
      line.close();
    }
  });
});

test("a debug log shows the handshake without its secrets", async () => {
  await using server = echo();
  const lines: string[] = [];
  const line = await lineTo(`http://127.0.0.1:${server.port}/v1/x`, {
    trace: (text) => void lines.push(text),
  });
  line.close();
  expect(lines.join("")).toContain(`→ GET http://127.0.0.1:${server.port}/v1/x`);
  expect(lines.join("")).toContain("authorization: •••");
  expect(lines.join("")).toContain("← HTTP 101");
});
