// Nowhere to write: a HOME that takes no file, a standard output that was closed before the start.
import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BURIN, home } from "../support/binary.ts";
import { AS_NOBODY } from "../support/other-user.ts";
import { replayServer } from "../support/replay-server.ts";
import { tempTree } from "../support/temp-tree.ts";

const UNRECORDED = "this session is not recorded from here on";

/** Two rounds and a tool: more than one event that cannot be written. */
const TURNS = [
  { steps: [{ call: { id: "l", name: "ls", arguments: "{}" } }] },
  { steps: [{ text: "done" }] },
];

describe("a HOME that cannot be written to", () => {
  test("read-only: the run goes on without recording, and says so once", async () => {
    using tree = tempTree({ "home/": "", "work/": "" });
    for (const name of ["", "home", "work"]) chmodSync(tree.path(name), 0o555);
    chmodSync(tree.root, 0o755);
    // Another user cannot enter every folder that a checkout may lie in.
    const copy = tree.path("burin");
    copyFileSync(BURIN, copy);
    chmodSync(copy, 0o755);
    await using server = await replayServer(TURNS);
    const child = Bun.spawn([copy, "-p", "x", "--base-url", server.url, "-m", "m"], {
      cwd: tree.path("work"),
      env: { HOME: tree.path("home"), PATH: "/usr/bin:/bin" },
      // Root may write everywhere.
      ...AS_NOBODY,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    expect({ code, out, times: err.split(UNRECORDED).length - 1 }).toEqual({
      code: 0,
      out: "done\n",
      times: 1,
    });
    expect(readdirSync(tree.path("home"))).toEqual([]);
  });

  test("a file where the data folder should be: the same, and nothing of it is changed", async () => {
    using at = home();
    writeFileSync(join(at.path, ".local"), "mine");
    await using server = await replayServer(TURNS);
    const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m"]);
    expect({ code: ran.code, out: ran.out, times: ran.err.split(UNRECORDED).length - 1 }).toEqual({
      code: 0,
      out: "done\n",
      times: 1,
    });
    expect(await Bun.file(join(at.path, ".local")).text()).toBe("mine");
  });
});

describe("a standard output that is closed from the start", () => {
  test.each<[string, string]>([
    ["standard output", ">&-"],
    ["both outputs", ">&- 2>&-"],
    ["all three", "<&- >&- 2>&-"],
  ])("%s: the run ends, and its log holds the session and nothing else", async (_name, closed) => {
    using at = home();
    await using server = await replayServer(TURNS);
    const ran = await at.shell(`"$BURIN" -p x --base-url "$URL" -m m --name n ${closed}`, {
      URL: server.url,
    });
    expect([0, 141]).toContain(ran.code);
    expect(ran.out).toBe("");
    // A file that took the free number must not get the answer.
    const shown = await at.run(["show", "n", "--json"]);
    const events = shown.out.trim().split("\n");
    expect(events.map((line) => JSON.parse(line).type)).toContain("session.ended");
  });
});

test.each([[["sessions"]], [["tool", "ls"]], [["version"]], [["-p", "x", "--provider", "echo"]]])(
  "a full standard output is said and ends %j with 1",
  async (args) => {
    using at = home();
    const line = `"$BURIN" ${args.join(" ")} > /dev/full; echo "code $?" >&2`;
    const ran = await at.shell(line);
    expect(ran.err).toContain("standard output could not be written");
    expect(ran.err.trim().endsWith("code 1")).toBe(true);
  },
);
