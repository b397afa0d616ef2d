// Identifiers that sort by time.
import { describe, expect, test } from "bun:test";
import { idTime, newId, ulids } from "../../src/base/ids.ts";

describe("ulids", () => {
  test("are 26 characters of Crockford's alphabet", () => {
    expect(newId()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  test("rise strictly, also within a millisecond and when the clock goes back", () => {
    const times = [5000, 5000, 5000, 4000, 4000, 5001, 1];
    let at = 0;
    const makeId = ulids(() => times[(at += 1) % times.length] ?? 0);
    const ids = Array.from({ length: 5000 }, makeId);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("tell their time", () => {
    const time = Date.parse("2026-11-30T20:16:00.123Z");
    expect(idTime(ulids(() => time)())).toBe(time);
    expect(idTime("7ZZZZZZZZZ0000000000000000")).toBe(2 ** 48 - 1);
    expect([idTime("my-session"), idTime(""), idTime(newId().toLowerCase())]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
