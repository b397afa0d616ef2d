// The HTTP client against a real server that misbehaves: each fault is one clear value, and nothing hangs or throws.
import { describe, expect, test } from "bun:test";
import { DEFAULT_HTTP, send, type HttpOptions, type HttpResult } from "../../src/wire/http.ts";
import { collect } from "../support/collect.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";
import { until } from "../support/until.ts";

const never = new AbortController().signal;

function request(
  url: string,
  options: Partial<HttpOptions> = {},
  signal = never,
): Promise<HttpResult> {
  const headers = { authorization: "Bearer sekrit" };
  return send(
    { url, method: "POST", headers, body: "{}" },
    { ...DEFAULT_HTTP, ...options },
    signal,
  );
}

const quick = { timeouts: { firstByteMs: 40, idleMs: 40 } };

/** The text that came, and how it ended. */
async function exchange(turn: ReplayTurn, options: Partial<HttpOptions> = {}) {
  await using server = await replayServer([turn]);
  const sent = await request(`${server.url}/v1`, options);
  const host = new URL(server.url).host;
  if (!sent.ok) return { failure: withoutPort(sent.failure, host) };
  const text = Buffer.concat(await collect(sent.reply.body)).toString();
  const broke = sent.reply.broke();
  return { status: sent.reply.status, text, broke: broke && withoutPort(broke, host) };
}

function withoutPort<T extends { message: string }>(failure: T, host: string): T {
  return { ...failure, message: failure.message.replace(host, "HOST") };
}

/** Takes one piece and stops listening. */
async function firstPiece(body: AsyncGenerator<Uint8Array>): Promise<void> {
  await body.next();
  await body.return(undefined);
}

const CLOSED = "HOST closed the connection before the reply was complete";

describe("send", () => {
  test("gives status, headers and the whole body", async () => {
    await using server = await replayServer([
      { status: 418, headers: { "X-Note": "tea" }, body: "short" },
    ]);
    const sent = await request(`${server.url}/v1/chat?x=1`);
    if (!sent.ok) throw new Error(sent.failure.message);
    expect(sent.reply.status).toBe(418);
    expect(sent.reply.headers["x-note"]).toBe("tea");
    expect(Buffer.concat(await collect(sent.reply.body)).toString()).toBe("short");
    expect(sent.reply.broke()).toBeNull();
    const [seen] = server.requests;
    expect([seen?.method, seen?.path, seen?.body]).toEqual(["POST", "/v1/chat?x=1", "{}"]);
    expect(seen?.headers["authorization"]).toBe("Bearer sekrit");
  });

  test("does not follow a redirect", async () => {
    await using other = await replayServer([]);
    await using server = await replayServer([
      { status: 307, headers: { location: other.url }, body: "" },
    ]);
    const sent = await request(server.url);
    expect(sent.ok && sent.reply.status).toBe(307);
    expect(other.requests).toEqual([]);
    if (sent.ok) await collect(sent.reply.body);
  });

  test("uses one connection for requests whose bodies were read to the end", async () => {
    await using server = await replayServer([{ body: "1" }, { body: "2" }]);
    for (const _ of [1, 2]) {
      const sent = await request(server.url);
      if (sent.ok) await collect(sent.reply.body);
    }
    expect(server.connections().opened).toBe(1);
  });

  test("keeps the connection when the reader stops at the last event but before the end", async () => {
    await using server = await replayServer([{ body: "data" }, { body: "2" }]);
    for (const _ of [1, 2]) {
      const sent = await request(server.url);
      if (sent.ok) await firstPiece(sent.reply.body);
    }
    expect(server.connections().opened).toBe(1);
  });

  test("cuts the connection when the reader stops and the server goes on", async () => {
    await using server = await replayServer([{ body: "some", fault: { at: 4, kind: "stall" } }]);
    const sent = await request(server.url);
    if (sent.ok) await firstPiece(sent.reply.body);
    await until("the connection is closed", () => server.connections().open === 0);
  });
});

describe("a fault", () => {
  test("nobody listens", async () => {
    const server = await replayServer([]);
    await server[Symbol.asyncDispose]();
    const sent = await request(`${server.url}/secret-path?key=sekrit`);
    const { host } = new URL(server.url);
    expect(sent).toEqual({
      ok: false,
      failure: {
        kind: "refused",
        message: `${host} refused the connection; is the server running?`,
      },
    });
  });

  test("a host that does not exist", async () => {
    const sent = await request("http://no-such-host.invalid/v1");
    expect(sent.ok ? null : sent.failure.kind).toBe("dns");
    expect(sent.ok ? "" : sent.failure.message).toContain("no-such-host.invalid");
  });

  test("a proxy that is down is named without its password", async () => {
    const before = process.env["HTTP_PROXY"];
    const closed = await replayServer([]);
    await closed[Symbol.asyncDispose]();
    const proxy = new URL(closed.url).host;
    const environment = { HTTP_PROXY: `http://user:sekrit@${proxy}` };
    process.env["HTTP_PROXY"] = environment.HTTP_PROXY;
    const sent = await request("http://example.invalid/v1", { environment });
    if (before === undefined) delete process.env["HTTP_PROXY"];
    else process.env["HTTP_PROXY"] = before;
    expect(sent).toEqual({
      ok: false,
      failure: {
        kind: "refused",
        message: `example.invalid through the proxy ${proxy} refused the connection; is the server running?`,
      },
    });
  });

  test("TLS spoken to a server without it", async () => {
    await using server = await replayServer([{ body: "" }]);
    const sent = await request(server.url.replace("http:", "https:"), quick);
    expect(sent.ok ? null : ["tls", "timeout"].includes(sent.failure.kind)).toBe(true);
  });

  test.each(["http://", "ftp://127.0.0.1/x", "no url"])("%p as URL", async (url) => {
    const sent = await request(url);
    expect(sent.ok ? null : sent.failure.kind).toBe("invalid");
  });

  test("a key that no header can carry", async () => {
    const headers = { authorization: "Bearer sek\nrit" };
    const bad = { url: "http://127.0.0.1:9", method: "POST", headers, body: null } as const;
    const sent = await send(bad, DEFAULT_HTTP, never);
    expect(sent.ok ? null : sent.failure.kind).toBe("invalid");
    expect(JSON.stringify(sent)).not.toContain("sek");
  });

  test("closed before the reply", async () => {
    const seen = await exchange({ fault: { at: -1, kind: "cut" } });
    expect(seen).toEqual({ failure: { kind: "reset", message: CLOSED } });
  });

  test("reset before the reply", async () => {
    const seen = await exchange({ fault: { at: -1, kind: "reset" } });
    expect(seen).toEqual({ failure: { kind: "reset", message: CLOSED } });
  });

  test("something that is not HTTP", async () => {
    const seen = await exchange({ fault: { at: -1, kind: "garble" } });
    expect("failure" in seen && seen.failure.kind).toBe("reset");
  });

  test("no reply in time", async () => {
    const seen = await exchange({ fault: { at: -1, kind: "stall" } }, quick);
    expect(seen).toEqual({
      failure: { kind: "timeout", message: "HOST did not answer for 0.04 s" },
    });
  });

  test("silence in the body", async () => {
    const seen = await exchange({ body: "abcdef", fault: { at: 3, kind: "stall" } }, quick);
    expect(seen).toEqual({
      status: 200,
      text: "abc",
      broke: { kind: "timeout", message: "HOST sent nothing more for 0.04 s" },
    });
  });

  test.each(["cut", "reset", "garble"] as const)("%s at each byte of the body", async (kind) => {
    const body = "0123456789";
    for (let at = 0; at < body.length; at += 1) {
      const seen = await exchange({ body, chunk: 1, fault: { at, kind } });
      if ("failure" in seen) {
        expect(seen.failure.kind).toBe("reset");
        continue;
      }
      expect(body).toStartWith(seen.text);
      expect(seen.broke?.kind).toBe("reset");
    }
  });

  test("a compressed body that is damaged", async () => {
    const seen = await exchange({ body: "no gzip", headers: { "content-encoding": "gzip" } });
    const failure = "failure" in seen ? seen.failure : seen.broke;
    expect(failure).toEqual({
      kind: "reset",
      message: "HOST sent a compressed body that is damaged",
    });
  });
});

describe("stopping", () => {
  test("before the request sends nothing", async () => {
    await using server = await replayServer([{ body: "" }]);
    const sent = await request(server.url, {}, AbortSignal.abort());
    expect(sent.ok ? null : sent.failure.kind).toBe("aborted");
    expect(server.requests).toEqual([]);
  });

  test("while waiting for the reply", async () => {
    await using server = await replayServer([{ fault: { at: -1, kind: "stall" } }]);
    const controller = new AbortController();
    const pending = request(server.url, {}, controller.signal);
    await until("the request is there", () => server.requests.length === 1);
    controller.abort();
    const sent = await pending;
    expect(sent.ok ? null : sent.failure.kind).toBe("aborted");
    await until("the connection is closed", () => server.connections().open === 0);
  });

  test("in the middle of the body", async () => {
    await using server = await replayServer([{ body: "abc", fault: { at: 3, kind: "stall" } }]);
    const controller = new AbortController();
    const sent = await request(server.url, {}, controller.signal);
    if (!sent.ok) throw new Error(sent.failure.message);
    const got: string[] = [];
    for await (const bytes of sent.reply.body) {
      got.push(Buffer.from(bytes).toString());
      controller.abort();
    }
    expect(got).toEqual(["abc"]);
    expect(sent.reply.broke()?.kind).toBe("aborted");
    await until("the connection is closed", () => server.connections().open === 0);
  });
});

describe("the time to connect", () => {
  test.skipIf(process.platform !== "linux")(
    "ends a request that nobody accepts, long before the time for an answer",
    async () => {
      await using full = await fullDoor();
      const timeouts = { connectMs: 90, firstByteMs: 60_000, idleMs: 60_000 };
      const sent = await request(`http://127.0.0.1:${full.port}/`, { timeouts });
      expect(sent).toEqual({
        ok: false,
        failure: {
          kind: "timeout",
          message: `127.0.0.1:${full.port} accepted no connection for 0.09 s; check the network`,
        },
      });
    },
  );

  test("does not end one whose server only thinks", async () => {
    const thinking = Promise.withResolvers<void>();
    await using server = await replayServer([{ body: "at last", after: thinking.promise }]);
    const timeouts = { connectMs: 30, firstByteMs: 60_000, idleMs: 60_000 };
    const asked = request(server.url, { timeouts });
    // The request's own connection, and the one that only looked whether anybody is there.
    await until("somebody looked", () => server.connections().opened === 2);
    await until("and went", () => server.connections().open === 1);
    thinking.resolve();
    const sent = await asked;
    expect(sent.ok && Buffer.concat(await collect(sent.reply.body)).toString()).toBe("at last");
  });
});

/** A port whose queue is full: the system drops what comes, as a wall on the way would. */
async function fullDoor(): Promise<AsyncDisposable & { port: number }> {
  const listener = `
    const server = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { data() {} } });
    console.log(server.port);
  `;
  const child = Bun.spawn([process.execPath, "-e", listener], { stdout: "pipe" });
  const read = await child.stdout.getReader().read();
  const port = Number(Buffer.from(read.value ?? []).toString());
  child.kill("SIGSTOP");
  let waiting = 0;
  const queue = Math.min(512, Number(await Bun.file("/proc/sys/net/core/somaxconn").text()));
  for (let count = 0; count < queue + 20; count += 1) {
    void knockAt(port).then((isOpen) => (waiting += Number(isOpen)));
  }
  await until("the queue is full", () => waiting > queue);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function knockAt(port: number): Promise<boolean> {
  const socket = { data: () => undefined, error: () => undefined };
  return Bun.connect({ hostname: "127.0.0.1", port, socket }).then(
    () => true,
    () => false,
  );
}
