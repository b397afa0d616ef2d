// The conversation folded from events: pairs every call, drops what answers nothing, only ever grows at the end.
import { describe, expect, test } from "bun:test";
import type { ModelMessage } from "../../src/model/request.ts";
import type { Draft, SessionEvent } from "../../src/session/event.ts";
import { fold } from "../../src/session/fold.ts";
import { forSeeds, type Random } from "../support/random.ts";
import { answer, call, chain, randomDraft, result, say, user } from "./drafts.ts";

function outline(messages: readonly ModelMessage[]): string[] {
  return messages.map((message) => {
    if (message.role === "tool") {
      const text = message.parts.map((part) => (part.type === "text" ? part.text : part.type));
      return `${message.callId}${message.isError ? "!" : ""}: ${text.join("")}`;
    }
    const parts = message.parts.map((part) =>
      part.type === "tool_call" ? `(${part.call.id})` : "text" in part && part.text,
    );
    return `${message.role} ${parts.join(" ")}`;
  });
}

describe("fold", () => {
  test("gives results in the order the calls were asked", () => {
    const events = chain([
      user("go"),
      answer([call("a"), call("b")]),
      result("b", "two"),
      result("a", "one"),
      say("done"),
    ]);
    expect(outline(fold(events))).toEqual([
      "user go",
      "assistant (a) (b)",
      "a: one",
      "b: two",
      "assistant done",
    ]);
  });

  test("a reply that broke off and was asked for again is no part of it, whatever was kept with it", () => {
    const cut: Draft = {
      type: "message.assistant",
      data: { content: [{ type: "text", text: "half" }], status: "interrupted", stop: null },
    };
    const kept: Draft = {
      type: "model.provider_item",
      data: { wire: "w", model: "m", part: 0, item: 1 },
    };
    const again: Draft = {
      type: "model.retry",
      data: { attempt: 1, waitedMs: 1, kind: "stream_cut", because: "it broke off" },
    };
    const before = [user("go"), answer([call("a")]), result("a", "one")];
    const sent = fold(chain(before));
    expect(fold(chain([...before, cut, kept, again]))).toEqual(sent);
    expect(
      outline(fold(chain([...before, cut, kept, again, say("whole")])).slice(sent.length)),
    ).toEqual(["assistant whole"]);
    // Stopped while it waited: the person saw it, and may speak of it.
    expect(outline(fold(chain([...before, cut, kept, user("go on")])).slice(sent.length))).toEqual([
      "assistant half",
      "user go on",
    ]);
  });

  test("what a provider keeps with a part goes back with it, also where nothing is shown of it", () => {
    const kept = (part: number, item: unknown) => ({
      type: "model.provider_item" as const,
      data: { wire: "w", model: "m", part, item },
    });
    const reply = {
      type: "message.assistant" as const,
      data: {
        content: [
          { type: "reasoning" as const, text: "" },
          { type: "text" as const, text: "" },
          { type: "text" as const, text: "hi" },
        ],
        status: "complete" as const,
        stop: "end" as const,
      },
    };
    const events = chain([user("go"), reply, kept(0, "sealed"), kept(2, { phase: 1 })]);
    expect(fold(events)[1]).toEqual({
      role: "assistant",
      parts: [
        { type: "reasoning", text: "", kept: { wire: "w", model: "m", item: "sealed" } },
        { type: "text", text: "hi", kept: { wire: "w", model: "m", item: { phase: 1 } } },
      ],
    });
  });

  test("a call without result was interrupted before it ran", () => {
    const events = chain([answer([call("a"), call("b")]), result("a", "one"), user("next")]);
    expect(fold(events)).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "tool_call", call: { id: "a", name: "bash", arguments: "{}" } },
          { type: "tool_call", call: { id: "b", name: "bash", arguments: "{}" } },
        ],
      },
      {
        role: "tool",
        callId: "a",
        name: "bash",
        parts: [{ type: "text", text: "one" }],
        isError: false,
      },
      {
        role: "tool",
        callId: "b",
        name: "bash",
        parts: [{ type: "text", text: "interrupted before it ran" }],
        isError: true,
      },
      { role: "user", parts: [{ type: "text", text: "next" }] },
    ]);
  });

  test("text typed while calls ran comes after their results", () => {
    const events = chain([answer([call("a")]), user("wait"), user("stop"), result("a", "one")]);
    expect(outline(fold(events))).toEqual(["assistant (a)", "a: one", "user wait", "user stop"]);
  });

  test("second results, results nobody asked for and results of an older reply are dropped", () => {
    const events = chain([
      result("a", "orphan"),
      answer([call("a"), call("a")]),
      result("a", "first"),
      result("a", "second"),
      answer([call("b")]),
      result("a", "late"),
      result("b", "two"),
    ]);
    expect(outline(fold(events))).toEqual(["assistant (a)", "a: first", "assistant (b)", "b: two"]);
  });

  test("a second result is dropped also while another call is open", () => {
    const events = chain([
      answer([call("a"), call("b")]),
      result("a", "first"),
      result("a", "second"),
      result("b", "two"),
    ]);
    expect(outline(fold(events))).toEqual(["assistant (a) (b)", "a: first", "b: two"]);
  });

  test("empty text is no part: some providers refuse it", () => {
    const empty = { type: "text", text: "" } as const;
    const events = chain([answer([empty, { type: "text", text: "yes" }]), answer([empty])]);
    expect(fold(events)).toEqual([{ role: "assistant", parts: [{ type: "text", text: "yes" }] }]);
  });

  test("the same call id in two replies gets the result of each", () => {
    const events = chain([
      answer([call("a")]),
      result("a", "1"),
      answer([call("a")]),
      result("a", "2"),
    ]);
    expect(outline(fold(events))).toEqual(["assistant (a)", "a: 1", "assistant (a)", "a: 2"]);
  });

  test("an interrupted reply keeps its text and loses the call that was cut", () => {
    const events = chain([
      answer([{ type: "text", text: "I look" }, call("a"), call("b", '{"pa')], "interrupted"),
      user("go on"),
    ]);
    expect(outline(fold(events))).toEqual([
      "assistant I look (a)",
      "a!: interrupted before it ran",
      "user go on",
    ]);
  });

  test("the calls of a reply cut at the output limit were not run, and the model is told why", () => {
    const [, cut] = fold(chain([answer([call("a", '{"pa')], "length")]));
    expect(cut).toEqual({
      role: "tool",
      callId: "a",
      name: "bash",
      parts: [
        {
          type: "text",
          text: "not run: the reply was cut off at the output limit, so this call may be incomplete; ask again in smaller pieces",
        },
      ],
      isError: true,
    });
  });

  test("the calls of a failed reply were not run, and the model is told why", () => {
    expect(outline(fold(chain([answer([call("a")], "error")])))).toEqual([
      "assistant (a)",
      "a!: not run: the reply failed before it was complete; ask again if the call is still needed",
    ]);
  });

  test("reasoning stays with what was said and goes when nothing was", () => {
    const thought = { type: "reasoning", text: "hm" } as const;
    const events = chain([
      answer([thought, { type: "text", text: "yes" }]),
      answer([thought], "interrupted"),
    ]);
    expect(fold(events)).toEqual([
      { role: "assistant", parts: [thought, { type: "text", text: "yes" }] },
    ]);
  });

  test("an image serialises the same whatever the order of its fields in the file", () => {
    const image = { name: "a.png", data: "AA==", type: "image", mediaType: "image/png" } as const;
    const events = chain([{ type: "message.user", data: { content: [image], origin: "prompt" } }]);
    expect(JSON.stringify(fold(events))).toBe(
      '[{"role":"user","parts":[{"type":"image","mediaType":"image/png","data":"AA==","name":"a.png"}]}]',
    );
  });

  test("user messages in a row stay separate messages", () => {
    expect(outline(fold(chain([user("one"), user("two")])))).toEqual(["user one", "user two"]);
  });

  test("every call of whatever log is followed by exactly one result, in order", () => {
    forSeeds(300, (chance) => {
      const expected: string[] = [];
      for (const message of fold(randomEvents(chance))) {
        if (message.role === "tool") {
          expect(message.callId).toBe(expected.shift() ?? "no open call");
          continue;
        }
        expect(expected).toEqual([]);
        expected.push(...callIds(message));
        expect(new Set(expected).size).toBe(expected.length);
      }
      expect(expected).toEqual([]);
    });
  });

  test("what was sent for a reply is a prefix of every later request, byte for byte", () => {
    forSeeds(300, (chance) => {
      const events = randomEvents(chance);
      const whole = fold(events).map((message) => JSON.stringify(message));
      for (const [index, event] of events.entries()) {
        if (event.type !== "message.assistant") continue;
        const sent = fold(events.slice(0, index)).map((message) => JSON.stringify(message));
        expect(whole.slice(0, sent.length)).toEqual(sent);
      }
    });
  });
});

function randomEvents(chance: Random): SessionEvent[] {
  return chain(Array.from({ length: 40 }, () => randomDraft(chance)));
}

function callIds(message: ModelMessage): string[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) => (part.type === "tool_call" ? [part.call.id] : []));
}
