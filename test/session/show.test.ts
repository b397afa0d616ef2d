// The plain story of a session.
import { describe, expect, test } from "bun:test";
import { loadLog } from "../../src/session/load.ts";
import { transcript } from "../../src/session/show.ts";
import { answer, call, chain, result, say, user } from "./drafts.ts";

const UNKNOWN = "— tokens in (— cached), — out (— reasoning) · —\n";

describe("transcript", () => {
  test("tells prompts, answers, calls with results, decisions, ends and totals", () => {
    const loaded = loadLog("test/fixtures/log/session.jsonl");
    if (!loaded.ok) throw new Error();
    expect(transcript(loaded.value.tree.events())).toBe(`session fix-tests
/home/ada/shop (main)
openai/gpt-5, standard, 2026-11-30T20:16:01.000Z

> Why does the test fail?

I run it.

? bash allowed by person: npm may run any script, from now on bash(npm test)

* bash {"command":"npm test"}: failed, exit 1, 0.8 s
    1 failed: total is 3, not 4
    [… 1 line (976.6 KB) left out; the full output is in /home/ada/.local/state/burin/outputs/01JDXK5V000000000000000000/bash-ff48231d.txt …]
    12 passed
    [exit 1, 0.8 s, in /home/ada/shop]

-- model: anthropic/claude-opus

> (steer) Like in this picture?
> [image total.png, image/png]

The sum leaves out the last item.

-- renamed to sum-of-items

-- turn ended: complete, 2 rounds, 1 tool call

== 1 turn, 2 rounds, 1 tool call · 1200 tokens in (1000 cached), 40 out (12 reasoning) · —
`);
  });

  test("cuts long results and says how much was left out", () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const text = transcript(chain([answer([call("a")]), result("a", lines.join("\n"))]));
    expect(text.split("\n").slice(0, 2)).toEqual(["* bash {}: 0.0 s", "    line 0"]);
    expect(text).toContain("    line 19\n    … (+30 lines)\n");
    expect(text).not.toContain("line 20");
    const wide = transcript(chain([answer([call("a")]), result("a", "w".repeat(5000))]));
    expect(wide).toContain("… (+4600 characters)");
  });

  test("says how a reply ended that did not end well, and which calls have no result", () => {
    const events = chain([
      answer([{ type: "text", text: "I" }, call("a")], "interrupted"),
      answer([{ type: "text", text: "long" }], "length"),
      answer([], "error"),
    ]);
    expect(transcript(events)).toBe(
      `I\n\n* bash {}: it has no result\n\n-- reply interrupted\n\nlong\n\n-- reply cut off at the output limit\n\n-- reply failed: no reason was given\n\n== 0 turns, 2 rounds, 0 tool calls · ${UNKNOWN}`,
    );
  });

  test("nothing in it can move a cursor, set a title or turn text around", () => {
    const evil =
      "a\u001b[2Jb\u001b]0;t\u0007c\u009b1md\re\u202ef\u0000g\u007fh\u2028\u200bk\r\ni\tj";
    const text = transcript(
      chain([
        user(evil),
        answer([{ type: "text", text: evil }, call("a", evil)]),
        result("a", evil),
        { type: "session.renamed", data: { name: evil } },
      ]),
    );
    expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(text).toContain("> abcdefgh k\n> i\tj\n");
  });

  test("a name or summary of several lines cannot pretend to be other blocks", () => {
    const text = transcript(
      chain([{ type: "session.renamed", data: { name: "x\n\n> a prompt" } }, say("ok")]),
    );
    expect(text).toStartWith("-- renamed to x > a prompt\n\nok\n");
  });
});
