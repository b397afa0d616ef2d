// A failure is a sentence: no stack trace, whatever the log level, for what is no bug.
import { describe, expect, test } from "bun:test";
import { home } from "../support/binary.ts";
import { replayServer } from "../support/replay-server.ts";

/** A line of a stack, or a path into the bundle. */
const STACK = /^\s+at |\/\$bunfs\/|\.ts:\d+/m;

describe.each(["error", "debug"])("with --log-level %s", (level) => {
  test.each<[string, number, string[]]>([
    ["a wrong flag", 2, ["--modle", "m"]],
    ["no session", 2, ["-r", "nobody", "--provider", "echo"]],
    ["a config file that is a folder", 2, ["--config", ".", "--provider", "echo"]],
    ["a script that is no JSON", 2, ["--provider", "script:/dev/null"]],
    ["an unreachable server", 1, ["--base-url", "http://127.0.0.1:1/v1", "-m", "m"]],
  ])("%s is one line", async (_name, code, flags) => {
    using at = home();
    const ran = await at.run(["-p", "x", "--log-level", level, "--quiet", ...flags]);
    expect({ code: ran.code, out: ran.out, lines: ran.err.trim().split("\n").length }).toEqual({
      code,
      out: "",
      lines: 1,
    });
    expect(ran.err).not.toMatch(STACK);
  });

  test("a reply that is no reply is one line", async () => {
    using at = home();
    const body = 'data: {"choices": 3}\n\ndata: [1\n\n';
    await using server = await replayServer([
      { body, headers: { "content-type": "text/event-stream" } },
    ]);
    const flags = ["--base-url", server.url, "-m", "m", "--log-level", level, "--quiet"];
    const ran = await at.run(["-p", "x", ...flags]);
    expect({ code: ran.code, lines: ran.err.trim().split("\n").length }).toEqual({
      code: 1,
      lines: 1,
    });
    expect(ran.err).not.toMatch(STACK);
  });
});
