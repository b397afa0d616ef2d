// Requests that fail, through the whole program: what is tried again, what is said, what is kept, how it ends.
import { describe, expect, test } from "bun:test";
import { AGAIN, home, ONCE } from "../support/binary.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

const GOOD: ReplayTurn = { steps: [{ text: "done" }] };
const HALF: ReplayTurn = {
  steps: [{ text: "half " }, { text: "an answer" }],
  finish: null,
  done: false,
};
const HTML = { "content-type": "text/html" };

function refused(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): ReplayTurn {
  return { status, headers, body: JSON.stringify({ error: { message } }) };
}

/** Runs `-p` against the turns; `requests` is how many came. */
async function run(turns: ReplayTurn[], flags: readonly string[] = AGAIN) {
  using at = home();
  await using server = await replayServer(turns);
  const target = ["--base-url", server.url, "-m", "m", "--name", "n"];
  const ran = await at.run(["-p", "x", ...target, ...flags]);
  const { host } = new URL(server.url);
  const log = (await at.run(["show", "n", "--json"])).out;
  const err = ran.err.replaceAll(host, "HOST").replace(/in \d+ ms/g, "in N ms");
  return {
    code: ran.code,
    out: ran.out,
    err,
    log,
    bodies: server.requests.map(({ body }) => body),
  };
}

describe("is sent again, once, and then answered", () => {
  test.each<[what: string, turn: ReplayTurn, because: string]>([
    ["408", refused(408, "slow"), "the provider took too long (HTTP 408): slow"],
    ["409", refused(409, "busy"), "the provider failed (HTTP 409): busy"],
    ["429", refused(429, "easy"), "the provider's rate limit was reached (HTTP 429): easy"],
    [
      "429 with seconds",
      refused(429, "easy", { "retry-after": "0.01" }),
      "the provider's rate limit was reached (HTTP 429): easy",
    ],
    [
      "429 with milliseconds",
      refused(429, "easy", { "retry-after-ms": "9" }),
      "the provider's rate limit was reached (HTTP 429): easy",
    ],
    [
      "429 with a date",
      refused(429, "easy", {
        "retry-after": "Wed, 01 Jan 2020 00:00:00 GMT",
        date: "Wed, 01 Jan 2020 00:00:00 GMT",
      }),
      "the provider's rate limit was reached (HTTP 429): easy",
    ],
    ["500", { status: 500, body: "oops" }, "the provider failed (HTTP 500): oops"],
    ["502 as a page", { status: 502, headers: HTML, body: "<html>Bad</html>" }, "HTTP 502"],
    ["503", refused(503, "later"), "the provider is overloaded (HTTP 503): later"],
    ["504", refused(504, "late"), "the provider took too long (HTTP 504): late"],
    ["529", refused(529, "full"), "the provider is overloaded (HTTP 529): full"],
    ["an error in a good reply", refused(200, "overloaded"), "overloaded"],
    ["a cut before the head", { ...GOOD, fault: { at: -1, kind: "cut" } }, "HOST"],
    ["a reset", { ...GOOD, fault: { at: 30, kind: "reset" } }, "HOST"],
    ["garbage", { ...GOOD, fault: { at: 10, kind: "garble" } }, ""],
    ["an empty stream", { headers: { "content-type": "text/event-stream" }, body: "" }, ""],
  ])("%s", async (_what, turn, because) => {
    const { code, out, err, bodies, log } = await run([turn, GOOD]);
    expect({ code, out, requests: bodies.length }).toEqual({ code: 0, out: "done\n", requests: 2 });
    const [said = "", ...rest] = err.split("\n").filter((line) => line.startsWith("burin: "));
    expect(said).toContain(because);
    expect(said).toEndWith("; trying again in N ms (1 of 5)");
    expect(rest).toEqual([]);
    expect(bodies[1]).toBe(bodies[0] ?? "");
    expect(log.match(/"type":"model.retry"/g)?.length).toBe(1);
  });

  test("silence for longer than the settings allow", async () => {
    const custom = { timeout_s: 0.2, idle_timeout_s: 0.2 };
    const stalled: ReplayTurn = { ...HALF, fault: { at: 130, kind: "stall" } };
    const silent: ReplayTurn = { ...GOOD, fault: { at: -1, kind: "stall" } };
    const pairs = Object.entries(custom).flatMap(([key, value]) => [
      "--setting",
      `providers.custom.${key}=${value}`,
    ]);
    const { code, out, err } = await run([stalled, silent, GOOD], [...AGAIN, ...pairs]);
    expect({ code, out }).toEqual({ code: 0, out: "done\n" });
    expect(err).toContain("HOST sent nothing more for 0.2 s; trying again in N ms");
    expect(err).toContain("HOST did not answer for 0.2 s; trying again in N ms");
  });
});

describe("is not sent again", () => {
  test.each<[what: string, turn: ReplayTurn, error: RegExp]>([
    ["400", refused(400, "no"), /the provider refused the request \(HTTP 400\): no/],
    [
      "401",
      refused(401, "who"),
      /did not accept the credential \(HTTP 401\): who; check the API key/,
    ],
    ["403", refused(403, "not you"), /did not accept the credential \(HTTP 403\)/],
    ["404", refused(404, "nowhere"), /HTTP 404/],
    ["404 for the model", refused(404, "The model m does not exist"), /no such model/],
    ["413", refused(413, "too much"), /larger than the model's context \(HTTP 413\)/],
    [
      "an overflow",
      refused(400, "maximum context length is 10"),
      /larger than the model's context/,
    ],
    ["422", refused(422, "odd"), /HTTP 422/],
    ["a quota", refused(429, "You exceeded your current quota"), /quota or balance is used up/],
    [
      "429 until next year",
      refused(429, "easy", { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" }),
      /free again in \d+ h.* \(2100-01-01 00:00 UTC\), and burin waits 15 min at most$/m,
    ],
    [
      "a limit that is used up for hours",
      refused(429, "easy", {
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "3h",
      }),
      /free again in 3 h \(/,
    ],
  ])("%s", async (_what, turn, error) => {
    const { code, out, err, bodies } = await run([turn, GOOD]);
    expect({ code, out, requests: bodies.length }).toEqual({ code: 1, out: "", requests: 1 });
    expect(err.trim().split("\n").at(-1)).toMatch(error);
  });
});

test("a server that stays down is given up, with one line for each try", async () => {
  const { code, err, bodies } = await run(
    Array.from({ length: 9 }, () => refused(503, "later")),
    [...AGAIN, "--setting", "models.retry.tries=2"],
  );
  expect({ code, requests: bodies.length }).toEqual({ code: 1, requests: 3 });
  const said = err.split("\n").filter((line) => line.startsWith("burin: "));
  expect(said).toEqual([
    "burin: the provider is overloaded (HTTP 503): later; trying again in N ms (1 of 2)",
    "burin: the provider is overloaded (HTTP 503): later; trying again in N ms (2 of 2)",
    "burin: the provider is overloaded (HTTP 503): later; given up after 3 tries",
  ]);
});

describe("a reply that broke off", () => {
  test("is no part of the answer, nor of what is sent", async () => {
    const { code, out, bodies, log } = await run([HALF, GOOD]);
    expect({ code, out }).toEqual({ code: 0, out: "done\n" });
    expect(bodies[1]).toBe(bodies[0] ?? "");
    expect(log).toContain('"text":"half an answer"}],"status":"interrupted"');
  });

  test("is told by stream-json before the next try's text", async () => {
    const { out } = await run([HALF, GOOD], [...AGAIN, "--output", "stream-json"]);
    const lines = out
      .trim()
      .split("\n")
      .map((line): { type: string; text?: string; result?: string } => JSON.parse(line));
    const told = lines.flatMap(({ type, text }) =>
      ["text", "retry"].includes(type) ? [text ?? "↻"] : [],
    );
    expect([told.join("|"), lines.at(-1)?.result]).toEqual(["half |an answer|↻|done", "done"]);
  });

  test("is what there is when no try comes through", async () => {
    const flags = [...AGAIN, "--json", "--setting", "models.retry.tries=1"];
    const { code, out } = await run([HALF, refused(401, "gone")], flags);
    expect([code, JSON.parse(out).result]).toEqual([1, "half an answer"]);
  });

  test("is left out when the session goes on", async () => {
    using at = home();
    await using server = await replayServer([HALF, GOOD, GOOD]);
    const target = ["--base-url", server.url, "-m", "m", ...AGAIN];
    await at.run(["-p", "first", "--name", "n", ...target]);
    await at.run(["-p", "second", "-r", "n", ...target]);
    const sent = JSON.parse(server.requests[2]?.body ?? "{}");
    expect(sent.messages.slice(1).map(({ content }: { content: string }) => content)).toEqual([
      "first",
      "done",
      "second",
    ]);
  });
});

test("a tool that the provider refuses is left out, said once, and stays out", async () => {
  const call = { id: "c", name: "ls", arguments: "{}" };
  const { code, out, err, bodies } = await run([
    refused(400, "Invalid schema for function 'grep': items missing"),
    { steps: [{ call }] },
    GOOD,
  ]);
  expect({ code, out }).toEqual({ code: 0, out: "done\n" });
  const names = bodies.map((body): boolean =>
    JSON.parse(body).tools.some(
      ({ function: f }: { function: { name: string } }) => f.name === "grep",
    ),
  );
  expect(names).toEqual([true, false, false]);
  expect(err.match(/refuses the tool grep/g)?.length).toBe(1);
});

describe("models that stand by", () => {
  test("one answers where the quota is used up, and the log knows it", async () => {
    const list = ["--setting", 'models.fallback=["nobody/x", "echo/echo"]'];
    const { code, out, err, log } = await run([refused(402, "pay")], [...AGAIN, ...list]);
    expect({ code, out }).toEqual({ code: 0, out: "x\n" });
    expect(err).toContain("pay; add credit or choose another model; echo goes on from here");
    expect(log).toContain('"type":"model.changed"');
  });

  test("none answers for a wrong key", async () => {
    const list = ["--setting", 'models.fallback=["echo/echo"]'];
    const { code } = await run([refused(401, "who")], [...AGAIN, ...list]);
    expect(code).toBe(1);
  });
});

test("a signal ends the wait at once", async () => {
  using at = home();
  await using server = await replayServer([refused(503, "later", { "retry-after": "600" })]);
  const child = at.start(["-p", "x", "--base-url", server.url, "-m", "m"]);
  let err = "";
  for await (const bytes of child.stderr) {
    err += Buffer.from(bytes).toString();
    if (err.includes("trying again in 600 s")) child.kill("SIGINT");
  }
  expect(await child.exited).toBe(130);
});

test("--log-level debug shows the heads of requests and replies, and no key", async () => {
  const key = "sk-sekrit-0123456789";
  const { code, out, err } = await run(
    [refused(401, `wrong key ${key}`)],
    [...ONCE, "--log-level", "debug", "--api-key", key],
  );
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("→ POST http://HOST/chat/completions");
  expect(err).toContain("→   authorization: •••");
  expect(err).toContain("← HTTP 401");
  expect(err).not.toContain("sekrit");
});
