// A value made late, and once.
import { expect, test } from "bun:test";
import { lazy } from "../../src/base/lazy.ts";

test("a lazy value is made when it is first asked for, and once", () => {
  const made: number[] = [];
  const value = lazy(() => {
    made.push(made.length);
    return { made: made.length };
  });
  expect(made).toEqual([]);
  expect([value(), value(), made]).toEqual([{ made: 1 }, { made: 1 }, [0]]);
});
