// The main job on a real repository: through HTTP, with the compiled binary.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { home } from "../support/binary.ts";
import { realRepository } from "../support/real-repository.ts";
import { replayServer } from "../support/replay-server.ts";

type Message = { role: string; tool_call_id?: string; tool_calls?: { id: string }[] };

async function job() {
  using at = home();
  using repository = realRepository();
  await using server = await replayServer(repository.turns);
  const flags = ["--base-url", server.url, "-m", "m", "--name", "job"];
  const how = { cwd: repository.root, env: { RUNTIME: process.execPath } };
  const ran = await at.run(["-p", "check it", "--output", "stream-json", ...flags], how);
  const shown = await at.run(["show", "job"], how);
  const events = await at.run(["show", "job", "--json"], how);
  return {
    repository,
    ran,
    shown,
    lines: ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    events: events.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    requests: server.requests,
    files: Object.fromEntries(
      Object.keys(repository.wanted).map((path) => [
        path,
        readFileSync(repository.path(path), "utf8"),
      ]),
    ),
  };
}

const done = job();

describe("the main job on a real repository", () => {
  test("has at least 200 files to work on", async () => {
    expect((await done).repository.files).toBeGreaterThanOrEqual(200);
  });

  test("ends well and leaves the two files exactly as asked", async () => {
    const { ran, files, repository } = await done;
    expect({ code: ran.code, files }).toEqual({ code: 0, files: repository.wanted });
  });

  test("answers last, with the figures of the run", async () => {
    const { lines } = await done;
    expect(lines.at(-1)).toMatchObject({
      type: "result",
      result: "Both files are **checked**.",
      status: "complete",
      exit: 0,
      rounds: 5,
      tool_calls: 7,
      usage: { input: 2900, cached: 0, output: 89, reasoning: 0 },
      cost_usd: null,
      error: null,
    });
  });

  test("starts the three reads together and gives their results in the order asked", async () => {
    const { lines } = await done;
    const reads = lines
      .filter(
        ({ type, name }) => (type === "tool_call" || type === "tool_result") && name === "read",
      )
      .map(({ type, id }) => `${type} ${id}`);
    expect(reads).toEqual([
      "tool_call r1",
      "tool_call r2",
      "tool_call r3",
      "tool_result r1",
      "tool_result r2",
      "tool_result r3",
    ]);
  });

  test("sends requests that only ever grow at their end", async () => {
    const { requests } = await done;
    expect(requests.length).toBe(5);
    for (const [at, { body }] of requests.entries()) {
      const next = requests[at + 1]?.body ?? body;
      expect(next.startsWith(body.slice(0, -"]}".length))).toBe(true);
    }
  });

  test("sends every result right after its call, in call order", async () => {
    const messages: Message[] = JSON.parse((await done).requests.at(-1)?.body ?? "{}").messages;
    const asked = messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
    const answered = messages.flatMap((message) => message.tool_call_id ?? []);
    expect(answered).toEqual(asked);
    expect(messages.map(({ role }) => role).join(" ")).toBe(
      "system user assistant tool assistant tool tool tool assistant tool tool assistant tool",
    );
  });

  test("keeps a log in which every event follows another and the prompt comes before all else", async () => {
    const { events } = await done;
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["session.started", "message.user"]);
    for (const [at, event] of events.entries()) {
      expect(event.parentId).toBe(at === 0 ? null : events[at - 1].id);
    }
    expect(events.at(-1)).toMatchObject({ type: "session.ended", data: { status: "complete" } });
  });

  test("tells the story in burin show", async () => {
    const { shown } = await done;
    for (const part of [
      "check it",
      "Three files at once.",
      "edit",
      "all ok",
      "Both files are **checked**.",
    ]) {
      expect(shown.out).toContain(part);
    }
  });
});
