// kill -9 all over the main job: nothing complete is lost, and the session goes on with a valid request.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../support/binary.ts";
import { random, type Random } from "../support/random.ts";
import { realRepository } from "../support/real-repository.ts";
import {
  chatBody,
  replayServer,
  type ReplayProgress,
  type ReplayTurn,
} from "../support/replay-server.ts";

const SEED = 20_261_130;
/** Kills this long after an event of the server fall into what burin does then: storing, tools, the next request. */
const MAX_DELAY_MS = 40;

/** Once so many bytes of this reply were served (0: once the request came), and so long after that. */
type Point = ReplayProgress & { delayMs: number };

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

function logIn(folder: string): string {
  const found = [...new Bun.Glob("**/*.jsonl").scanSync({ cwd: folder, dot: true })];
  const log = found.find((name) => !/(?:^|\/)(?:index|usage)\.jsonl$/.test(name));
  return log === undefined ? "" : readFileSync(join(folder, log), "utf8");
}

/** The replies as far as the point, in small pieces, and then nothing: the job is never done before its kill. */
function upTo({ request, bytes }: Point, turns: ReplayTurn[]): ReplayTurn[] {
  return turns.map((turn, index) => {
    if (index + 1 < request) return { ...turn, chunk: 100 };
    const at = index + 1 === request ? bytes : 0;
    return { ...turn, chunk: 100, fault: { at, kind: "stall" } };
  });
}

/** Of each reply: when its request comes, bytes from its first to its last, and a little after each. */
function pointsIn(turns: ReplayTurn[], dice: Random): Point[] {
  return turns.flatMap((turn, index) => {
    const size = Buffer.byteLength(chatBody(turn));
    // In its first half, the last reply cannot end the job.
    const most = index + 1 === turns.length ? Math.floor(size / 2) : size;
    const bytes = [0, 0, ...Array.from({ length: 5 }, () => dice.int(most)), most, most, most];
    return bytes.map((served, at): Point => ({
      request: index + 1,
      bytes: served,
      delayMs: at % 2 === 0 ? 0 : dice.int(MAX_DELAY_MS),
    }));
  });
}

function allPoints(): Point[] {
  using repository = realRepository();
  return pointsIn(repository.turns, random(SEED));
}

describe(`with seed ${SEED}`, () => {
  test.each(allPoints())(
    "killed $delayMs ms after byte $bytes of reply $request, the log loads and -c goes on",
    async (point) => {
      using at = home();
      using repository = realRepository();
      const reached = Promise.withResolvers<void>();
      await using server = await replayServer(
        upTo(point, repository.turns),
        ({ request, bytes }) => {
          if (request === point.request && bytes >= point.bytes) reached.resolve();
        },
      );
      const how = { cwd: repository.root, env: { RUNTIME: process.execPath } };
      const child = at.start(["-p", "check it", "--base-url", server.url, "-m", "m"], how);
      await reached.promise;
      if (point.delayMs > 0) await Bun.sleep(point.delayMs);
      child.kill("SIGKILL");
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");

      const before = logIn(join(at.path, ".local"));
      const complete = before.split("\n").slice(0, -1);
      const events = complete.map((line) => JSON.parse(line));
      // What the model was sent was on disk before: the prompt, and each result of the last request.
      expect(events.map(({ type }) => type)).toContain("message.user");
      const results = messagesOf(server.requests.at(-1)?.body ?? "{}").flatMap(
        ({ tool_call_id: id }) => id ?? [],
      );
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
      const after = logIn(join(at.path, ".local")).split("\n");
      expect(after.slice(0, complete.length)).toEqual(complete);
    },
  );
});
