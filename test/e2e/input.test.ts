// What `-p` makes of standard input when a flag says it: --stdin waits for it, --no-stdin leaves it alone.
import { describe, expect, test } from "bun:test";
import { home } from "../support/binary.ts";

/** Longer than the second for which a pipe beside a prompt is waited for without --stdin. */
const LATE_S = 1.5;

describe("--stdin", () => {
  test("waits for a pipe that is silent at first", async () => {
    using at = home();
    const ran = await at.shell(
      `(sleep ${LATE_S}; echo late) | "$BURIN" -p sum --stdin --provider echo --quiet`,
    );
    expect(ran).toEqual({ code: 0, out: "sum\n\n<stdin>\nlate\n\n</stdin>\n", err: "" });
  });

  test("reads what comes without a prompt too", async () => {
    using at = home();
    const ran = await at.run(["-p", "--stdin", "--provider", "echo", "--quiet"], { stdin: "all" });
    expect(ran).toEqual({ code: 0, out: "all\n", err: "" });
  });

  test("with nothing in it leaves the prompt as it is", async () => {
    using at = home();
    const ran = await at.run(["-p", "sum", "--stdin", "--provider", "echo", "--quiet"]);
    expect(ran).toEqual({ code: 0, out: "sum\n", err: "" });
  });
});

describe("--no-stdin", () => {
  test("leaves a pipe with bytes alone", async () => {
    using at = home();
    const ran = await at.run(["-p", "sum", "--no-stdin", "--provider", "echo", "--quiet"], {
      stdin: "ignored",
    });
    expect(ran).toEqual({ code: 0, out: "sum\n", err: "" });
  });

  test("leaves a file alone, and does not wait for a pipe that is never closed", async () => {
    using at = home();
    const ran = await at.shell(
      'echo ignored > f; "$BURIN" -p one --no-stdin --provider echo --quiet < f; mkfifo p; sleep 60 > p & "$BURIN" -p two --no-stdin --provider echo < p; kill $!',
    );
    expect({ out: ran.out, waited: ran.err.includes("--stdin waits") }).toEqual({
      out: "one\ntwo\n",
      waited: false,
    });
  });

  test("without a prompt ends with 2", async () => {
    using at = home();
    const ran = await at.run(["-p", "--no-stdin", "--provider", "echo"], { stdin: "ignored" });
    expect({ code: ran.code, out: ran.out, said: ran.err.startsWith("burin: no prompt") }).toEqual({
      code: 2,
      out: "",
      said: true,
    });
  });
});
