// What every test can rely on: a HOME of its own, no variable of the developer, no connection that leaves the machine.
import { describe, expect, test } from "bun:test";
import { connect as connectTls } from "node:tls";
import { get } from "node:http";
import { connect } from "node:net";
import { isLoopback } from "./loopback.ts";
import { replayServer } from "./replay-server.ts";
import { tempTree } from "./temp-tree.ts";

const PRELOAD = `${import.meta.dir}/preload.ts`;
/** Of a network kept for documents: nobody answers there. */
const ELSEWHERE = "192.0.2.1";
const REFUSED = `a test wanted to connect to ${ELSEWHERE}: tests reach only the loopback interface`;

describe("a connection that leaves the machine is refused", () => {
  test.each<[string, () => unknown]>([
    ["fetch", () => fetch(`http://${ELSEWHERE}/`)],
    ["fetch of a Request", () => fetch(new Request(`https://${ELSEWHERE}/`))],
    ["Bun.connect", () => Bun.connect({ hostname: ELSEWHERE, port: 80, socket: { data() {} } })],
    ["node:net", () => connect(80, ELSEWHERE)],
    ["node:net with options", () => connect({ port: 80, host: ELSEWHERE })],
    ["node:tls", () => connectTls({ port: 443, host: ELSEWHERE })],
    ["node:http", () => get(`http://${ELSEWHERE}/`)],
  ])("%s", async (_name, open) => {
    // In a promise, so that what is thrown at once and what comes later are seen alike.
    const failure = await Promise.try(open).then(() => "it was opened", String);
    expect(failure).toBe(`Error: ${REFUSED}`);
  });

  test.each(["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])(
    "%s is this machine",
    (host) => expect(isLoopback(host)).toBe(true),
  );

  test.each(["127.0.0.1.example", "localhost.example", "1270.0.0.1", "::2", "10.0.0.1", ""])(
    "%j is not",
    (host) => expect(isLoopback(host)).toBe(false),
  );
});

test("a connection to the machine itself is made", async () => {
  await using server = await replayServer([{ body: "one" }, { body: "two" }]);
  const { port } = new URL(server.url);
  const first = await (await fetch(server.url)).text();
  const { promise, resolve } = Promise.withResolvers<void>();
  connect(Number(port), "127.0.0.1").end().on("close", resolve).resume();
  await promise;
  expect({ first, opened: server.connections().opened }).toEqual({ first: "one", opened: 2 });
});

test("of the environment only a known list is left, and HOME is a scratch folder", async () => {
  using tree = tempTree();
  const given = { PATH: "/bin", LANG: "C", HOME: "/home/me", XDG_DATA_HOME: "/x", SOME_KEY: "x" };
  const child = Bun.spawn(
    [process.execPath, "--preload", PRELOAD, "-e", "console.log(JSON.stringify(process.env))"],
    { env: { ...given, TMPDIR: tree.root, HTTP_PROXY: "http://proxy" }, stdout: "pipe" },
  );
  expect(JSON.parse(await child.stdout.text())).toEqual({
    PATH: "/bin",
    LANG: "C",
    TMPDIR: tree.root,
    HOME: expect.stringContaining(`${tree.root}/burin-test-home-`),
  });
});
