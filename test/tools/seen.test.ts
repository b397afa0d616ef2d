// What a session remembers of the files it has read.
import { describe, expect, test } from "bun:test";
import { createSeen, type Version } from "../../src/tools/seen.ts";

const OLD: Version = { mtimeMs: 1, size: 10, hash: "a" };

describe("seen", () => {
  test("knows unread, fresh and changed files", () => {
    const seen = createSeen();
    expect(seen.check("/x", OLD)).toBe("unread");
    seen.noteRead("/x", OLD);
    expect([
      seen.check("/x", OLD),
      seen.check("/x", { ...OLD, mtimeMs: 2 }),
      seen.check("/x", { ...OLD, hash: "b" }),
      seen.check("/y", OLD),
    ]).toEqual(["fresh", "fresh", "changed", "unread"]);
  });

  test("goes by time and size where the content is not known", () => {
    const seen = createSeen();
    seen.noteRead("/x", { ...OLD, hash: null });
    expect([
      seen.check("/x", OLD),
      seen.check("/x", { ...OLD, mtimeMs: 2 }),
      seen.check("/x", { ...OLD, size: 11 }),
    ]).toEqual(["fresh", "changed", "changed"]);
  });

  test("takes what was written for read", () => {
    const seen = createSeen();
    seen.noteRead("/x", OLD);
    const written = { mtimeMs: 5, size: 3, hash: "c" };
    seen.noteWrite("/x", written);
    expect([seen.check("/x", OLD), seen.check("/x", written)]).toEqual(["changed", "fresh"]);
  });

  test("tells a repeat once, for the same range of the same version", () => {
    const seen = createSeen();
    expect([
      seen.repeats("/x", "1+", OLD),
      seen.repeats("/x", "5+", OLD),
      seen.repeats("/x", "1+", OLD),
      seen.repeats("/x", "1+", OLD),
      seen.repeats("/x", "5+", { ...OLD, hash: "b" }),
    ]).toEqual([false, false, true, false, false]);
  });
});
