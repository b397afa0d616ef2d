// A request that fails: waited for and sent again, without a tool, to another model, or given up; nothing is said twice.
import { describe, expect, test } from "bun:test";
import type { TurnEvent } from "../../src/agent/event.ts";
import type { Recovery, TurnKit } from "../../src/agent/kit.ts";
import { turn } from "../../src/agent/turn.ts";
import type { ModelEvent, ProviderError } from "../../src/model/event.ts";
import type { Model } from "../../src/model/provider.ts";
import type { ModelRequest } from "../../src/model/request.ts";
import { fold } from "../../src/session/fold.ts";
import { ask, endOf, recovery, storedOf, turnKit } from "./fixture.ts";

const LIMITS = { budgetMs: 300_000, tries: 5, baseMs: 2000 };
const GOOD: ModelEvent[] = [
  { type: "text", delta: "done" },
  { type: "stop", reason: "end" },
];

function failed(changes: Partial<ProviderError> = {}): ModelEvent {
  const none = { retryAfterMs: null, status: 503, requestId: null };
  const error = { kind: "server", retryable: true, ...none, message: "it failed" } as const;
  return { type: "failed", error: { ...error, ...changes } };
}

const CUT = failed({ kind: "stream_cut", message: "it broke off" });

/** Each request gets the next reply, and is kept. */
function answering(replies: ModelEvent[][], name = "m") {
  const requests: ModelRequest[] = [];
  const model: Model = {
    provider: "test",
    wire: "w",
    id: name,
    async *stream(request) {
      requests.push(request);
      yield* (
        replies[requests.length - 1] ?? [failed({ message: "nothing left", retryable: false })]
      );
    },
  };
  return { model, requests };
}

/** A clock that only waiting moves. */
function patient(changes: Partial<Recovery> = {}) {
  const clock = { ms: 0, waits: [] as number[] };
  const pause: Recovery["pause"] = (ms) => {
    clock.ms += ms;
    clock.waits.push(ms);
    return Promise.resolve();
  };
  const whole = recovery({ limits: LIMITS, pause, ...changes });
  const kit: Partial<TurnKit> = { now: () => clock.ms, recovery: () => Promise.resolve(whole) };
  return { clock, kit };
}

async function run(replies: ModelEvent[][], changes: Partial<Recovery> = {}) {
  const { model, requests } = answering(replies);
  const { clock, kit: patience } = patient(changes);
  const { kit, log } = turnKit([], [], { ...patience, model });
  const events = await ask(kit);
  const stored = storedOf(events).map(({ type, data }) => ({ type, data }));
  return { events, end: endOf(events), requests, clock, log, stored: stored.slice(1, -1) };
}

function lives(events: readonly TurnEvent[]) {
  return events.flatMap((event) => (event.kind === "live" ? [event.event] : []));
}

describe("a request that is refused for now", () => {
  test("is sent again after growing waits, and each wait is told before it begins", async () => {
    const { events, end, clock, stored } = await run([[failed()], [failed()], GOOD]);
    expect(end).toEqual({ status: "complete", text: "done" });
    expect(clock.waits).toEqual([2000, 4000]);
    expect(lives(events).filter(({ type }) => type === "retry")).toEqual([
      { type: "retry", attempt: 1, tries: 5, ms: 2000, because: "it failed" },
      { type: "retry", attempt: 2, tries: 5, ms: 4000, because: "it failed" },
    ]);
    expect(stored.map(({ type }) => type)).toEqual([
      "model.retry",
      "model.retry",
      "message.assistant",
    ]);
    expect(stored[1]?.data).toEqual({
      attempt: 2,
      waitedMs: 4000,
      kind: "server",
      because: "it failed",
    });
  });

  test("is the same request again, byte for byte", async () => {
    const { requests } = await run([[failed()], GOOD]);
    expect(JSON.stringify(requests[1])).toBe(JSON.stringify(requests[0]));
  });

  test("is given up after five more tries", async () => {
    const { end, requests } = await run(Array.from({ length: 9 }, () => [failed()]));
    expect(requests.length).toBe(6);
    expect(end).toEqual({ status: "error", message: "it failed; given up after 6 tries" });
  });

  test("is given up at once where the wait would be too long", async () => {
    const far = failed({ kind: "rate_limit", retryAfterMs: 3_600_000 });
    const { end, clock } = await run([[far], GOOD]);
    expect(clock.waits).toEqual([]);
    expect(end).toMatchObject({
      status: "error",
      message: expect.stringContaining("free again in 60 min"),
    });
  });

  test("is not waited for beyond the turn's own limit of time", async () => {
    const { model } = answering([[failed()], GOOD]);
    const { clock, kit: patience } = patient();
    const limits = { maxRounds: 5, maxCostUsd: null, deadline: 1000 };
    const { kit } = turnKit([], [], { ...patience, model, limits });
    expect(endOf(await ask(kit))).toMatchObject({ status: "error" });
    expect(clock.waits).toEqual([]);
  });
});

test.each([
  "auth",
  "quota",
  "bad_request",
  "content_filter",
  "model_not_found",
  "tool_unsupported",
] as const)("%s is not tried again", async (kind) => {
  const { end, requests } = await run([[failed({ kind, retryable: false })], GOOD]);
  expect(requests.length).toBe(1);
  expect(end).toEqual({ status: "error", message: "it failed" });
});

test("a context that is too small ends the request at once, without hooks or other models", async () => {
  const asked: string[] = [];
  const noting = (who: string) => () => {
    asked.push(who);
    return Promise.resolve(null);
  };
  const { end, requests } = await run(
    [[failed({ kind: "context_overflow", retryable: false })], GOOD],
    {
      turnError: noting("hook"),
      fallback: noting("fallback"),
    },
  );
  expect([end, requests.length, asked]).toEqual([{ status: "error", message: "it failed" }, 1, []]);
});

describe("a reply that broke off", () => {
  const half: ModelEvent[] = [{ type: "text", delta: "half an" }, CUT];

  test("is stored as interrupted, and asked for again without it", async () => {
    const { requests, stored, end, log } = await run([half, GOOD]);
    expect(stored).toEqual([
      {
        type: "message.assistant",
        data: { content: [{ type: "text", text: "half an" }], status: "interrupted", stop: null },
      },
      {
        type: "model.retry",
        data: { attempt: 1, waitedMs: 2000, kind: "stream_cut", because: "it broke off" },
      },
      {
        type: "message.assistant",
        data: { content: [{ type: "text", text: "done" }], status: "complete", stop: "end" },
      },
    ]);
    expect(requests[1]?.messages).toEqual(requests[0]?.messages ?? []);
    expect(fold(log.events()).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(end).toEqual({ status: "complete", text: "done" });
  });

  test("says its text once, before the retry is told", async () => {
    const { events } = await run([half, GOOD]);
    const said = lives(events).flatMap((event) => {
      if (event.type === "text") return [event.delta];
      return event.type === "retry" ? ["↻"] : [];
    });
    expect(said).toEqual(["half an", "↻", "done"]);
  });

  test("does not run what it asked for", async () => {
    const call = { id: "a", name: "read", arguments: "{}" };
    const { stored, end } = await run([[{ type: "call", call }, CUT], GOOD]);
    expect(stored.some(({ type }) => type === "message.tool")).toBe(false);
    expect(end).toEqual({ status: "complete", text: "done" });
  });

  test("has five tries of its own", async () => {
    const { requests } = await run([
      [failed()],
      [failed()],
      ...Array.from({ length: 9 }, () => half),
    ]);
    expect(requests.length).toBe(2 + 6);
  });

  test("without a last word from the line is one, too", async () => {
    const { end } = await run([[{ type: "text", delta: "half" }], GOOD]);
    expect(end).toEqual({ status: "complete", text: "done" });
  });
});

describe("stopped while it waits", () => {
  test("the turn ends at once, and what was shown stays in the conversation", async () => {
    const { model, requests } = answering([[{ type: "text", delta: "half" }, CUT], GOOD]);
    const { kit: patience } = patient({ pause: () => Promise.resolve(stop.abort()) });
    const { kit, log, stop } = turnKit([], [], { ...patience, model });
    const events: TurnEvent[] = [];
    for await (const event of turn([{ type: "text", text: "Hi" }], kit)) events.push(event);
    expect(endOf(events)).toEqual({ status: "interrupted" });
    expect(requests.length).toBe(1);
    expect(storedOf(events).map(({ type }) => type)).not.toContain("model.retry");
    expect(fold(log.events()).at(-1)).toEqual({
      role: "assistant",
      parts: [{ type: "text", text: "half" }],
    });
  });
});

describe("a tool that the provider refuses", () => {
  test("is left out, said once, and the request goes again at once", async () => {
    const dropped: string[] = [];
    const { model, requests } = answering([
      [
        failed({
          kind: "bad_request",
          retryable: false,
          message: "Invalid schema for function 'bad'",
        }),
      ],
      GOOD,
    ]);
    const { clock, kit: patience } = patient({ quarantine: (tool) => void dropped.push(tool) });
    const { kit } = turnKit([], [], { ...patience, model });
    const { request } = kit;
    kit.request = () => ({
      ...request(),
      tools: ["good", "bad"]
        .filter((name) => !dropped.includes(name))
        .map((name) => ({ name, description: "", parameters: {} })),
    });
    const events = await ask(kit);
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["good", "bad"],
      ["good"],
    ]);
    expect(clock.waits).toEqual([]);
    expect(lives(events).filter(({ type }) => type === "notice")).toEqual([
      {
        type: "notice",
        text: "the provider refuses the tool bad, so this session goes on without it: Invalid schema for function 'bad'",
      },
    ]);
    expect(endOf(events)).toEqual({ status: "complete", text: "done" });
  });
});

describe("another model", () => {
  /** Two models; the kit's changes when `swap` is called. */
  async function handed(first: ModelEvent[][], hand: (swap: () => void) => Partial<Recovery>) {
    const one = answering(first, "one");
    const two = answering([GOOD], "two");
    const now = { model: one.model };
    const swap = (): void => {
      now.model = two.model;
    };
    const { clock, kit: patience } = patient(hand(swap));
    const { kit } = turnKit([], [], patience);
    Object.defineProperty(kit, "model", { get: () => now.model });
    const events = await ask(kit);
    const stored = storedOf(events).map(({ type }) => type);
    return { events, stored, clock, asked: [one.requests.length, two.requests.length] };
  }
  const to = { provider: "test", model: "two" };

  test("takes over where the quota is used up", async () => {
    const quota = failed({ kind: "quota", retryable: false, message: "no credit" });
    const { events, stored, asked } = await handed([[quota]], (swap) => ({
      fallback: () => Promise.resolve(swap()).then(() => to),
    }));
    expect([asked, stored.slice(1, -1)]).toEqual([
      [1, 1],
      ["model.retry", "model.changed", "message.assistant"],
    ]);
    expect(lives(events)).toContainEqual({
      type: "notice",
      text: "no credit; test/two goes on from here",
    });
    expect(endOf(events)).toEqual({ status: "complete", text: "done" });
  });

  test("takes over where the first stays down, after its tries", async () => {
    const down = Array.from({ length: 6 }, () => [failed()]);
    const { asked, clock } = await handed(down, (swap) => ({
      fallback: () => Promise.resolve(swap()).then(() => to),
    }));
    expect([asked, clock.waits.length]).toEqual([[6, 1], 5]);
  });

  test("does not take over from a wrong key", async () => {
    const { asked } = await handed([[failed({ kind: "auth", retryable: false })]], (swap) => ({
      fallback: () => Promise.resolve(swap()).then(() => to),
    }));
    expect(asked).toEqual([1, 0]);
  });

  test("may be chosen by a hook at the first failure, of which it hears once", async () => {
    const heard: string[] = [];
    const { asked, clock } = await handed([[failed()]], (swap) => ({
      turnError: ({ message }) => {
        heard.push(message);
        swap();
        return Promise.resolve(to);
      },
    }));
    expect([asked, clock.waits, heard]).toEqual([[1, 1], [], ["it failed"]]);
  });

  test("a hook that does not take over hears of the first failure only", async () => {
    const heard: string[] = [];
    await run([[failed()], [failed()], GOOD], {
      turnError: ({ message }) => {
        heard.push(message);
        return Promise.resolve(null);
      },
    });
    expect(heard).toEqual(["it failed"]);
  });
});
