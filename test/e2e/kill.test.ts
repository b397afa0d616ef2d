// kill -9 at random points of the main job: nothing complete is lost, and the session goes on with a valid request.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../support/binary.ts";
import { random } from "../support/random.ts";
import { realRepository } from "../support/real-repository.ts";
import { replayServer, type ReplayTurn } from "../support/replay-server.ts";

const KILLS = 50;
type Message = {
  role: string;
  content?: unknown;
  tool_call_id?: string;
  tool_calls?: { id: string }[];
};

function messagesOf(body: string): Message[] {
  return JSON.parse(body).messages;
}

/** Every call has exactly one answer, directly after its message, in the order asked. */
function isValid(messages: Message[]): boolean {
  let waiting: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (waiting.shift() !== message.tool_call_id) return false;
      continue;
    }
    if (waiting.length > 0) return false;
    waiting = (message.tool_calls ?? []).map(({ id }) => id);
  }
  return waiting.length === 0;
}

function logIn(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const found = [...new Bun.Glob("**/*.jsonl").scanSync({ cwd: folder, dot: true })];
  const log = found.find((name) => !name.endsWith("index.jsonl"));
  return log === undefined ? null : readFileSync(join(folder, log), "utf8");
}

/** Small chunks, so that kills also fall into the middle of a reply. */
function slowly(turns: ReplayTurn[]): ReplayTurn[] {
  return turns.map((turn) => ({ ...turn, chunk: 400 }));
}

const dice = random(20_261_130);
const points = Array.from({ length: KILLS }, () => dice.int(1000));

/** How long the job takes here, undisturbed: the kills fall anywhere in it. */
async function measure(): Promise<number> {
  using at = home();
  using repository = realRepository();
  await using server = await replayServer(slowly(repository.turns));
  const began = performance.now();
  const how = { cwd: repository.root, env: { RUNTIME: process.execPath } };
  await at.run(["-p", "check it", "--base-url", server.url, "-m", "m"], how);
  return performance.now() - began;
}
const jobMs = measure();

test.each(points)("killed at %d/1000 of the job, the log loads and -c goes on", async (point) => {
  const afterMs = ((await jobMs) * point) / 1000;
  using at = home();
  using repository = realRepository();
  await using server = await replayServer(slowly(repository.turns));
  const how = { cwd: repository.root, env: { RUNTIME: process.execPath } };
  const child = at.start(["-p", "check it", "--base-url", server.url, "-m", "m"], how);
  await Promise.race([child.exited, Bun.sleep(afterMs)]);
  child.kill("SIGKILL");
  await child.exited;

  const before = logIn(join(at.path, ".local"));
  if (before === null || !before.includes("message.user")) {
    // Killed before the prompt was on disk: then no request had left either.
    expect(server.requests.length).toBe(0);
    return;
  }
  const complete = before.split("\n").slice(0, -1);
  const events = complete.map((line) => JSON.parse(line));
  // What the model was sent was on disk before: each result of the last request is in the log.
  const sent = server.requests.at(-1);
  const results = sent ? messagesOf(sent.body).flatMap(({ tool_call_id: id }) => id ?? []) : [];
  const stored = events.flatMap(({ type, data }) =>
    type === "message.tool" ? data.toolCallId : [],
  );
  expect(stored.slice(0, results.length)).toEqual(results);

  await using second = await replayServer([{ steps: [{ text: "going on" }] }]);
  const resumed = await at.run(["-c", "-p", "go on", "--base-url", second.url, "-m", "m"], how);
  expect({ code: resumed.code, out: resumed.out }).toEqual({ code: 0, out: "going on\n" });
  const messages = messagesOf(second.requests[0]?.body ?? "{}");
  expect(isValid(messages)).toBe(true);
  expect(messages.at(-1)).toMatchObject({ role: "user", content: "go on" });
  // No complete line is gone.
  expect(logIn(join(at.path, ".local"))?.split("\n").slice(0, complete.length)).toEqual(complete);
});
