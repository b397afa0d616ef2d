// A turn from prompt to end: what is stored when, where steering goes in, and what ends it.
import { describe, expect, test } from "bun:test";
import type { TurnEvent } from "../../src/agent/event.ts";
import type { TurnKit } from "../../src/agent/kit.ts";
import { entriesOf, FEED, tell } from "../../src/chat/transcript.ts";
import type { Entry } from "../../src/chat/entry.ts";
import { fold } from "../../src/session/fold.ts";
import type { SessionEvent } from "../../src/session/event.ts";
import { createLog, memoryLog, type SessionLog } from "../../src/session/log.ts";
import { loadLog } from "../../src/session/load.ts";
import { toolNamed, toolNames } from "../../src/tools/registry.ts";
import { random } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { toolKit } from "../support/tool-kit.ts";
import { ask, call, DONE, endOf, question, results, storedOf, tool, turnKit } from "./fixture.ts";
import { randomTools, randomTurns } from "./scripts.ts";

const SEEDS = 300;
const echo = tool("echo", "read", (input) => JSON.stringify(input));

describe("the prompt", () => {
  test("is on disk before the request leaves", async () => {
    using tree = tempTree();
    const path = tree.path("s.jsonl");
    const log = createLog(path);
    if (!log.ok) throw new Error("no log");
    const onDisk: unknown[] = [];
    const { kit, model } = turnKit([DONE], [], { log: log.value });
    const watched: TurnKit = {
      ...kit,
      model: {
        ...model,
        stream(request, signal) {
          const loaded = loadLog(path);
          onDisk.push(...(loaded.ok ? loaded.value.tree.events() : []));
          return model.stream(request, signal);
        },
      },
    };
    await ask(watched, "Remember me");
    expect(onDisk).toMatchObject([
      {
        type: "message.user",
        data: { content: [{ type: "text", text: "Remember me" }], origin: "prompt" },
      },
    ]);
    log.value.close();
  });

  test("and the end of the turn wait for the disk", async () => {
    const log = memoryLog();
    const synced: (string | undefined)[] = [];
    const counting: SessionLog = { ...log, sync: () => synced.push(log.events().at(-1)?.type) };
    await ask(turnKit([DONE], [], { log: counting }).kit);
    expect(synced).toEqual(["message.user", "session.ended"]);
  });
});

test("the stored events are the log, and the last event is the end", async () => {
  const { kit, log } = turnKit(
    [{ steps: [{ text: "I look." }, call("echo", "a", { n: 1 })] }, DONE],
    [echo],
  );
  const events = await ask(kit);
  expect<unknown[]>(storedOf(events)).toEqual([...log.events()]);
  expect(log.events().map(({ type }) => type)).toEqual([
    "message.user",
    "message.assistant",
    "model.usage",
    "message.tool",
    "message.assistant",
    "model.usage",
    "session.ended",
  ]);
  expect(log.events().at(-1)).toMatchObject({
    data: { status: "complete", reason: "", rounds: 2, toolCalls: 1 },
  });
  expect(events.at(-1)).toEqual({ kind: "end", end: { status: "complete", text: "done" } });
});

test("a second turn counts its own rounds and calls", async () => {
  const { kit, log } = turnKit([{ steps: [call("echo", "a")] }, DONE, DONE], [echo]);
  await ask(kit, "first");
  await ask(kit, "second");
  expect(log.events().at(-1)).toMatchObject({ data: { rounds: 1, toolCalls: 0 } });
});

test("real tools work on a real folder", async () => {
  using tree = tempTree({ "a.txt": "old\n" });
  await using tools = toolKit(tree.root);
  const { kit, model } = turnKit(
    [
      { steps: [call("read", "r", { path: "a.txt" })] },
      {
        expect: "old",
        steps: [call("edit", "e", { path: "a.txt", edits: [{ oldText: "old", newText: "new" }] })],
      },
      { steps: [call("read", "r2", { path: "a.txt" })] },
      { expect: "new", steps: [{ text: "done" }] },
    ],
    [],
    {
      tool: toolNamed,
      toolNames: toolNames(),
      toolKit: (signal, live) => ({ ...tools, signal, live }),
    },
  );
  expect(endOf(await ask(kit))).toEqual({ status: "complete", text: "done" });
  expect(await Bun.file(tree.path("a.txt")).text()).toBe("new\n");
  expect(model.requests.length).toBe(4);
});

describe("steering", () => {
  /** What is typed while the first tool runs. */
  function typing(kit: Partial<TurnKit> = {}) {
    const typed: string[] = [];
    const type = tool("type", "write", () => `typed ${typed.push("and tests", "quickly")}`);
    const inbox = { take: () => typed.splice(0) };
    return {
      typed,
      ...turnKit([{ steps: [call("type", "a"), call("type", "b")] }, DONE], [type], {
        inbox,
        ...kit,
      }),
    };
  }

  test("is admitted after the batch and before the next request", async () => {
    const { kit, model, log } = typing();
    await ask(kit);
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
      "user",
      "user",
      "user",
    ]);
    const said = log
      .events()
      .flatMap((event) => (event.type === "message.user" ? [event.data.origin] : []));
    expect(said).toEqual(["prompt", "steer", "steer", "steer", "steer"]);
  });

  test("comes before news of what ran in the background, and the request only grows", async () => {
    const news: string[] = [];
    const { kit, model, log } = typing({ news: () => news.splice(0) });
    news.push("a server ended");
    await ask(kit);
    const said = log
      .events()
      .flatMap((event) => (event.type === "message.user" ? [event.data.origin] : []));
    expect(said).toEqual(["prompt", "background", "steer", "steer", "steer", "steer"]);
    const [first, second] = model.requests.map(({ messages }) => messages);
    expect(second?.slice(0, first?.length)).toEqual(first ?? []);
  });

  test("stays where it is when a limit ends the turn first", async () => {
    const { kit, typed, log } = typing({
      limits: { maxRounds: 1, maxCostUsd: null, deadline: null },
    });
    expect(endOf(await ask(kit))).toEqual({ status: "limit", which: "rounds (1)" });
    expect(typed).toEqual(["and tests", "quickly", "and tests", "quickly"]);
    expect(log.events().filter(({ type }) => type === "message.user").length).toBe(1);
  });
});

describe("a limit stops before the next request", () => {
  const looping = { steps: [call("echo", "a")], repeat: 9, usage: { costUsd: 0.4 } };
  const none = { maxRounds: 50, maxCostUsd: null, deadline: null };
  test.each([
    ["rounds", { ...none, maxRounds: 3 }, "rounds (3)", 3],
    ["cost", { ...none, maxCostUsd: 1 }, "cost (1 USD)", 3],
    ["time", { ...none, deadline: 2 }, "time", 2],
    ["time that was over before", { ...none, deadline: 0 }, "time", 0],
  ])("%s", async (_name, limits, which, requests) => {
    let time = 0;
    const { kit, model, log } = turnKit(
      [looping],
      [tool("echo", "write", () => `${(time += 1)}`)],
      {
        limits,
        now: () => time,
      },
    );
    const end = endOf(await ask(kit));
    expect({ end, requests: model.requests.length }).toEqual({
      end: { status: "limit", which },
      requests,
    });
    expect(log.events().at(-1)).toMatchObject({ data: { status: "limit", reason: which } });
  });

  test("a limit on a cost that is not known says that it cannot hold", async () => {
    const { kit } = turnKit(
      [{ ...looping, usage: { costUsd: null } }],
      [tool("echo", "write", () => "x")],
      {
        limits: { ...none, maxRounds: 2, maxCostUsd: 1 },
        price: () => Promise.resolve(null),
      },
    );
    const events = await ask(kit);
    const said = events.flatMap((event) =>
      event.kind === "live" && event.event.type === "notice" ? event.event.text : [],
    );
    expect(said).toEqual([expect.stringContaining("--max-cost cannot stop it")]);
  });
});

test("a failed request ends the turn with its sentence", async () => {
  const { kit } = turnKit([{ error: { kind: "auth", message: "the key is wrong" } }]);
  expect(endOf(await ask(kit))).toEqual({ status: "error", message: "the key is wrong" });
});

test("a bug ends the turn with a sentence, and the session takes the next prompt", async () => {
  const { kit } = turnKit([DONE, DONE]);
  let isBroken = true;
  const request = (): ReturnType<TurnKit["request"]> => {
    if (isBroken) throw new Error("cannot fold");
    return kit.request();
  };
  expect(endOf(await ask({ ...kit, request }))).toEqual({
    status: "error",
    message: "burin failed inside this turn (a bug): cannot fold",
  });
  isBroken = false;
  expect(endOf(await ask({ ...kit, request }))).toEqual({ status: "complete", text: "done" });
});

test("a cancel before the first request sends none that is answered", async () => {
  const { kit, stop } = turnKit([DONE]);
  stop.abort();
  expect(endOf(await ask(kit))).toEqual({ status: "interrupted" });
});

test("what the log has to say is told once", async () => {
  const notices = ["this session is not recorded"];
  const log = { ...memoryLog(), takeNotices: () => notices.splice(0) };
  const events = await ask(turnKit([DONE], [], { log }).kit);
  expect(events.filter((event) => event.kind === "live" && event.event.type === "notice")).toEqual([
    { kind: "live", event: { type: "notice", text: "this session is not recorded" } },
  ]);
});

describe("whatever a model does", () => {
  /** A random run; now and then a call is refused. */
  async function randomRun(seed: number) {
    const chance = random(seed);
    const made = turnKit(randomTurns(chance), randomTools(), {
      judge: () => (chance.chance(0.2) ? question() : { kind: "allow", by: "mode", because: "" }),
      confirm: () => Promise.resolve({ kind: chance.pick(["once", "stop"] as const) }),
    });
    return { ...made, events: await ask(made.kit) };
  }

  test("the stored events are the log, and exactly one end comes last", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { events, log } = await randomRun(seed);
      const stored: SessionEvent[] = storedOf(events);
      expect({ seed, stored }).toEqual({ seed, stored: [...log.events()] });
      const ends = events.flatMap(({ kind }, at) => (kind === "end" ? [at] : []));
      expect({ seed, ends }).toEqual({ seed, ends: [events.length - 1] });
    }
  });

  test("every call of a whole reply has one stored result, in call order", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { log } = await randomRun(seed);
      const asked = log
        .events()
        .flatMap((event) =>
          event.type === "message.assistant" && event.data.status === "complete"
            ? event.data.content
            : [],
        );
      const ids = asked.flatMap((part) => (part.type === "tool_call" ? [part.id] : []));
      const answered = log
        .events()
        .flatMap((event) => (event.type === "message.tool" ? [event.data.toolCallId] : []));
      expect({ seed, answered }).toEqual({ seed, answered: ids });
    }
  });

  test("each request is the one before with more at its end", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { model } = await randomRun(seed);
      const sent = model.requests.map((request) => JSON.stringify(request.messages).slice(0, -1));
      expect({
        seed,
        grows: sent.every((text, at) => (sent[at + 1] ?? text).startsWith(text)),
      }).toEqual({
        seed,
        grows: true,
      });
    }
  });

  test("a renderer that ignores every live event ends with the same transcript", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { events, log } = await randomRun(seed);
      const isStored = (event: TurnEvent): boolean => event.kind !== "live";
      const shown = {
        all: textOf(told(events)),
        storedOnly: textOf(told(events.filter(isStored))),
      };
      expect({ seed, ...shown }).toEqual({
        seed,
        all: shown.storedOnly,
        storedOnly: textOf(entriesOf(log.events())),
      });
      // The model is shown the log alone: live events could not change it.
      expect(fold(storedOf(events))).toEqual(fold(log.events()));
    }
  });
});

function told(events: readonly TurnEvent[]): Entry[] {
  let feed = FEED;
  return events.flatMap((event) => {
    const step = tell(feed, event);
    feed = step.feed;
    return step.entries;
  });
}

/** What is written, without how it was cut into entries. */
function textOf(entries: readonly Entry[]): string {
  return JSON.stringify(entries);
}

test("results of a cancelled turn are what the next request shows", async () => {
  const stopping = tool("stop", "write", () => {
    stop.abort();
    return "stopped here";
  });
  const { kit, stop, log } = turnKit(
    [{ steps: [call("stop", "a"), call("stop", "b")] }],
    [stopping],
  );
  expect(results(await ask(kit))).toEqual(["a: stopped here", "b: interrupted before it ran"]);
  expect(fold(log.events()).slice(2)).toEqual([
    {
      role: "tool",
      callId: "a",
      name: "stop",
      parts: [{ type: "text", text: "stopped here" }],
      isError: false,
    },
    {
      role: "tool",
      callId: "b",
      name: "stop",
      parts: [{ type: "text", text: "interrupted before it ran" }],
      isError: true,
    },
  ]);
});
