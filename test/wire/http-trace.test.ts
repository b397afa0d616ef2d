// What a debug log shows of requests and replies: both heads, and no secret in them.
import { expect, test } from "bun:test";
import { DEFAULT_HTTP, send } from "../../src/wire/http.ts";
import { collect } from "../support/collect.ts";
import { replayServer } from "../support/replay-server.ts";

const never = new AbortController().signal;

test("a request and its reply, with their secrets covered", async () => {
  const lines: string[] = [];
  await using server = await replayServer([
    {
      status: 429,
      headers: {
        "retry-after": "7",
        "set-cookie": "sid=sekrit-cookie",
        "x-note": "sekrit-note",
      },
      body: '{"error":{"message":"sekrit-body"}}',
    },
  ]);
  const { host } = new URL(server.url);
  const sent = await send(
    {
      url: `${server.url.replace("http://", "http://me:sekrit-user@")}/v1/chat?alt=sse&key=sekrit-query`,
      method: "POST",
      headers: {
        authorization: "Bearer sekrit-key",
        "x-api-key": "sekrit-other",
        "content-type": "application/json",
      },
      body: '{"prompt":"sekrit-prompt"}',
    },
    { ...DEFAULT_HTTP, trace: (more) => lines.push(more) },
    never,
  );
  if (sent.ok) await collect(sent.reply.body);
  const shown = lines
    .join("")
    .replaceAll(host, "HOST")
    .replace(/after \d+ ms/, "after N ms");
  expect(shown).toBe(
    [
      "→ POST http://HOST/v1/chat?alt=sse&key=••• (HOST, 26 bytes)",
      "→   authorization: •••",
      "→   x-api-key: •••",
      "→   content-type: application/json",
      "← HTTP 429 after N ms",
      "←   content-type: application/json",
      "←   retry-after: 7",
      "←   transfer-encoding: chunked",
      "←   x-note: •••",
      "←   set-cookie: •••",
      "",
    ].join("\n"),
  );
});

test("a failure", async () => {
  const lines: string[] = [];
  const url = "http://127.0.0.1:1/v1?key=sekrit";
  await send(
    { url, method: "GET", headers: {}, body: null },
    { ...DEFAULT_HTTP, trace: (more) => lines.push(more) },
    never,
  );
  expect(lines.join("").replace(/\(after \d+ ms\)/, "(after N ms)")).toBe(
    [
      "→ GET http://127.0.0.1:1/v1?key=••• (127.0.0.1:1, 0 bytes)",
      "✗ 127.0.0.1:1 refused the connection; is the server running? (after N ms)",
      "",
    ].join("\n"),
  );
});
