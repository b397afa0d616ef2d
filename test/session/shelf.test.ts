// The sessions of a project: listed from a cache that may be wrong, found by what a person types, named apart.
import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ulids } from "../../src/base/ids.ts";
import type { Result } from "../../src/base/failure.ts";
import type { Draft } from "../../src/session/event.ts";
import { openLog } from "../../src/session/reopen.ts";
import type { Row } from "../../src/session/row.ts";
import { sessionPath, shelfOf, type Shelf } from "../../src/session/folder.ts";
import {
  findSession,
  freeName,
  listSessions,
  newestSession,
  withFreeName,
} from "../../src/session/shelf.ts";
import { tempTree } from "../support/temp-tree.ts";
import { say, started, user } from "./drafts.ts";

const CWD = "/home/ada/shop";
const START = Date.parse("2026-11-30T20:00:00.000Z");

function shelfIn(data: string, cwd = CWD): Shelf {
  return shelfOf({ data, cwd, sessionDir: null });
}

/** A session whose events come a minute apart from `minute` on. */
function store(shelf: Shelf, id: string, drafts: readonly Draft[], minute = 0): string {
  let now = START + minute * 60_000;
  const log = openLog(sessionPath(shelf, id), { now: () => (now += 60_000) });
  if (!log.ok) throw new Error(JSON.stringify(log.failure));
  for (const draft of drafts) log.value.append(draft);
  log.value.close();
  return sessionPath(shelf, id);
}

function rename(name: string): Draft {
  return { type: "session.renamed", data: { name } };
}

function found(result: Result<Row>): string {
  return result.ok ? result.value.id : JSON.stringify(result.failure);
}

describe("listSessions", () => {
  test("shows of each session what its log says, the last used first", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const one = store(shelf, "ONE", [
      started("first", CWD),
      user("Fix  the\n tests, please"),
      say("ok"),
    ]);
    store(shelf, "TWO", [started("second", CWD)], 10);
    expect(listSessions(shelf).map(({ id }) => id)).toEqual(["TWO", "ONE"]);
    expect(listSessions(shelf)[1]).toEqual({
      id: "ONE",
      path: one,
      created: "2026-11-30T20:01:00.000Z",
      lastActivity: "2026-11-30T20:03:00.000Z",
      cwd: CWD,
      name: "first",
      firstPrompt: "Fix the tests, please",
      problem: null,
      bytes: readFileSync(one).length,
    });
  });

  test("sees what was added after the index was written", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    store(shelf, "ONE", [started("first", CWD)]);
    listSessions(shelf);
    store(shelf, "ONE", [user("hi"), rename("better")], 5);
    expect(listSessions(shelf)).toMatchObject([
      { name: "better", firstPrompt: "hi", lastActivity: "2026-11-30T20:07:00.000Z" },
    ]);
  });

  test("a line that was half written when it was listed is read when it is whole", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const path = store(shelf, "ONE", [started("first", CWD)]);
    const event = {
      v: 1,
      id: "z",
      parentId: null,
      time: "2026-11-30T21:00:00.000Z",
      ...rename("second"),
    };
    const line = JSON.stringify(event);
    appendFileSync(path, line.slice(0, 80));
    expect(listSessions(shelf)).toMatchObject([{ name: "first" }]);
    appendFileSync(path, `${line.slice(80)}\n`);
    expect(listSessions(shelf)).toMatchObject([{ name: "second" }]);
  });

  test("gives the same rows with the index missing, damaged or telling of sessions that are gone", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    for (const id of ["A", "B", "C"]) store(shelf, id, [started(id, CWD), user(`do ${id}`)]);
    const path = join(shelf.folder, "index.jsonl");
    const rows = listSessions(shelf);
    expect(listSessions(shelf)).toEqual(rows);
    const index = readFileSync(path, "utf8");
    const damages = [
      "",
      "not json\n",
      "\0".repeat(100),
      index.slice(0, -20),
      index.replaceAll('"v":1', '"v":2'),
      index.replaceAll(/"bytes":\d+/g, '"bytes":99999999'),
      index.replaceAll(/"bytes":\d+/g, '"bytes":-1'),
      index.replaceAll('"id":"A"', '"id":"GONE"'),
      `${index}${index}`,
    ];
    for (const damage of damages) {
      writeFileSync(path, damage);
      expect(listSessions(shelf)).toEqual(rows);
      expect(listSessions(shelf)).toEqual(rows);
    }
    rmSync(path);
    expect(listSessions(shelf)).toEqual(rows);
    rmSync(sessionPath(shelf, "B"));
    expect(listSessions(shelf)).toEqual(rows.filter(({ id }) => id !== "B"));
  });

  test("shows a session that cannot be read with the reason", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    store(shelf, "GOOD", [started("good", CWD)]);
    mkdirSync(sessionPath(shelf, "FOLDER"));
    Bun.spawnSync(["ln", "-s", "nowhere", sessionPath(shelf, "LINK")]);
    writeFileSync(sessionPath(shelf, "EMPTY"), "");
    const shown = listSessions(shelf).map(({ id, name, problem }) => ({ id, name, problem }));
    expect(shown.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: "EMPTY", name: null, problem: null },
      { id: "FOLDER", name: null, problem: "it is not a regular file" },
      { id: "GOOD", name: "good", problem: null },
      { id: "LINK", name: null, problem: "it does not exist (ENOENT)" },
    ]);
  });

  test("a torn tail is no reason to forget what stands before it, nor to miss what follows", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const path = store(shelf, "ONE", [started("first", CWD), user("hi")]);
    appendFileSync(path, '{"v":1,"type":"session.ren');
    expect(listSessions(shelf)).toMatchObject([{ name: "first", firstPrompt: "hi" }]);
    store(shelf, "ONE", [rename("second")], 9);
    expect(listSessions(shelf)).toMatchObject([{ name: "second", firstPrompt: "hi" }]);
  });

  test("writes the index anew when most of it is outdated", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const path = join(shelf.folder, "index.jsonl");
    store(shelf, "ONE", [started("first", CWD)]);
    const rows = listSessions(shelf);
    const line = readFileSync(path, "utf8");
    writeFileSync(path, line.repeat(600));
    expect(listSessions(shelf)).toEqual(rows);
    expect(readFileSync(path, "utf8")).toBe(line);
  });

  test("lists what is there where the index cannot be written", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    store(shelf, "ONE", [started("first", CWD)]);
    mkdirSync(join(shelf.folder, "index.jsonl"));
    expect(listSessions(shelf)).toMatchObject([{ id: "ONE", name: "first" }]);
  });

  test("lists ten thousand sessions, from their logs and then from the index", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const makeId = ulids();
    mkdirSync(shelf.folder, { recursive: true });
    for (let count = 0; count < 10_000; count += 1) {
      const id = makeId();
      const time = new Date(START + count * 1000).toISOString();
      const event = { v: 1, id, parentId: null, time, ...started(`s${count}`, CWD) };
      writeFileSync(sessionPath(shelf, id), `${JSON.stringify(event)}\n`);
    }
    const names = listSessions(shelf).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 10_000 }, (_, count) => `s${9999 - count}`));
    expect(listSessions(shelf).map(({ name }) => name)).toEqual(names);
    const index = readFileSync(join(shelf.folder, "index.jsonl"), "utf8");
    expect(index.trimEnd().split("\n").length).toBe(10_000);
  }, 60_000);
});

describe("newestSession", () => {
  test("is the last used one of this folder that was asked anything", () => {
    using tree = tempTree();
    const shelf = { ...shelfIn(tree.root), folder: tree.path("mixed") };
    store(shelf, "OLD", [started("old", CWD), user("hi")], 1);
    store(shelf, "HERE", [started("here", CWD), user("hi")], 10);
    store(shelf, "UNASKED", [started("unasked", CWD)], 20);
    store(shelf, "ELSEWHERE", [started("elsewhere", "/srv"), user("hi")], 30);
    expect(newestSession(shelf)?.id).toBe("HERE");
    expect(newestSession(shelfIn(tree.path("nothing")))).toBeNull();
  });
});

describe("findSession", () => {
  test("takes an id, the beginning of one in any case, a name or a path", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const path = store(shelf, "01JDXK5V0A", [started("fix", CWD)]);
    store(shelf, "01JDXM0000", [started("01JDXK", CWD)]);
    expect(found(findSession(shelf, "01JDXK5V0A"))).toBe("01JDXK5V0A");
    expect(found(findSession(shelf, "01jdxk5"))).toBe("01JDXK5V0A");
    expect(found(findSession(shelf, "fix"))).toBe("01JDXK5V0A");
    expect(found(findSession(shelf, path))).toBe("01JDXK5V0A");
    expect(found(findSession(shelf, "01JDXK"))).toBe("01JDXM0000");
  });

  test("refuses a beginning that fits several and names them", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    store(shelf, "01JDXK5V0A", [started("fix", CWD)]);
    store(shelf, "01JDXK5V0B", [user("hi")], 10);
    expect(findSession(shelf, "01JD")).toEqual({
      ok: false,
      failure: {
        kind: "invalid",
        what: '"01JD" begins the ids of 2 sessions, give more of the one you mean: 01JDXK5V0B (unnamed), 01JDXK5V0A (fix)',
      },
    });
  });

  test("finds ids of other projects, but prefers this one", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const other = shelfIn(tree.root, "/srv/other");
    store(other, "01JDXK5V0A", [started("far", "/srv/other")]);
    expect(found(findSession(shelf, "01JDXK5V0A"))).toBe("01JDXK5V0A");
    expect(found(findSession(shelf, "01JDXK"))).toBe("01JDXK5V0A");
    expect(findSession(shelf, "far").ok).toBe(false);
    store(shelf, "01JDXK5V0B", [started("near", CWD)]);
    expect(found(findSession(shelf, "01JDXK"))).toBe("01JDXK5V0B");
  });

  test("says what could be given where nothing fits", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    store(shelf, "01JDXK5V0A", [started("fix", CWD)]);
    for (const ref of ["nope", "01J", "01JDXZ"]) {
      const what = `there is no session "${ref}": give an id, at least 4 characters of one, a name of this project or a path ("burin sessions" lists them)`;
      expect(findSession(shelf, ref)).toEqual({ ok: false, failure: { kind: "missing", what } });
    }
    expect(findSession(shelf, "./no.jsonl").ok).toBe(false);
  });

  test("a session the index does not know is found by its path", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.path("data"));
    const away = { ...shelf, folder: tree.path("away") };
    const path = store(away, "X", [started("away", CWD)]);
    expect(found(findSession(shelf, path))).toBe("X");
    expect(existsSync(join(away.folder, "index.jsonl"))).toBe(false);
  });
});

describe("names", () => {
  test("a taken name gets the first free number", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    expect(freeName(shelf, "fix")).toBe("fix");
    store(shelf, "A", [started("fix", CWD)]);
    store(shelf, "B", [started("other", CWD), rename("fix-2")]);
    expect(freeName(shelf, "fix")).toBe("fix-3");
    expect(freeName(shelf, "other")).toBe("other");
  });

  test("a session started under a free name keeps it from the next", () => {
    using tree = tempTree();
    const shelf = shelfIn(tree.root);
    const begin = (id: string): string =>
      withFreeName(shelf, "fix", (name) => {
        store(shelf, id, [started(name, CWD)]);
        return name;
      });
    expect([begin("A"), begin("B"), begin("C")]).toEqual(["fix", "fix-2", "fix-3"]);
    expect(readdirSync(shelf.folder)).not.toContain("names.lock");
  });

  test("processes that want the same name at the same time get different ones", async () => {
    using tree = tempTree();
    const script = Bun.fileURLToPath(import.meta.resolve("./names.ts"));
    const runs = Array.from({ length: 6 }, () =>
      Bun.spawn([process.execPath, script, tree.root, "now"], { stderr: "inherit" }),
    );
    const names = await Promise.all(runs.map((run) => new Response(run.stdout).text()));
    expect(names.map((name) => name.trim()).toSorted()).toEqual([
      "now",
      "now-2",
      "now-3",
      "now-4",
      "now-5",
      "now-6",
    ]);
  }, 30_000);
});

test("--session-dir puts sessions where it says, from the folder burin runs in", () => {
  const shelf = shelfOf({ data: "/data", cwd: CWD, sessionDir: ".burin/sessions" });
  expect(sessionPath(shelf, "X")).toBe("/home/ada/shop/.burin/sessions/X.jsonl");
});
