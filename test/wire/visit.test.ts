// A look at a web page: what is reached, what is refused, and that nothing is read without a bound.
import { describe, expect, test } from "bun:test";
import { sentence } from "../../src/base/failure.ts";
import { isPublicAddress } from "../../src/wire/public-address.ts";
import { visit, type Visit, type Visited } from "../../src/wire/visit.ts";

const never = new AbortController().signal;
const MAX_BYTES = 10_000;

type Asked = { method: string; headers: Record<string, string> };
type Served = { url: string; requests: Asked[] } & AsyncDisposable;

function serve(answer: (request: Request, url: URL) => Response | Promise<Response>): Served {
  const requests: Asked[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const headers = Object.fromEntries(request.headers);
      requests.push({ method: request.method, headers });
      return answer(request, new URL(request.url));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function look(
  url: string,
  changes: Partial<Visit> = {},
  signal = never,
): Promise<Visited | string> {
  const wanted: Visit = {
    url,
    isAllowed: () => true,
    accept: "text/html",
    userAgent: "test",
    maxBytes: MAX_BYTES,
    environment: {},
    ...changes,
  };
  const visited = await visit(wanted, signal);
  return visited.ok ? visited.value : sentence(visited.failure);
}

const text = (visited: Visited | string): string =>
  typeof visited === "string" || visited.kind === "moved"
    ? JSON.stringify(visited)
    : Buffer.from(visited.bytes).toString();

test("a redirect to a port of another service is not followed, nor is its URL handed on", async () => {
  await using server = serve(() => Response.redirect("http://example.com:25/", 302));
  expect(await look(`${server.url}/`)).toBe(
    "port 25 belongs to another service than the web: nothing is fetched there",
  );
});

describe("a page", () => {
  test("is asked for once, by GET, without cookies or keys, and named as the URL has it", async () => {
    await using server = serve(
      () =>
        new Response("hello", { headers: { "content-type": "text/plain", "set-cookie": "a=b" } }),
    );
    const url = `${server.url.replace("127.0.0.1", "localhost")}/a?b=1#c`;
    expect(await look(url)).toEqual({
      kind: "page",
      url: url.replace("#c", ""),
      status: 200,
      contentType: "text/plain",
      bytes: Buffer.from("hello"),
      isCut: false,
    });
    const [request] = server.requests;
    expect(request).toEqual({
      method: "GET",
      headers: {
        accept: "text/html",
        "accept-encoding": "gzip",
        host: new URL(url).host,
        "user-agent": "test",
      },
    });
  });

  test("of an error is read like any other", async () => {
    await using server = serve(() => new Response("gone", { status: 404 }));
    expect(await look(server.url)).toMatchObject({ kind: "page", status: 404 });
  });

  test("is unpacked", async () => {
    const packed = Bun.gzipSync(Buffer.from("packed text"));
    await using server = serve(
      () => new Response(packed, { headers: { "content-encoding": "gzip" } }),
    );
    expect(text(await look(server.url))).toBe("packed text");
  });

  test("packed in a way that was not asked for is refused, and so is a damaged one", async () => {
    await using server = serve(
      (_, { pathname }) =>
        new Response("????????????????", { headers: { "content-encoding": pathname.slice(1) } }),
    );
    expect(await look(`${server.url}/br`)).toContain(
      "a body packed as br, which was not asked for",
    );
    expect(await look(`${server.url}/gzip`)).toContain("sent a body that is damaged");
  });
});

describe("no more is read than the bound", () => {
  test("of a body without an end", async () => {
    let sent = 0;
    await using server = serve(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              sent += 1000;
              controller.enqueue(Buffer.alloc(1000, 97));
            },
          }),
        ),
    );
    expect(await look(server.url)).toMatchObject({
      bytes: Buffer.alloc(MAX_BYTES, 97),
      isCut: true,
    });
    expect(sent).toBeLessThan(50_000_000);
  });

  test("of a small body that unpacks to a huge one", async () => {
    const bomb = Bun.gzipSync(Buffer.alloc(200_000_000));
    await using server = serve(
      () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
    );
    const before = process.memoryUsage().rss;
    expect(await look(server.url)).toMatchObject({ bytes: Buffer.alloc(MAX_BYTES), isCut: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });
});

describe("redirects", () => {
  test("are followed within a host, at most five", async () => {
    await using server = serve((_, { pathname, origin }) => {
      const left = Number(pathname.slice(1));
      return left === 0 ? new Response("here") : Response.redirect(`${origin}/${left - 1}`, 302);
    });
    expect(text(await look(`${server.url}/5`))).toBe("here");
    expect(await look(`${server.url}/6`)).toContain("redirects in circles");
  });

  test("to another host are told, not followed", async () => {
    await using other = serve(() => new Response("other"));
    await using server = serve(() => Response.redirect(`${other.url}/x`, 301));
    expect(await look(server.url)).toEqual({ kind: "moved", url: `${other.url}/x`, status: 301 });
    expect(other.requests).toEqual([]);
  });

  test.each(["file:///etc/passwd", "ftp://127.0.0.1/", "http://a:b@127.0.0.1/", "http://["])(
    "to %s lead nowhere",
    async (location) => {
      await using server = serve(() => new Response("", { status: 302, headers: { location } }));
      expect(await look(server.url)).toMatch(/only http and https|leave them out|is not a URL/);
    },
  );

  test("each hop is looked up and checked again: a name may lead elsewhere by then", async () => {
    await using server = serve((_, { origin }) => Response.redirect(`${origin}/next`, 307));
    let looks = 0;
    const isAllowed = (): boolean => ++looks === 1;
    expect(await look(server.url, { isAllowed })).toContain("which is never fetched");
    expect(server.requests).toHaveLength(1);
  });
});

describe("addresses", () => {
  test.each([
    "http://localhost/",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://[fd00:ec2::254]/",
    "http://0.0.0.0/",
  ])("%s is refused before anything is sent", async (url) => {
    expect(await look(url, { isAllowed: isPublicAddress })).toContain(
      "is an address of this machine or of a private network",
    );
  });

  test("the connection goes to the address that was checked, with the name's own Host header", async () => {
    await using server = serve((request) => new Response(request.headers.get("host")));
    const { port } = new URL(server.url);
    const checked: string[] = [];
    const isAllowed = (address: string): boolean => {
      checked.push(address);
      return address === "127.0.0.1";
    };
    expect(text(await look(`http://localhost:${port}/`, { isAllowed }))).toBe(`localhost:${port}`);
    expect(checked).toContain("127.0.0.1");
  });

  test("a name that does not exist is said to be unknown", async () => {
    expect(await look("http://nothing.invalid/")).toBe(
      "the host nothing.invalid was not found: check the name",
    );
  });
});

test("a stopped visit ends at once", async () => {
  await using server = serve(() => new Promise<Response>(() => undefined));
  const stop = new AbortController();
  const visited = look(server.url, {}, stop.signal);
  stop.abort();
  expect(await visited).toBe("stopped before it finished");
});
