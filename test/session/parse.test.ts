// One line to an event: what is known is checked, what is not is kept, what is broken says why.
import { describe, expect, test } from "bun:test";
import { parseLine } from "../../src/session/parse.ts";

const BASE = { v: 1, id: "1", parentId: null, time: "2026-11-30T20:16:00.000Z" };

describe("parseLine", () => {
  test("keeps fields it does not know, in place", () => {
    const line = JSON.stringify({
      ...BASE,
      type: "message.user",
      data: { content: [{ type: "text", text: "hi", lang: "en" }], origin: "prompt", mood: 1 },
      later: true,
    });
    const parsed = parseLine(line);
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe(line);
    expect(parsed.ok && parsed.value.type).toBe("message.user");
  });

  test("knows what was left out of a result, counted in bytes or not", () => {
    for (const bytes of [null, 0, 12]) {
      const data = {
        toolCallId: "a",
        name: "ls",
        content: [],
        isError: false,
        tier: "cold",
        summary: "",
        durationMs: 1,
        truncated: { bytes, lines: 3, file: null },
      };
      const event = { ...BASE, type: "message.tool", data };
      const parsed = parseLine(JSON.stringify(event));
      expect(JSON.stringify(parsed)).toBe(JSON.stringify({ ok: true, value: event }));
    }
  });

  test("keeps an event of a type it does not know", () => {
    const raw = { ...BASE, type: "task.state", data: { goal: "x" } };
    expect(parseLine(JSON.stringify(raw))).toEqual({
      ok: true,
      value: { ...BASE, v: 1, type: "unknown", raw },
    });
  });

  test("keeps an event of a later version or with data of another shape, but trusts none of it", () => {
    const later = { ...BASE, v: 2, type: "session.renamed", data: { name: "x" } };
    const shapeless = { ...BASE, type: "session.renamed", data: { title: "x" } };
    const bare = { ...BASE, type: "session.renamed" };
    for (const raw of [later, shapeless, bare]) {
      expect(parseLine(JSON.stringify(raw))).toEqual({
        ok: true,
        value: { ...BASE, v: 1, type: "unknown", raw },
      });
    }
  });

  test("says why a line is no event", () => {
    const lacking = "it is no event: v, type, id, parentId or time is missing";
    const lines = {
      '{"v":1,"ty': "it is not JSON",
      null: lacking,
      "[]": lacking,
      '"text"': lacking,
      '{"v":1,"type":"x","id":"","parentId":null,"time":"t"}': lacking,
      '{"v":1,"type":"x","id":"1","time":"t"}': lacking,
    };
    for (const [line, what] of Object.entries(lines)) {
      expect(parseLine(line)).toEqual({ ok: false, failure: { kind: "invalid", what } });
    }
  });
});
