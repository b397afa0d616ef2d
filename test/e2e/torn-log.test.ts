// A log whose last line was cut at any byte: it is shown, and the session goes on.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { home } from "../support/binary.ts";

/** As many runs at once as keep two cores busy. */
const AT_ONCE = 4;

test("cut at every byte of its last line, show works and -c goes on, and no whole line is lost", async () => {
  using at = home();
  const flags = ["--provider", "echo", "--quiet"];
  await at.run(["-p", "before", "--session-dir", "kept", ...flags]);
  const log = new Bun.Glob("**/*.jsonl").scanSync(join(at.path, "kept"));
  const name = [...log][0] ?? "";
  const id = basename(name, ".jsonl");
  const whole = readFileSync(join(at.path, "kept", name));
  const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
  const lines = whole.toString().trimEnd().split("\n");

  const cuts = Array.from({ length: whole.length - lastLine }, (_, byte) => lastLine + byte);
  expect(cuts.length).toBeGreaterThan(100);
  const failed: string[] = [];
  const check = async (cut: number): Promise<void> => {
    const folder = join(at.path, `cut-${cut}`);
    const path = join(folder, name);
    await Bun.write(path, "");
    writeFileSync(path, whole.subarray(0, cut));
    const from = ["--session-dir", folder];
    const shown = await at.run(["show", id, ...from]);
    const gone = await at.run(["-c", "-p", "after", ...from, ...flags]);
    const kept = readFileSync(path, "utf8")
      .split("\n")
      .slice(0, lines.length - 1);
    const again = await at.run(["show", id, ...from]);
    const isRight =
      shown.code === 0 &&
      shown.out.includes("> before\n\nbefore\n") &&
      gone.code === 0 &&
      gone.out === "after\n" &&
      again.out.includes("> before\n\nbefore\n") &&
      again.out.includes("> after\n\nafter\n") &&
      kept.join("\n") === lines.slice(0, -1).join("\n");
    if (!isRight) failed.push(`cut at ${cut}: ${JSON.stringify({ shown, gone, again })}`);
  };
  const waiting = [...cuts];
  const worker = async (): Promise<void> => {
    for (let cut = waiting.pop(); cut !== undefined; cut = waiting.pop()) await check(cut);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(failed).toEqual([]);
});
