// The way to the server, through the whole program: authorities, certificates, proxies, sockets.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authorityIn } from "../support/authority.ts";
import { home, ONCE } from "../support/binary.ts";
import { testProxy } from "../support/http-proxy.ts";
import { chatBody } from "../support/replay-server.ts";

const folder = mkdtempSync(join(tmpdir(), "burin-network-"));
const hasOpenssl = Bun.which("openssl") !== null;
const made: {
  ca: string;
  servers: { good: Bun.Server<undefined>; old: Bun.Server<undefined> } | null;
} = {
  ca: "",
  servers: null,
};
const AWAY = "https://api.invalid/v1";

function answer(): Response {
  const body = chatBody({ steps: [{ text: "hello" }] });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

beforeAll(() => {
  if (!hasOpenssl) return;
  const authority = authorityIn(join(folder, "ca"));
  const names = "DNS:localhost,DNS:api.invalid,IP:127.0.0.1";
  const serve = (from: number, to: number): Bun.Server<undefined> =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: authority.issue(names, from, to),
      fetch: answer,
    });
  made.ca = authority.path;
  made.servers = { good: serve(2020, 2120), old: serve(2010, 2011) };
});

afterAll(() => {
  void made.servers?.good.stop(true);
  void made.servers?.old.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

async function run(url: string, flags: string[] = [], env: Record<string, string> = {}) {
  using at = home();
  return await at.run(["-p", "x", "--base-url", url, "-m", "m", "--quiet", ...ONCE, ...flags], {
    env,
  });
}

function urlOf(name: "good" | "old"): string {
  return `https://localhost:${made.servers?.[name].port}/v1`;
}

describe.skipIf(!hasOpenssl)("a private authority", () => {
  test("is not accepted by itself", async () => {
    const ran = await run(urlOf("good"));
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("name its authority in NODE_EXTRA_CA_CERTS");
  });

  test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])("is accepted by %s", async (variable) => {
    expect(await run(urlOf("good"), [], { [variable]: made.ca })).toEqual({
      code: 0,
      out: "hello\n",
      err: "",
    });
  });

  test("is accepted by tls.ca of the provider", async () => {
    const ran = await run(urlOf("good"), ["--setting", `providers.custom.tls.ca=${made.ca}`]);
    expect(ran).toEqual({ code: 0, out: "hello\n", err: "" });
  });

  test("whose file is not there keeps the run from starting", async () => {
    const ran = await run(urlOf("good"), ["--setting", "providers.custom.tls.ca=/nowhere.pem"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("/nowhere.pem (tls.ca of custom) cannot be read");
  });

  test("does not help an expired certificate", async () => {
    const ran = await run(urlOf("old"), [], { NODE_EXTRA_CA_CERTS: made.ca });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("has a certificate that has expired");
  });

  test("--insecure-tls takes any certificate, and warns", async () => {
    using at = home();
    const flags = ["--base-url", urlOf("old"), "-m", "m", "--insecure-tls"];
    const ran = await at.run(["-p", "x", ...flags]);
    expect([ran.code, ran.out]).toEqual([0, "hello\n"]);
    expect(ran.err).toContain("burin: certificates of custom are not checked");
  });
});

describe.skipIf(!hasOpenssl)("a proxy", () => {
  test("of the environment is used, with its password", async () => {
    await using proxy = await testProxy(made.servers?.good.port ?? 0, { password: "me:pw" });
    const env = { NODE_EXTRA_CA_CERTS: made.ca, HTTPS_PROXY: `http://me:pw@${proxy.host}` };
    expect(await run(AWAY, [], env)).toEqual({ code: 0, out: "hello\n", err: "" });
    expect(proxy.seen).toEqual([{ line: "CONNECT api.invalid:443 HTTP/1.1", auth: "me:pw" }]);
  });

  test("of the settings goes before the environment's", async () => {
    await using proxy = await testProxy(made.servers?.good.port ?? 0);
    const env = { NODE_EXTRA_CA_CERTS: made.ca, HTTPS_PROXY: "http://127.0.0.1:1" };
    const setting = ["--setting", `providers.custom.proxy="http://${proxy.host}"`];
    expect((await run(AWAY, setting, env)).out).toBe("hello\n");
  });

  test("that is down is named, without its password", async () => {
    const ran = await run(AWAY, [], { ALL_PROXY: "http://me:sekrit@127.0.0.1:1" });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("api.invalid through the proxy 127.0.0.1:1 refused the connection");
    expect(ran.err).not.toContain("sekrit");
  });
});

test("a server behind a Unix socket answers", async () => {
  const unix = join(folder, "model.sock");
  const server = Bun.serve({ unix, fetch: answer });
  expect(await run(`unix:${unix}:/v1`)).toEqual({ code: 0, out: "hello\n", err: "" });
  await server.stop(true);
});
