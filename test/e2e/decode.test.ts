// `burin debug decode` of the compiled binary: recorded bytes in, model events out.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { home } from "../support/binary.ts";
import { chatBody } from "../support/replay-server.ts";

const CALL = { id: "c1", name: "read", arguments: '{"path":"é"}' };
const REPLY = chatBody({
  steps: [{ reasoning: "hm" }, { text: "I " }, { text: "look." }, { call: CALL, fragments: 3 }],
  usage: { prompt_tokens: 5, completion_tokens: 7 },
});
const DECODE = ["debug", "decode", "--wire", "openai-chat"];

function events(out: string) {
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("a recorded reply", () => {
  test.each(["a file", "standard input"])("in %s is printed event by event", async (where) => {
    using at = home();
    await Bun.write(join(at.path, "reply.sse"), REPLY);
    const ran =
      where === "a file"
        ? await at.run([...DECODE, "reply.sse"])
        : await at.run(DECODE, { stdin: REPLY });
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
    const all = events(ran.out);
    expect(all.filter(({ type }) => type === "text")).toEqual([
      { type: "text", delta: "I " },
      { type: "text", delta: "look." },
    ]);
    expect(all.filter(({ type }) => type === "call")).toEqual([{ type: "call", call: CALL }]);
    expect(all.at(-1)).toEqual({ type: "stop", reason: "calls" });
  });

  test("is one object with --summary", async () => {
    using at = home();
    const ran = await at.run([...DECODE, "--summary"], { stdin: REPLY });
    expect({ code: ran.code, summary: JSON.parse(ran.out) }).toEqual({
      code: 0,
      summary: {
        text: "I look.",
        reasoning: "hm",
        calls: [CALL],
        stop: "calls",
        failed: null,
        usage: expect.objectContaining({ input: 5, output: 7 }),
      },
    });
  });
});

describe("a recorded failure is one event that says what it was", () => {
  test.each<[string, string[], string, object]>([
    [
      "404",
      ["--status", "404", "--content-type", "application/json"],
      '{"error":{"message":"The model m does not exist"}}',
      {
        status: 404,
        retryable: false,
        message: expect.stringContaining("The model m does not exist"),
      },
    ],
    [
      "HTML",
      ["--content-type", "text/html"],
      "<html><title>Sign in</title></html>",
      { status: 200, retryable: false, message: expect.stringContaining("a web page came") },
    ],
    [
      "a cut stream",
      [],
      REPLY.slice(0, REPLY.indexOf('"I "')),
      { kind: "stream_cut", retryable: true },
    ],
  ])("%s", async (_name, flags, body, error) => {
    using at = home();
    const ran = await at.run([...DECODE, ...flags], { stdin: body });
    const last = events(ran.out).at(-1);
    expect({ code: ran.code, err: ran.err, type: last.type }).toEqual({
      code: 0,
      err: "",
      type: "failed",
    });
    expect(last.error).toMatchObject(error);
    const summary = await at.run([...DECODE, ...flags, "--summary"], { stdin: body });
    expect(JSON.parse(summary.out)).toMatchObject({ stop: null, failed: error });
  });
});

describe("what cannot be decoded ends with 2 and one sentence", () => {
  test.each<[string[], string]>([
    [["debug", "decode"], "--wire is missing"],
    [["debug", "decode", "--wire", "morse"], "--wire must be one of"],
    [["debug", "deocde", "--wire", "openai-chat"], "did you mean burin debug decode?"],
    [[...DECODE, "--status", "many"], "--status must be a whole number"],
    [[...DECODE, "nowhere.sse"], "nowhere.sse cannot be read"],
    [[...DECODE, "."], ". is a folder"],
  ])("%j", async (args, shows) => {
    using at = home();
    const ran = await at.run(args);
    expect({ code: ran.code, out: ran.out, said: ran.err.includes(shows) }).toEqual({
      code: 2,
      out: "",
      said: true,
    });
    expect(ran.err.trim().split("\n").length).toBe(1);
  });
});
