// The status line: what goes first when there is no room.
import { expect, test } from "bun:test";
import { width } from "../../src/base/cells.ts";
import { statusLine } from "../../src/term/status.ts";

const SEGMENTS = [
  { text: "session", priority: 9 },
  { text: "~/a/long/folder", priority: 3 },
  { text: "", priority: 8 },
  { text: "context 12%", priority: 6 },
];

test("the least important segments go first", () => {
  expect([60, 30, 12].map((columns) => statusLine(SEGMENTS, columns))).toEqual([
    "session · ~/a/long/folder · context 12%",
    "session · context 12%",
    "session",
  ]);
});

test("the status line fits into any width", () => {
  const widths = Array.from({ length: 60 }, (_, columns) => columns);
  expect(widths.filter((columns) => width(statusLine(SEGMENTS, columns)) > columns)).toEqual([]);
});
