// In pipelines: silent and large input, readers that go away, signals while a command runs.
import { describe, expect, test } from "bun:test";
import { home } from "../support/binary.ts";
import { pidsOf } from "../support/processes.ts";
import { replayServer } from "../support/replay-server.ts";
import { until } from "../support/until.ts";

describe("standard input", () => {
  test("a silent pipe is left alone and said to be", async () => {
    using at = home();
    const ran = await at.shell(
      'mkfifo f; sleep 60 > f 2>/dev/null & "$BURIN" -p hello --provider echo < f; code=$?; kill $!; exit $code',
    );
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 0, out: "hello\n" });
    expect(ran.err).toContain("--stdin waits for it");
  });

  test("ten megabytes through a pipe arrive whole", async () => {
    using at = home();
    const ran = await at.shell(
      'head -c 10000000 /dev/zero | tr "\\0" x | "$BURIN" -p --provider echo --quiet | wc -c',
    );
    expect(ran.out.trim()).toBe("10000001");
  });

  test("characters split at the borders of writes are put together", async () => {
    using at = home();
    const ran = await at.shell(
      String.raw`(printf 'gr\303'; sleep 0.2; printf '\274n \360\237'; sleep 0.2; printf '\214\210') | "$BURIN" -p --provider echo --quiet`,
    );
    expect(ran).toEqual({ code: 0, out: "grün 🌈\n", err: "" });
  });

  test("bytes that are no UTF-8 are refused and nothing is stored", async () => {
    using at = home();
    const ran = await at.shell(
      String.raw`printf '\377\376' | "$BURIN" -p --provider echo; echo "code $?"; "$BURIN" sessions`,
    );
    expect(ran.out).toBe("code 2\nno sessions of this folder yet\n");
  });

  test("an argument and a file are joined in a block", async () => {
    using at = home();
    const ran = await at.shell('echo text > f; "$BURIN" -p sum --provider echo --quiet < f');
    expect(ran.out).toBe("sum\n\n<stdin>\ntext\n\n</stdin>\n");
  });

  test("more than 64 MiB are refused with the limit", async () => {
    using at = home();
    const ran = await at.shell(
      'head -c 70000000 /dev/zero | tr "\\0" x | "$BURIN" -p --provider echo',
    );
    expect({ code: ran.code, said: ran.err.includes("64 MiB") }).toEqual({ code: 2, said: true });
  });
});

describe("standard output", () => {
  test("a reader that goes away ends the run quietly with 141", async () => {
    using at = home();
    await using server = await replayServer([
      { steps: Array.from({ length: 20_000 }, (_, line) => ({ text: `line ${line}\n` })) },
    ]);
    const line =
      '"$BURIN" -p x --base-url "$URL" -m m --output stream-json --quiet | head -1 > /dev/null; echo "${PIPESTATUS[0]}"';
    const ran = await at.shell(line, { URL: server.url });
    expect(ran).toEqual({ code: 0, out: "141\n", err: "" });
  });

  test("a reader that is gone is noticed while a command runs, and the command ends", async () => {
    using at = home();
    const args = JSON.stringify({ command: "sleep 4711" });
    await using server = await replayServer([
      { steps: [{ call: { id: "b", name: "bash", arguments: args } }] },
    ]);
    const line = '"$BURIN" -p x --base-url "$URL" -m m --quiet | true; echo "${PIPESTATUS[0]}"';
    const ran = await at.shell(line, { URL: server.url });
    expect(ran).toEqual({ code: 0, out: "141\n", err: "" });
    expect(pidsOf("sleep", "4711")).toEqual([]);
  });

  test("a slow reader gets every byte", async () => {
    using at = home();
    const ran = await at.shell(
      'head -c 3000000 /dev/zero | tr "\\0" x | "$BURIN" -p --provider echo --quiet | (sleep 1; wc -c)',
    );
    expect(ran.out.trim()).toBe("3000001");
  });
});

const NASTY =
  "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 4712' &); (sleep 4712 &); sleep 4712; sleep 4712";

describe("signals while a command runs", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends with %d, leaves no process and a complete log", async (signal, code) => {
    using at = home();
    const args = JSON.stringify({ command: NASTY });
    await using server = await replayServer([
      { steps: [{ call: { id: "b", name: "bash", arguments: args } }] },
    ]);
    const child = at.start(["-p", "x", "--base-url", server.url, "-m", "m", "--name", "job"]);
    await until("the commands run", () => pidsOf("sleep", "4712").length >= 3);
    child.kill(signal);
    expect(await child.exited).toBe(code);
    expect(pidsOf("sleep", "4712")).toEqual([]);
    const shown = await at.run(["show", "job", "--json"]);
    const types = shown.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(types.slice(-2)).toEqual(["message.tool", "session.ended"]);
  });

  test("kill -9 of burin leaves nothing either", async () => {
    using at = home();
    const args = JSON.stringify({ command: NASTY.replaceAll("4712", "4713") });
    await using server = await replayServer([
      { steps: [{ call: { id: "b", name: "bash", arguments: args } }] },
    ]);
    const child = at.start(["-p", "x", "--base-url", server.url, "-m", "m"]);
    await until("the commands run", () => pidsOf("sleep", "4713").length >= 3);
    child.kill("SIGKILL");
    await child.exited;
    await until("all are gone", () => pidsOf("sleep", "4713").length === 0);
  });
});
