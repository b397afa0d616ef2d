// The calls of one reply: what overlaps, what is a barrier, what runs once, and that every call gets its result.
import { describe, expect, test } from "bun:test";
import { fail, ok } from "../../src/base/failure.ts";
import type { Tool } from "../../src/tools/tool.ts";
import {
  ask,
  call,
  DONE,
  endOf,
  meeting,
  output,
  question,
  results,
  tool,
  turnKit,
} from "./fixture.ts";

/** A tool that notes when it begins and ends. */
function noting(
  name: string,
  touch: "read" | "write",
  notes: string[],
  wait = async () => {},
): Tool {
  return tool(name, touch, async (input) => {
    const what = `${name}${JSON.stringify(input)}`;
    notes.push(`+${what}`);
    await wait();
    notes.push(`-${what}`);
    return what;
  });
}

describe("readers", () => {
  test("overlap, and their results come in call order though they end the other way round", async () => {
    const second = Promise.withResolvers<void>();
    const read = tool("read", "read", async (input) => {
      if (JSON.stringify(input) === '{"n":1}') await second.promise;
      else second.resolve();
      return JSON.stringify(input);
    });
    const { kit } = turnKit(
      [{ steps: [call("read", "a", { n: 1 }), call("read", "b", { n: 2 })] }, DONE],
      [read],
    );
    expect(results(await ask(kit))).toEqual(['a: {"n":1}', 'b: {"n":2}']);
  });

  test("run eight at a time, the ninth after them", async () => {
    const meet = meeting(8);
    const notes: string[] = [];
    const read = tool("read", "read", async (input) => {
      const isNinth = JSON.stringify(input) === '{"n":9}';
      if (!isNinth) await meet();
      notes.push(isNinth ? "ninth" : "one of eight");
      return "";
    });
    const nine = Array.from({ length: 9 }, (_, at) => call("read", `c${at + 1}`, { n: at + 1 }));
    const { kit } = turnKit([{ steps: nine }, DONE], [read]);
    const events = await ask(kit);
    expect(notes).toEqual([...Array.from({ length: 8 }, () => "one of eight"), "ninth"]);
    expect(results(events).map((each) => each.slice(0, 2))).toEqual(nine.map(({ id }) => id));
  });

  test("that are identical run once in a batch, and each call has the result", async () => {
    const notes: string[] = [];
    const { kit } = turnKit(
      [{ steps: [call("read", "a", { n: 1 }), call("read", "b", { n: 1 })] }, DONE],
      [noting("read", "read", notes)],
    );
    expect(results(await ask(kit))).toEqual(['a: read{"n":1}', 'b: read{"n":1}']);
    expect(notes).toEqual(['+read{"n":1}', '-read{"n":1}']);
  });

  test("are answered from the cache in later rounds until a write drops it", async () => {
    let version = 1;
    let runs = 0;
    const read = tool("read", "read", () => `version ${version} (run ${(runs += 1)})`);
    const write = tool("write", "write", () => `now ${(version += 1)}`);
    const { kit } = turnKit(
      [
        { steps: [call("read", "a")] },
        { steps: [call("read", "b"), call("write", "w"), call("read", "c")] },
        DONE,
      ],
      [read, write],
    );
    expect(results(await ask(kit))).toEqual([
      "a: version 1 (run 1)",
      "b: version 1 (run 1)",
      "w: now 2",
      "c: version 2 (run 2)",
    ]);
  });

  test("are not all that touches no file: what is asked again is answered again", async () => {
    let looks = 0;
    const look: Tool = {
      ...tool("look", "read", () => ""),
      prepare: () =>
        ok({
          touches: [],
          title: "look",
          run: () => Promise.resolve(ok(output(`look ${(looks += 1)}`))),
        }),
    };
    const twice = { steps: [call("look", "a"), call("look", "b")] };
    const { kit } = turnKit([twice, { steps: [call("look", "c")] }, DONE], [look]);
    expect(results(await ask(kit))).toEqual(["a: look 1", "b: look 2", "c: look 3"]);
  });

  test("that failed are not remembered", async () => {
    let runs = 0;
    const read: Tool = {
      ...tool("read", "read", () => ""),
      prepare: () =>
        ok({
          touches: [],
          title: "read",
          run: () => {
            runs += 1;
            return Promise.resolve(
              runs === 1 ? fail({ kind: "missing", what: "not there" }) : ok(output("there")),
            );
          },
        }),
    };
    const { kit } = turnKit(
      [{ steps: [call("read", "a")] }, { steps: [call("read", "b")] }, DONE],
      [read],
    );
    expect(results(await ask(kit))).toEqual(["a: not there", "b: there"]);
  });
});

describe("a write", () => {
  test("is a barrier: nothing runs beside it", async () => {
    const notes: string[] = [];
    const yielding = (): Promise<void> => Bun.sleep(0);
    const { kit } = turnKit(
      [
        {
          steps: [
            call("read", "a", { n: 1 }),
            call("write", "b", { n: 2 }),
            call("write", "c", { n: 3 }),
            call("read", "d", { n: 4 }),
          ],
        },
        DONE,
      ],
      [noting("read", "read", notes, yielding), noting("write", "write", notes, yielding)],
    );
    await ask(kit);
    expect(notes).toEqual([
      '+read{"n":1}',
      '-read{"n":1}',
      '+write{"n":2}',
      '-write{"n":2}',
      '+write{"n":3}',
      '-write{"n":3}',
      '+read{"n":4}',
      '-read{"n":4}',
    ]);
  });

  test("runs twice when it is asked for twice", async () => {
    let count = 0;
    const { kit } = turnKit(
      [{ steps: [call("write", "a"), call("write", "b")] }, DONE],
      [tool("write", "write", () => `${(count += 1)}`)],
    );
    expect(results(await ask(kit))).toEqual(["a: 1", "b: 2"]);
  });

  test("is done before the next call is even checked", async () => {
    let made = "nothing";
    const make = tool("make", "write", () => (made = "a folder"));
    const look: Tool = {
      ...tool("look", "write", () => ""),
      prepare() {
        const found = made;
        return ok({
          touches: [{ kind: "write", path: "/w" }],
          title: "look",
          run: () => Promise.resolve(ok(output(found))),
        });
      },
    };
    const { kit } = turnKit(
      [{ steps: [call("make", "a"), call("look", "b")] }, DONE],
      [make, look],
    );
    expect(results(await ask(kit))).toEqual(["a: a folder", "b: a folder"]);
  });
});

describe("cancel", () => {
  test("gives every open call a result", async () => {
    const write = tool("write", "write", async (_, { signal }) => {
      stop.abort();
      return signal.aborted ? "half" : "whole";
    });
    const { kit, stop } = turnKit(
      [{ steps: [call("write", "a"), call("write", "b"), call("nothing", "c")] }, DONE],
      [write],
    );
    const events = await ask(kit);
    expect(results(events)).toEqual([
      "a: half",
      "b: interrupted before it ran",
      "c: there is no tool nothing; use one of write",
    ]);
    expect(endOf(events)).toEqual({ status: "interrupted" });
  });

  test("while a question is open decides nothing and runs nothing, not even what was admitted before", async () => {
    const ran: string[] = [];
    const read = tool("read", "read", (input) => String(ran.push(JSON.stringify(input))));
    let judged = 0;
    const { kit, stop } = turnKit(
      [{ steps: [call("read", "a", { n: 1 }), call("read", "b", { n: 2 })] }, DONE],
      [read],
      {
        judge: () =>
          (judged += 1) === 1 ? { kind: "allow", by: "mode", because: "" } : question(),
        confirm: () => {
          stop.abort();
          return Promise.resolve({ kind: "stop" });
        },
      },
    );
    const events = await ask(kit);
    expect({ ran, results: results(events), end: endOf(events) }).toEqual({
      ran: [],
      results: ["a: interrupted before it ran", "b: interrupted before it ran"],
      end: { status: "interrupted" },
    });
    expect(
      events.some((event) => event.kind === "stored" && event.event.type === "permission.decision"),
    ).toBe(false);
  });

  test("a tool that fails because it was cancelled says so", async () => {
    const slow: Tool = {
      ...tool("slow", "write", () => ""),
      prepare: () =>
        ok({
          touches: [{ kind: "write", path: "/w" }],
          title: "slow",
          run: () => {
            stop.abort();
            return Promise.resolve(fail({ kind: "aborted" }));
          },
        }),
    };
    const { kit, stop } = turnKit([{ steps: [call("slow", "a")] }], [slow]);
    expect(results(await ask(kit))).toEqual(["a: interrupted by the user"]);
  });
});

test("live output of a running call carries its id", async () => {
  const talk = tool("talk", "write", (_, kit) => {
    kit.live("one ");
    kit.live("two");
    return "said";
  });
  const events = await ask(turnKit([{ steps: [call("talk", "t")] }, DONE], [talk]).kit);
  expect(
    events.flatMap((event) =>
      event.kind === "live" && event.event.type === "tool.output" ? [event.event] : [],
    ),
  ).toEqual([
    { type: "tool.output", id: "t", chunk: "one " },
    { type: "tool.output", id: "t", chunk: "two" },
  ]);
});
