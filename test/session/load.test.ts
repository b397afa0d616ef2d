// A log file to its live branch: whatever happened to the file, what can be read is.
import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import type { Draft, SessionEvent } from "../../src/session/event.ts";
import { loadLog } from "../../src/session/load.ts";
import { memoryLog } from "../../src/session/log.ts";
import { openLog } from "../../src/session/reopen.ts";
import { forSeeds } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { chain, randomDraft, say, started, user } from "./drafts.ts";

function load(path: string) {
  const loaded = loadLog(path);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return loaded.value;
}

function text(events: readonly SessionEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

function ids(events: readonly SessionEvent[]): string[] {
  return events.map(({ id }) => id);
}

function leaf(to: string): Draft {
  return { type: "session.leaf", data: { leaf: to, reason: "undo" } };
}

describe("loadLog", () => {
  test("reads back what was written", () => {
    using tree = tempTree();
    forSeeds(20, (chance) => {
      const path = tree.path(`${chance.int(1e9)}.jsonl`);
      const events = chain(Array.from({ length: 30 }, () => randomDraft(chance)));
      writeFileSync(path, text(events));
      const loaded = load(path);
      expect(loaded.skipped).toEqual([]);
      expect([...loaded.tree.events()]).toEqual(events);
    });
  });

  test("every undamaged event of a log with damaged lines stays on the live branch", () => {
    using tree = tempTree();
    const damages = ["", "{", "\0\0\0", '{"v":1}', "\xff\xfe", "null"];
    forSeeds(100, (chance) => {
      const path = tree.path("x.jsonl");
      const events = chain(Array.from({ length: 20 }, () => randomDraft(chance)));
      const lost = new Set(events.filter(() => chance.chance(0.3)).map(({ id }) => id));
      const lines = events.map((event) =>
        lost.has(event.id) ? chance.pick(damages) : JSON.stringify(event),
      );
      writeFileSync(path, lines.join("\n"));
      expect(ids(load(path).tree.events())).toEqual(ids(events.filter(({ id }) => !lost.has(id))));
    });
  });

  test("damaged lines are counted by their number and not changed", async () => {
    const path = "test/fixtures/log/damaged.jsonl";
    const before = await Bun.file(path).bytes();
    const { skipped, tree, count, name } = load(path);
    expect(skipped).toEqual([
      { line: 3, why: "it is not JSON" },
      { line: 5, why: "it is not JSON" },
      { line: 8, why: "its id 01JDXK5V000000000000000002 is taken by a line before" },
    ]);
    expect({
      types: tree.events().map(({ type }) => type),
      count,
      name,
    }).toEqual({
      types: ["session.started", "message.user", "message.user", "unknown", "message.assistant"],
      count: 5,
      name: "damaged",
    });
    expect(await Bun.file(path).bytes()).toEqual(before);
  });

  test("the name is the last one given, on any branch", () => {
    using tree = tempTree();
    const rename = (name: string): Draft => ({ type: "session.renamed", data: { name } });
    const events = chain([started("one", "/"), rename("two"), user("hi"), leaf("e0"), user("no")]);
    writeFileSync(tree.path("x.jsonl"), text(events));
    expect(load(tree.path("x.jsonl")).name).toBe("two");
  });

  test("a line longer than any chunk is one line", () => {
    using tree = tempTree();
    const long = "ü€".repeat(1_500_000);
    const events = chain([user("before"), say(long), user("after")]);
    writeFileSync(tree.path("x.jsonl"), text(events));
    expect([...load(tree.path("x.jsonl")).tree.events()]).toEqual(events);
  });

  test("a last line without newline counts when it is whole", () => {
    using tree = tempTree();
    const events = chain([user("one"), say("two")]);
    writeFileSync(tree.path("x.jsonl"), text(events).trimEnd());
    expect([...load(tree.path("x.jsonl")).tree.events()]).toEqual(events);
  });

  test("what is no regular file is a failure, not a wait", () => {
    using tree = tempTree();
    mkdirSync(tree.path("folder.jsonl"));
    Bun.spawnSync(["mkfifo", tree.path("pipe.jsonl")]);
    expect(loadLog(tree.path("none.jsonl"))).toEqual({
      ok: false,
      failure: { kind: "missing", what: `there is no session log at ${tree.path("none.jsonl")}` },
    });
    for (const name of ["folder.jsonl", "pipe.jsonl"]) {
      const what = `${tree.path(name)} is not a regular file: give the path of a session log`;
      expect(loadLog(tree.path(name))).toEqual({ ok: false, failure: { kind: "broken", what } });
    }
  });
});

describe("the leaf", () => {
  test("is the last event of the file, on whatever branch", () => {
    using tree = tempTree();
    const [first, second, third] = chain([user("one"), say("two"), user("three")]);
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    const other = { ...third, id: "other", parentId: first.id };
    writeFileSync(tree.path("x.jsonl"), text([first, second, third, other]));
    expect(ids(load(tree.path("x.jsonl")).tree.events())).toEqual(["e0", "other"]);
  });

  test("is where a session.leaf points until the next event", () => {
    const loaded = load("test/fixtures/log/tree.jsonl");
    expect(ids(loaded.tree.events())).toEqual([
      "01JDXK5V000000000000000001",
      "01JDXK5V000000000000000002",
      "01JDXK5V000000000000000003",
    ]);
  });

  test("does not move for a session.leaf that names nothing", () => {
    using tree = tempTree();
    const events = chain([user("one"), say("two"), leaf("nowhere")]);
    writeFileSync(tree.path("x.jsonl"), text(events));
    expect(ids(load(tree.path("x.jsonl")).tree.events())).toEqual(["e0", "e1"]);
  });

  test("comes back to a branch that was left in another process", () => {
    using tree = tempTree();
    const path = tree.path("x.jsonl");
    const first = openLog(path);
    if (!first.ok) throw new Error();
    const root = first.value.append(user("one"));
    const left = first.value.append(say("left"));
    first.value.append(leaf(root.id));
    const right = first.value.append(say("right"));
    expect(ids(first.value.events())).toEqual([root.id, right.id]);
    first.value.close();

    const second = openLog(path);
    if (!second.ok) throw new Error();
    expect(ids(second.value.events())).toEqual([root.id, right.id]);
    second.value.append(leaf(left.id));
    expect(ids(second.value.events())).toEqual([root.id, left.id]);
    const next = second.value.append(user("next"));
    second.value.close();
    expect(next.parentId).toBe(left.id);
    expect(ids(load(path).tree.events())).toEqual([root.id, left.id, next.id]);
  });

  test("moves the same way in memory, in the file and over a restart", () => {
    using tree = tempTree();
    forSeeds(40, (chance) => {
      const path = tree.path(`${chance.int(1e9)}.jsonl`);
      let id = 0;
      const tools = { newId: () => `e${id}`, now: () => 0 };
      const memory = memoryLog(tools);
      const opened = openLog(path, tools);
      if (!opened.ok) throw new Error();
      for (; id < 40; id += 1) {
        const draft = id > 0 && chance.chance(0.2) ? leaf(`e${chance.int(id)}`) : user(String(id));
        memory.append(draft);
        opened.value.append(draft);
        expect(ids(opened.value.events())).toEqual(ids(memory.events()));
      }
      opened.value.close();
      expect(ids(load(path).tree.events())).toEqual(ids(memory.events()));
    });
  });

  test("a log edited so that events follow each other in a circle still loads", () => {
    using tree = tempTree();
    const [first, second] = chain([user("one"), say("two")]);
    if (first === undefined || second === undefined) throw new Error();
    writeFileSync(tree.path("x.jsonl"), text([{ ...first, parentId: second.id }]));
    appendFileSync(tree.path("x.jsonl"), text([second]));
    expect(ids(load(tree.path("x.jsonl")).tree.events())).toEqual(["e0", "e1"]);
  });
});
