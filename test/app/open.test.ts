// Opening a session: what a new one stores, what an old one keeps, and what is written where.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask } from "../../src/agent/confirm.ts";
import { parseRule } from "../../src/policy/rules.ts";
import { openPlace } from "../../src/app/open.ts";
import { missing, ok } from "../../src/base/failure.ts";
import type { SessionEvent } from "../../src/session/event.ts";
import type { ModelRequest } from "../../src/model/request.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import { call, DONE, endOf } from "../agent/fixture.ts";
import { collect } from "../support/collect.ts";
import { tempTree } from "../support/temp-tree.ts";
import { asking, chosen, encoding, open, openingIn } from "./fixture.ts";

const PROJECT = { "project/AGENTS.md": "Use tabs.\n", "project/a.txt": "old\n" };

function systemOf(events: readonly SessionEvent[]): string[] {
  const [first] = events;
  return first?.type === "session.started" ? first.data.system : [];
}

/** All files under the tree but those of the project. */
function written(root: string): string[] {
  return [...new Bun.Glob("**/*").scanSync({ cwd: root, dot: true })].filter(
    (path) => !path.startsWith("project/"),
  );
}

describe("a new session", () => {
  test("is on disk with its pinned prefix before anything is asked", async () => {
    using tree = tempTree(PROJECT);
    const place = await open(openingIn(tree, []), { kind: "new", name: "job" });
    const { path } = place.session();
    const [line = ""] = readFileSync(path ?? "", "utf8").split("\n");
    expect(JSON.parse(line)).toMatchObject({
      type: "session.started",
      data: {
        name: "job",
        cwd: tree.path("project"),
        provider: "script",
        model: "script",
        mode: "standard",
      },
    });
    expect(systemOf(place.events()).join("\n")).toContain("Use tabs.");
    expect(place.contextFiles).toEqual([tree.path("project/AGENTS.md")]);
    await place.close();
  });

  test("has a name of its own: a taken one gets a number", async () => {
    using tree = tempTree(PROJECT);
    const names: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const place = await open(openingIn(tree, []), { kind: "new", name: "job" });
      names.push(place.session().name);
      await place.close();
    }
    expect(names).toEqual(["job", "job-2", "job-3"]);
  });

  test.each(["", "  ", "two\nlines"])("is not called %j", async (name) => {
    using tree = tempTree(PROJECT);
    expect(await openPlace(openingIn(tree, []), { kind: "new", name })).toEqual({
      ok: false,
      failure: {
        kind: "invalid",
        what: "the name of a session is one line of text and not empty: give another --name",
      },
    });
    expect(written(tree.root)).toEqual([]);
  });

  test("without a model writes nothing", async () => {
    using tree = tempTree(PROJECT);
    const chooseModel = () => Promise.resolve(missing("no model"));
    const place = await openPlace(openingIn(tree, [], { chooseModel }), {
      kind: "new",
      name: "job",
    });
    expect(place).toEqual(missing("no model"));
    expect(written(tree.root)).toEqual([]);
  });
});

describe("a resumed session", () => {
  test("keeps its pinned prefix byte for byte though AGENTS.md changed", async () => {
    using tree = tempTree(PROJECT);
    const bodies: string[] = [];
    const model = encoding(scriptedModel([DONE, DONE]), bodies);
    const opening = openingIn(tree, [], { chooseModel: () => Promise.resolve(ok(chosen(model))) });
    const first = await open(opening, { kind: "new", name: "job" });
    await collect(first.ask("one", asking()));
    await first.close();
    writeFileSync(tree.path("project/AGENTS.md"), "Use spaces.\n");
    const second = await open(opening, { kind: "continue" });
    expect(systemOf(second.events()).join("\n")).toContain("Use tabs.");
    await collect(second.ask("two", asking()));
    await second.close();
    expect(bodies.length).toBe(2);
    expect(bodies[1]?.startsWith(bodies[0]?.slice(0, -"]}".length) ?? "-")).toBe(true);
  });

  test.each<[string, { kind: "resume"; ref: string } | { kind: "continue" }]>([
    ["by name", { kind: "resume", ref: "job" }],
    ["as the newest", { kind: "continue" }],
  ])("%s has the same id, name and events", async (_name, choice) => {
    using tree = tempTree(PROJECT);
    const first = await open(openingIn(tree, [DONE]), { kind: "new", name: "job" });
    await collect(first.ask("one", asking()));
    await first.close();
    const second = await open(openingIn(tree, []), choice);
    expect(second.session()).toEqual({ ...first.session(), path: second.session().path });
    expect(second.events()).toEqual(first.events());
    expect(second.totals()).toEqual(first.totals());
    await second.close();
  });

  test("with another model says so in its log, with the same one it does not", async () => {
    using tree = tempTree(PROJECT);
    const first = await open(openingIn(tree, [DONE]), { kind: "new", name: "job" });
    await collect(first.ask("one", asking()));
    await first.close();
    const chooseModel = () => Promise.resolve(ok(chosen(scriptedModel([], "other"))));
    for (let time = 0; time < 2; time += 1) {
      const again = await open(openingIn(tree, [], { chooseModel }), {
        kind: "resume",
        ref: "job",
      });
      const changes = again
        .events()
        .flatMap((event) => (event.type === "model.changed" ? [event.data] : []));
      expect(changes).toEqual([{ provider: "other", model: "other" }]);
      await again.close();
    }
  });

  test("asks the chooser for the model it was last used with", async () => {
    using tree = tempTree(PROJECT);
    const stored: unknown[] = [];
    const chooseModel = (last: unknown) => {
      stored.push(last);
      return Promise.resolve(ok(chosen(scriptedModel([DONE], "second"))));
    };
    const first = await open(openingIn(tree, [DONE]), { kind: "new", name: "job" });
    await collect(first.ask("one", asking()));
    await first.close();
    for (let time = 0; time < 2; time += 1) {
      await (await open(openingIn(tree, [], { chooseModel }), { kind: "continue" })).close();
    }
    expect(stored).toEqual([
      { provider: "script", model: "script" },
      { provider: "second", model: "second" },
    ]);
  });

  test("without its model is let go of, so that it can be opened again", async () => {
    using tree = tempTree(PROJECT);
    await (await open(openingIn(tree, []), { kind: "new", name: "job" })).close();
    const chooseModel = () => Promise.resolve(missing("no model"));
    const choice = { kind: "resume", ref: "job" } as const;
    expect(await openPlace(openingIn(tree, [], { chooseModel }), choice)).toEqual(
      missing("no model"),
    );
    await (await open(openingIn(tree, []), choice)).close();
  });

  test("holds what a person granted", async () => {
    using tree = tempTree(PROJECT);
    const write = (id: string) => ({
      steps: [call("write", id, { path: "new.txt", content: id })],
    });
    const asked: Ask[] = [];
    const confirm = (ask: Ask) => {
      asked.push(ask);
      return Promise.resolve({ kind: "session", rule: ask.question.offer } as const);
    };
    for (const choice of [{ kind: "new", name: "job" }, { kind: "continue" }] as const) {
      const place = await open(openingIn(tree, [write(choice.kind), DONE]), choice);
      await collect(place.ask("write it", asking({ confirm })));
      await place.close();
    }
    expect(asked.map(({ question }) => question.offer)).toEqual(["write(new.txt)"]);
  });

  test("holds nothing that no person granted: a headless yes covers its call only", async () => {
    using tree = tempTree(PROJECT);
    const write = (id: string) => ({
      steps: [call("write", id, { path: "new.txt", content: id })],
    });
    let asked = 0;
    const confirm = () => {
      asked += 1;
      return Promise.resolve({
        kind: "unasked",
        isAllowed: true,
        because: "the settings allow it",
      } as const);
    };
    for (const choice of [{ kind: "new", name: "job" }, { kind: "continue" }] as const) {
      const place = await open(openingIn(tree, [write(choice.kind), DONE]), choice);
      await collect(place.ask("write it", asking({ confirm })));
      await place.close();
      // A file that is there and was not read would be refused without a question.
      rmSync(join(place.cwd, "new.txt"));
    }
    expect(asked).toBe(2);
  });
});

test("a search passes over what a rule denies to be read", async () => {
  using tree = tempTree({ ...PROJECT, "project/secrets/a": "needle\n", "project/b": "needle\n" });
  const rule = parseRule("deny", "read(secrets/**)");
  const rules = rule.ok ? [rule.value] : [];
  const search = { steps: [call("grep", "g", { pattern: "needle" })] };
  const place = await open(openingIn(tree, [search, DONE], { rules }), {
    kind: "new",
    name: "job",
  });
  const events = await collect(place.ask("find it", asking()));
  await place.close();
  const [result] = events.flatMap((event) =>
    event.kind === "stored" && event.event.type === "message.tool" ? event.event.data.content : [],
  );
  expect(result).toEqual({
    type: "text",
    text: expect.stringMatching(/^b:1:needle\n\n?\[not searched, secret or denied: secrets\/a/),
  });
});

test("a session goes on in its own mode, unless a flag names another", async () => {
  using tree = tempTree(PROJECT);
  const modes: string[] = [];
  for (const [choice, flag] of [
    [{ kind: "new", name: "job" }, "readonly"],
    [{ kind: "resume", ref: "job" }, null],
    [{ kind: "resume", ref: "job" }, "guarded"],
  ] as const) {
    const opening = openingIn(tree, [DONE], { mode: { flag, fallback: "standard" } });
    const place = await open(opening, choice);
    modes.push(place.mode);
    await place.close();
  }
  expect(modes).toEqual(["readonly", "readonly", "guarded"]);
});

describe("without a record", () => {
  test("nothing is written anywhere but what the tools write", async () => {
    using tree = tempTree(PROJECT);
    const long = call("bash", "b", { command: "seq 1 200000" });
    const opening = openingIn(tree, [{ steps: [long] }, DONE], {
      isRecorded: false,
      mode: { flag: "yolo", fallback: "standard" },
    });
    const place = await open(opening, { kind: "new", name: "job" });
    const events = await collect(place.ask("count", asking()));
    expect(endOf(events)).toEqual({ status: "complete", text: "done" });
    const { id, path } = place.session();
    await place.close();
    expect({
      path,
      written: written(tree.root),
      project: readdirSync(tree.path("project")).toSorted(),
    }).toEqual({
      path: null,
      written: [],
      project: ["AGENTS.md", "a.txt"],
    });
    expect(existsSync(`${tmpdir()}/burin-outputs-${id}`)).toBe(false);
  });

  test("an old session is refused", async () => {
    using tree = tempTree(PROJECT);
    const opening = openingIn(tree, [], { isRecorded: false });
    expect(await openPlace(opening, { kind: "continue" })).toEqual({
      ok: false,
      failure: {
        kind: "invalid",
        what: "--no-session cannot go on with a session: leave it out, or start a new one",
      },
    });
  });

  test("no cache key goes with a request", async () => {
    using tree = tempTree(PROJECT);
    const keys: (string | null)[] = [];
    for (const isRecorded of [true, false]) {
      const model = scriptedModel([DONE]);
      const chooseModel = () => Promise.resolve(ok(chosen(model)));
      const place = await open(openingIn(tree, [], { isRecorded, chooseModel }), {
        kind: "new",
        name: "job",
      });
      await collect(place.ask("x", asking()));
      await place.close();
      keys.push(
        ...model.requests.map(({ cacheKey }: ModelRequest) =>
          cacheKey === place.session().id ? "id" : cacheKey,
        ),
      );
    }
    expect(keys).toEqual(["id", null]);
  });
});

test("over rounds, steering and resume each request's bytes begin the next one's", async () => {
  using tree = tempTree(PROJECT);
  const bodies: string[] = [];
  const script = [
    {
      steps: [
        { reasoning: "hm" },
        { text: "I look." },
        call("read", "r", { path: "a.txt" }),
        call("ls", "l"),
      ],
    },
    { steps: [call("nothing", "n"), call("read", "b", '{"path":')] },
    DONE,
    { steps: [call("grep", "g", { pattern: "old" })] },
    DONE,
  ];
  const model = encoding(scriptedModel(script), bodies);
  const opening = openingIn(tree, [], { chooseModel: () => Promise.resolve(ok(chosen(model))) });
  const typed = [["be quick"], [], ["größer\u2028"]];
  const inbox = { take: () => typed.shift() ?? [] };
  for (const choice of [{ kind: "new", name: "job" }, { kind: "continue" }] as const) {
    const place = await open(opening, choice);
    await collect(place.ask("go on", asking({ inbox })));
    await place.close();
  }
  expect(bodies.length).toBe(5);
  for (const [at, body] of bodies.entries()) {
    const next = bodies[at + 1] ?? body;
    expect({ at, begins: next.startsWith(body.slice(0, -"]}".length)) }).toEqual({
      at,
      begins: true,
    });
  }
});
