// A failure is a sentence: no stack trace, whatever the log level, for what is no bug.
import { describe, expect, test } from "bun:test";
import { home, ONCE } from "../support/binary.ts";
import { replayServer } from "../support/replay-server.ts";

/** A line of a stack, or a path into the bundle. */
const STACK = /^\s+at |\/\$bunfs\/|\.ts:\d+/m;

/** Without what the debug log says of requests and replies. */
function sentences(err: string): string[] {
  return err.split("\n").filter((line) => line !== "" && !/^[→←✗]/.test(line));
}

describe.each(["error", "debug"])("with --log-level %s", (level) => {
  test.each<[string, number, string[]]>([
    ["a wrong flag", 2, ["--modle", "m"]],
    ["no session", 2, ["-r", "nobody", "--provider", "echo"]],
    ["a config file that is a folder", 2, ["--config", ".", "--provider", "echo"]],
    ["a script that is no JSON", 2, ["--provider", "script:/dev/null"]],
    ["an unreachable server", 1, ["--base-url", "http://127.0.0.1:1/v1", "-m", "m"]],
  ])("%s is one line", async (_name, code, flags) => {
    using at = home();
    const ran = await at.run(["-p", "x", "--log-level", level, "--quiet", ...flags, ...ONCE]);
    expect({ code: ran.code, out: ran.out, lines: sentences(ran.err).length }).toEqual({
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
    const ran = await at.run(["-p", "x", ...flags, ...ONCE]);
    expect({ code: ran.code, lines: sentences(ran.err).length }).toEqual({
      code: 1,
      lines: 1,
    });
    expect(ran.err).not.toMatch(STACK);
  });
});
