// Certificates and proxies on the way to a server: a private authority, old and foreign certificates, tunnels, sockets.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_HTTP, send, type HttpOptions } from "../../src/wire/http.ts";
import { baseUrlOf, socketOf } from "../../src/wire/socket-url.ts";
import { openTrust, type TrustSettings } from "../../src/wire/tls.ts";
import { authorityIn, type Authority, type Certificate } from "../support/authority.ts";
import { collect } from "../support/collect.ts";
import { testProxy } from "../support/http-proxy.ts";

const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), "burin-tls-"));
const hasOpenssl = Bun.which("openssl") !== null;
const made: { authority?: Authority; servers: Record<string, Bun.Server<undefined>> } = {
  servers: {},
};
/** Of a host that does not exist: only a proxy could reach it. */
const AWAY = "api.invalid";

beforeAll(() => {
  if (!hasOpenssl) return;
  const authority = authorityIn(join(folder, "ca"));
  made.authority = authority;
  const mine = "DNS:localhost,IP:127.0.0.1,IP:::1";
  made.servers = {
    good: serve(authority.issue(`${mine},DNS:${AWAY}`)),
    wrong: serve(authority.issue("DNS:other.example")),
    old: serve(authority.issue(`${mine},DNS:${AWAY}`, 2010, 2011)),
  };
});

afterAll(() => {
  for (const server of Object.values(made.servers)) void server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

function serve(tls: Certificate): Bun.Server<undefined> {
  return Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: () => new Response("hello") });
}

function portOf(name: string): number {
  return made.servers[name]?.port ?? 0;
}

async function ask(url: string, options: Partial<HttpOptions> = {}): Promise<string> {
  const request = { url, method: "POST", headers: {}, body: "{}" } as const;
  const sent = await send(request, { ...DEFAULT_HTTP, ...options }, never);
  if (!sent.ok) return `${sent.failure.kind}: ${sent.failure.message}`;
  return Buffer.concat(await collect(sent.reply.body)).toString();
}

/** `system` is what the machine's own store would hold. */
function trusting(settings: Partial<TrustSettings>, system: string[] = []): Partial<HttpOptions> {
  const roots = { known: () => Promise.resolve([]), system: () => Promise.resolve(system) };
  return { trust: openTrust({ isInsecure: false, authorities: null, ...settings }, roots) };
}

const pem = (): string => made.authority?.pem ?? "";

describe.skipIf(!hasOpenssl)("a certificate", () => {
  test("of an unknown authority is refused, and the sentence says what to do", async () => {
    const said = await ask(`https://localhost:${portOf("good")}/`, trusting({}));
    expect(said).toBe(
      `tls: the certificate of localhost:${portOf("good")} was not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE); name its authority in NODE_EXTRA_CA_CERTS, or as tls.ca of the provider`,
    );
  });

  test("of an authority of the settings is accepted, by name and by address", async () => {
    const options = trusting({ authorities: pem() });
    const hosts = ["localhost", "127.0.0.1"];
    const said = await Promise.all(
      hosts.map((host) => ask(`https://${host}:${portOf("good")}/`, options)),
    );
    expect(said).toEqual(["hello", "hello"]);
  });

  test("of an authority in the system's store is accepted at the second try", async () => {
    const options = trusting({}, [pem()]);
    expect(await ask(`https://localhost:${portOf("good")}/`, options)).toBe("hello");
  });

  test("of another name", async () => {
    const options = trusting({ authorities: pem() });
    const { port } = new URL(`https://localhost:${portOf("wrong")}`);
    expect(await ask(`https://localhost:${port}/`, options)).toBe(
      `tls: localhost:${port} has a certificate for another name; check the URL`,
    );
  });

  test("that has expired", async () => {
    const options = trusting({ authorities: pem() });
    expect(await ask(`https://localhost:${portOf("old")}/`, options)).toBe(
      `tls: localhost:${portOf("old")} has a certificate that has expired; is the clock right?`,
    );
  });

  test.each(["good", "wrong", "old"])(
    "does not matter where all are accepted: %s",
    async (name) => {
      const options = trusting({ isInsecure: true });
      expect(await ask(`https://localhost:${portOf(name)}/`, options)).toBe("hello");
    },
  );

  test("is checked again for another provider after one was not", async () => {
    const url = `https://localhost:${portOf("wrong")}/`;
    await ask(url, trusting({ isInsecure: true }));
    expect(await ask(url, trusting({ authorities: pem() }))).toStartWith("tls: ");
  });
});

describe.skipIf(!hasOpenssl)("a proxy", () => {
  const through = (proxy: string): Partial<HttpOptions> => ({
    ...trusting({ authorities: pem() }),
    environment: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy },
  });

  test("opens a tunnel with name and password, and the certificate is the far host's", async () => {
    await using proxy = await testProxy(portOf("good"), { password: "me@x:p:w" });
    const said = await ask(`https://${AWAY}/`, through(`http://me%40x:p%3Aw@${proxy.host}`));
    expect([said, proxy.seen]).toEqual([
      "hello",
      [{ line: `CONNECT ${AWAY}:443 HTTP/1.1`, auth: "me@x:p:w" }],
    ]);
  });

  test("carries plain requests, too", async () => {
    await using proxy = await testProxy(0);
    expect(await ask(`http://${AWAY}/x`, through(`http://${proxy.host}`))).toBe("plain");
    expect(proxy.seen).toEqual([{ line: `POST http://${AWAY}/x HTTP/1.1`, auth: null }]);
  });

  test.each(["https", "http"])(
    "that wants a password says so, and its own is not told: %s",
    async (scheme) => {
      await using proxy = await testProxy(0, { password: "me:right" });
      const said = await ask(`${scheme}://${AWAY}/`, through(`http://me:sekrit@${proxy.host}`));
      expect(said).toBe(
        `invalid: ${AWAY} through the proxy ${proxy.host} cannot be reached: the proxy wants a name and a password (HTTP 407); put them in its URL, as http://NAME:PASSWORD@HOST`,
      );
    },
  );

  test("that refuses the tunnel", async () => {
    await using proxy = await testProxy(0, {
      refusal: "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n",
    });
    expect(await ask(`https://${AWAY}/`, through(`http://${proxy.host}`))).toBe(
      `refused: ${AWAY} through the proxy ${proxy.host} cannot be reached: the proxy refused the tunnel (HTTP 403)`,
    );
  });

  test("before a server with an expired certificate", async () => {
    await using proxy = await testProxy(portOf("old"));
    expect(await ask(`https://${AWAY}/`, through(`http://${proxy.host}`))).toBe(
      `tls: ${AWAY} through the proxy ${proxy.host} has a certificate that has expired; is the clock right?`,
    );
  });

  test("is passed by where NO_PROXY says so", async () => {
    await using proxy = await testProxy(portOf("good"));
    const options = through(`http://${proxy.host}`);
    const environment = { ...options.environment, NO_PROXY: "*.invalid" };
    expect(await ask(`https://${AWAY}/`, { ...options, environment })).toStartWith("dns: ");
    expect(proxy.seen).toEqual([]);
  });

  test("of a kind that is not known", async () => {
    expect(await ask(`https://${AWAY}/`, through("socks5://127.0.0.1:1"))).toBe(
      `invalid: ${AWAY} through the proxy 127.0.0.1:1 cannot be reached: only http:// and https:// proxies are supported`,
    );
  });
});

describe("a server of this machine", () => {
  test("behind a Unix socket", async () => {
    const unix = join(folder, "model 1.sock");
    const fetch = (request: Request): Response => new Response(new URL(request.url).pathname);
    const server = Bun.serve({ unix, fetch });
    const url = `${baseUrlOf(`unix:${unix}:/v1`)}/chat/completions`;
    expect(await ask(url, { environment: { ALL_PROXY: "http://proxy.invalid:1" } })).toBe(
      "/v1/chat/completions",
    );
    await server.stop(true);
  });

  test("whose socket is not there is named by it", async () => {
    const said = await ask(`${baseUrlOf(`unix:${folder}/none.sock`)}/v1`);
    expect(said).toBe(`refused: ${folder}/none.sock is not there; is the server running?`);
  });

  test("at an address of the sixth version", async () => {
    const server = Bun.serve({ port: 0, hostname: "::1", fetch: () => new Response("six") });
    expect(await ask(`http://[::1]:${server.port}/`)).toBe("six");
    await server.stop(true);
    expect(await ask(`http://[::1]:${server.port}/`)).toBe(
      `refused: [::1]:${server.port} refused the connection; is the server running?`,
    );
  });
});

test.each([
  ["unix:/run/x.sock:/v1", "http+unix://%2Frun%2Fx.sock/v1"],
  ["unix:/run/x.sock", "http+unix://%2Frun%2Fx.sock"],
  ["unix:///run/x.sock:/v1", "http+unix://%2Frun%2Fx.sock/v1"],
  ["http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"],
  ["unix:relative", "unix:relative"],
])("%s as a base URL", (written, url) => {
  expect(baseUrlOf(written)).toBe(url);
});

test("a socket's URL gives back the socket", () => {
  const url = "http+unix://%2Frun%2Fx.sock/v1?a=b";
  expect(socketOf(url)).toEqual({ socket: "/run/x.sock", url: "http://localhost/v1?a=b" });
});
