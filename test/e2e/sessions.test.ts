// Sessions of the compiled binary across runs: listed, shown, gone on with, run side by side, or not kept at all.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { home, type Home } from "../support/binary.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

type Row = { id: string; name: string; firstPrompt: string; cwd: string; path: string };

async function listed(at: Home): Promise<Row[]> {
  const ran = await at.run(["sessions", "--json"]);
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  return JSON.parse(ran.out);
}

const ECHO = ["--provider", "echo", "--quiet"];

test("--no-session writes nothing anywhere under HOME, tools and long output included", async () => {
  using at = home();
  const command = JSON.stringify({ command: "head -c 200000 /dev/zero | tr '\\0' x" });
  const turns: ReplayTurn[] = [
    { steps: [{ call: { id: "b", name: "bash", arguments: command } }] },
    { steps: [{ text: "done" }] },
  ];
  await using server = await replayServer(turns);
  const ran = await at.run(["-p", "x", "--base-url", server.url, "-m", "m", "--no-session"]);
  expect({ code: ran.code, out: ran.out, left: readdirSync(at.path) }).toEqual({
    code: 0,
    out: "done\n",
    left: [],
  });
});

describe("two sessions, the first called alpha", () => {
  async function two(at: Home): Promise<{ alpha: Row; beta: Row }> {
    await at.run(["-p", "first question", "--name", "alpha", ...ECHO]);
    await at.run(["-p", "second question", "--name", "beta", ...ECHO]);
    const rows = await listed(at);
    const [beta, alpha] = rows;
    if (alpha === undefined || beta === undefined) throw new Error("there are not two sessions");
    return { alpha, beta };
  }

  test("are listed, the last used first", async () => {
    using at = home();
    const { alpha, beta } = await two(at);
    expect([alpha, beta]).toMatchObject([
      { name: "alpha", firstPrompt: "first question", cwd: at.path },
      { name: "beta", firstPrompt: "second question", cwd: at.path },
    ]);
    expect(existsSync(alpha.path)).toBe(true);
    const table = (await at.run(["sessions"])).out.trim().split("\n");
    expect(table.map((line) => line.split(/ {2,}/))).toEqual([
      [beta.id, expect.any(String), "beta", "second question"],
      [alpha.id, expect.any(String), "alpha", "first question"],
    ]);
  });

  // The parts of an id that tell two sessions of one second apart are at its end: all but the last character is enough.
  test.each<[string, (row: Row) => string]>([
    ["id", ({ id }) => id],
    ["a unique prefix", ({ id }) => id.slice(0, -1)],
    ["name", ({ name }) => name],
    ["path", ({ path }) => path],
  ])("-p goes on with the one named by %s", async (_by, refOf) => {
    using at = home();
    const { alpha } = await two(at);
    await using server = await replayServer([{ steps: [{ text: "a third answer" }] }]);
    const flags = ["--base-url", server.url, "-m", "m", "--quiet"];
    const ran = await at.run(["-p", "and now?", "-r", refOf(alpha), ...flags]);
    expect(ran).toEqual({ code: 0, out: "a third answer\n", err: "" });
    const { messages } = JSON.parse(server.requests[0]?.body ?? "{}");
    expect(messages.slice(1)).toMatchObject([
      { role: "user", content: "first question" },
      { role: "assistant", content: "first question" },
      { role: "user", content: "and now?" },
    ]);
    const rows = await listed(at);
    expect(rows.map(({ name }) => name)).toEqual(["alpha", "beta"]);
  });

  test("can both be meant by a short prefix: then none is taken", async () => {
    using at = home();
    const { alpha } = await two(at);
    const ran = await at.run(["-p", "x", "-r", alpha.id.slice(0, 4), ...ECHO]);
    expect({ code: ran.code, out: ran.out, lines: ran.err.trim().split("\n").length }).toEqual({
      code: 2,
      out: "",
      lines: 1,
    });
    expect(ran.err).toContain(alpha.id.slice(0, 4));
  });

  test("are shown as a transcript, and with --json as their events", async () => {
    using at = home();
    const { alpha } = await two(at);
    const shown = await at.run(["show", "alpha"]);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain("session alpha\n");
    expect(shown.out).toContain("> first question\n\nfirst question\n");
    expect(shown.out).not.toContain("second question");
    const events = (await at.run(["show", alpha.id, "--json"])).out.trim().split("\n");
    expect(events.map((line) => JSON.parse(line).type)).toEqual([
      "session.started",
      "message.user",
      "message.assistant",
      "model.usage",
      "session.ended",
    ]);
  });

  test("belong to their folder: another one has none", async () => {
    using at = home();
    await two(at);
    const elsewhere = { cwd: "/" };
    const ran = await at.run(["sessions"], elsewhere);
    expect(ran).toEqual({ code: 0, out: "no sessions of this folder yet\n", err: "" });
    expect((await at.run(["show", "alpha"], elsewhere)).code).toBe(2);
    const there = await at.run(["sessions", "-C", at.path], elsewhere);
    expect(there.out).toContain("alpha");
  });
});

test("runs side by side in one folder are as many sessions, each whole", async () => {
  using at = home();
  const prompts = ["one", "two", "three", "four"];
  // No reply begins before every run has asked.
  const together = Promise.withResolvers<void>();
  const steps = [{ text: "half " }, { text: "whole" }];
  const turns = prompts.map((): ReplayTurn => ({ steps, after: together.promise }));
  await using server = await replayServer(turns, ({ request }) => {
    if (request === prompts.length) together.resolve();
  });
  const flags = ["--base-url", server.url, "-m", "m", "--quiet", "--name", "same"];
  const runs = await Promise.all(prompts.map((prompt) => at.run(["-p", prompt, ...flags])));
  expect(runs).toEqual(prompts.map(() => ({ code: 0, out: "half whole\n", err: "" })));
  const rows = await listed(at);
  expect({
    prompts: rows.map(({ firstPrompt }) => firstPrompt).toSorted(),
    names: rows.map(({ name }) => name).toSorted(),
  }).toEqual({
    prompts: prompts.toSorted(),
    names: ["same", "same-2", "same-3", "same-4"],
  });
  for (const { id, firstPrompt } of rows) {
    const { out } = await at.run(["show", id]);
    expect(out).toContain(`> ${firstPrompt}\n\nhalf whole\n`);
    expect(out).toContain("turn ended: complete");
  }
});
