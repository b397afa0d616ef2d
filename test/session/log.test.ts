// The log of one session: written before it is told, healed where it was torn, and never the end of a run.
import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { fold } from "../../src/session/fold.ts";
import { loadLog } from "../../src/session/load.ts";
import { memoryLog, type LogTools, type SessionLog } from "../../src/session/log.ts";
import { openLog } from "../../src/session/reopen.ts";
import { forSeeds } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { until } from "../support/until.ts";
import { answer, call, randomDraft, result, say, user } from "./drafts.ts";

function open(path: string, tools?: LogTools): SessionLog {
  const opened = openLog(path, tools);
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return opened.value;
}

function texts(log: SessionLog): string[] {
  return log.events().map(({ type, ...event }) => {
    if (type !== "message.user" && type !== "message.assistant") return type;
    return JSON.stringify("data" in event && "content" in event.data && event.data.content);
  });
}

describe("append", () => {
  test("gives id, parent and time, and the line is in the file when it returns", () => {
    using tree = tempTree();
    const path = tree.path("deep/in/s1.jsonl");
    let id = 0;
    const log = open(path, { newId: () => `e${(id += 1)}`, now: () => 1796069760123 });
    log.append(user("hi"));
    const event = log.append(say("yes"));
    expect(event).toEqual({
      v: 1,
      type: "message.assistant",
      id: "e2",
      parentId: "e1",
      time: "2026-11-30T20:16:00.123Z",
      data: { content: [{ type: "text", text: "yes" }], status: "complete", stop: null },
    });
    expect(readFileSync(path, "utf8").split("\n")[1]).toBe(
      '{"v":1,"type":"message.assistant","id":"e2","parentId":"e1","time":"2026-11-30T20:16:00.123Z","data":{"content":[{"type":"text","text":"yes"}],"status":"complete","stop":null}}',
    );
    expect({ id: log.id, path: log.path(), notices: log.takeNotices() }).toEqual({
      id: "s1",
      path,
      notices: [],
    });
    log.close();
  });

  test("files are 0600, their folders 0700, and nothing but the log stays after close", () => {
    using tree = tempTree();
    const log = open(tree.path("a/b/x.jsonl"));
    log.append(user("hi"));
    expect(statSync(tree.path("a/b/x.jsonl.lock")).mode & 0o777).toBe(0o600);
    log.close();
    expect(statSync(tree.path("a/b/x.jsonl")).mode & 0o777).toBe(0o600);
    expect(statSync(tree.path("a/b")).mode & 0o777).toBe(0o700);
    expect(readdirSync(tree.path("a/b"))).toEqual(["x.jsonl"]);
  });

  test("the conversation read back serialises like the one that was made", () => {
    using tree = tempTree();
    forSeeds(30, (chance) => {
      const path = tree.path(`${chance.int(1e9)}.jsonl`);
      const log = open(path);
      for (let count = 0; count < 30; count += 1) log.append(randomDraft(chance));
      log.close();
      const again = open(path);
      expect(JSON.stringify(fold(again.events()))).toBe(JSON.stringify(fold(log.events())));
      again.close();
    });
  });

  test("a tail torn at any byte loses the torn event and no other", () => {
    using tree = tempTree();
    const path = tree.path("x.jsonl");
    const log = open(path);
    for (const draft of [user("größer"), answer([call("a")]), result("a", "1")]) log.append(draft);
    log.close();
    const bytes = readFileSync(path);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      writeFileSync(path, bytes.subarray(0, cut));
      const healed = open(path);
      const whole = healed.events().length;
      healed.append(user("after"));
      healed.close();
      const loaded = loadLog(path);
      if (!loaded.ok) throw new Error();
      const torn = bytes.subarray(0, cut).toString().split("\n").at(-1) ?? "";
      const isTorn = torn !== "" && !torn.endsWith("}}");
      expect(loaded.value.tree.events().length).toBe(whole + 1);
      expect(loaded.value.skipped.length).toBe(isTorn ? 1 : 0);
      const lines = bytes
        .subarray(0, cut)
        .toString()
        .split("\n")
        .filter((line) => line.endsWith("}}"));
      expect(whole).toBe(lines.length);
    }
  });
});

describe("memoryLog", () => {
  test("keeps events and writes nothing", () => {
    const log = memoryLog();
    const first = log.append(user("hi"));
    log.journal(() => [{ type: "text", text: "part" }]);
    log.sync();
    log.close();
    expect({ path: log.path(), events: log.events(), notices: log.takeNotices() }).toEqual({
      path: null,
      events: [first],
      notices: [],
    });
  });
});

describe("a log that cannot be written", () => {
  test("is said once, and the run goes on", () => {
    using tree = tempTree({ file: "" });
    const path = tree.path("file/x.jsonl");
    const log = open(path);
    log.append(user("hi"));
    log.journal(() => [{ type: "text", text: "part" }]);
    log.append(say("yes"));
    log.sync();
    expect(log.takeNotices()).toEqual([
      `this session is not recorded from here on: could not lock ${path}.lock: something else has that name (EEXIST); the run goes on, but cannot be resumed past this point`,
    ]);
    expect(log.takeNotices()).toEqual([]);
    expect({ path: log.path(), count: log.events().length }).toEqual({ path: null, count: 2 });
    log.close();
  });

  test("nor read is a failure, and not locked after it", () => {
    using tree = tempTree({ "x.jsonl/": "" });
    const what = `${tree.path("x.jsonl")} is not a regular file: give the path of a session log`;
    expect(openLog(tree.path("x.jsonl"))).toEqual({ ok: false, failure: { kind: "broken", what } });
    expect(readdirSync(tree.root)).toEqual(["x.jsonl"]);
  });

  test("that is a link to somewhere else is not followed", () => {
    using tree = tempTree({ precious: "mine" });
    Bun.spawnSync(["ln", "-s", "precious", tree.path("x.jsonl")]);
    const log = open(tree.path("x.jsonl"));
    log.append(user("hi"));
    expect(log.takeNotices().length).toBe(1);
    log.close();
    expect(readFileSync(tree.path("precious"), "utf8")).toBe("mine");
  });
});

describe("two at once", () => {
  test("the second is refused with the process that has the log, and let in when that closed", () => {
    using tree = tempTree();
    const first = open(tree.path("x.jsonl"));
    expect(openLog(tree.path("x.jsonl"))).toEqual({
      ok: false,
      failure: {
        kind: "denied",
        because: `session x is open in process ${process.pid}: end that one first, or start a new session`,
      },
    });
    first.close();
    open(tree.path("x.jsonl")).close();
  });
});

describe("the journal", () => {
  test("is there while a reply runs and gone when it is stored", async () => {
    using tree = tempTree();
    const path = tree.path("x.jsonl");
    const log = open(path);
    log.append(user("hi"));
    log.journal(() => [{ type: "text", text: "so far" }]);
    await until("the journal is written", () => existsSync(`${path}.journal`));
    expect(statSync(`${path}.journal`).mode & 0o777).toBe(0o600);
    log.append(say("so far and further"));
    log.close();
    expect(readdirSync(tree.root)).toEqual(["x.jsonl"]);
    expect(log.events().length).toBe(2);
  });

  test("close stores what runs as interrupted", () => {
    using tree = tempTree();
    const log = open(tree.path("x.jsonl"));
    log.append(user("hi"));
    log.journal(() => [{ type: "text", text: "so far" }]);
    log.close();
    const again = open(tree.path("x.jsonl"));
    expect(again.events().at(-1)).toMatchObject({
      type: "message.assistant",
      data: { content: [{ type: "text", text: "so far" }], status: "interrupted", stop: null },
    });
    again.close();
  });

  test("left by a killed process becomes an interrupted reply, once", () => {
    using tree = tempTree();
    cpSync("test/fixtures/log", tree.root, { recursive: true });
    const path = tree.path("killed.jsonl");
    const log = open(path);
    expect(log.events().slice(2)).toMatchObject([
      {
        type: "message.assistant",
        parentId: "01JDXK5V000000000000000002",
        data: { content: [{ type: "text", text: "Once upon a time" }], status: "interrupted" },
      },
    ]);
    log.close();
    const again = open(path);
    expect(again.events().length).toBe(3);
    again.close();
    expect(existsSync(`${path}.journal`)).toBe(false);
  });

  test("of a reply that was stored after all is thrown away", () => {
    using tree = tempTree();
    const path = tree.path("x.jsonl");
    const log = open(path);
    const prompt = log.append(user("hi"));
    log.append(say("whole"));
    log.append(user("more"));
    log.close();
    const content = [{ type: "text", text: "who" }];
    writeFileSync(`${path}.journal`, JSON.stringify({ v: 1, after: prompt.id, content }));
    const again = open(path);
    expect(texts(again)).toEqual(texts(log));
    again.close();
  });

  test("that is torn or holds something else changes nothing", () => {
    using tree = tempTree();
    const path = tree.path("x.jsonl");
    for (const junk of [
      "",
      "{",
      "null",
      '{"v":1,"after":null,"content":[{"type":"video"}]}',
      "[]",
    ]) {
      writeFileSync(`${path}.journal`, junk);
      const log = open(path);
      expect(log.events()).toEqual([]);
      log.close();
    }
  });
});
