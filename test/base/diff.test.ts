// Unified diffs: right in every case (applied back by hand), and quick on long files.
import { describe, expect, test } from "bun:test";
import { type Diff, diffSummary, diffTexts, formatDiff } from "../../src/base/diff.ts";
import { forSeeds, type Random } from "../support/random.ts";

describe("formatDiff", () => {
  test("writes hunks with three lines of context and says where a newline is missing", () => {
    const diff = diffTexts("1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
    expect(formatDiff(diff, "x.txt")).toBe(
      [
        "--- a/x.txt",
        "+++ b/x.txt",
        "@@ -2,8 +2,8 @@",
        " 2",
        " 3",
        " 4",
        "-5",
        "+five",
        " 6",
        " 7",
        " 8",
        "-9",
        "\\ No newline at end of file",
        "+9",
      ].join("\n"),
    );
    expect(diffSummary(diff)).toBe("+2 -2");
  });

  test("makes two hunks of changes that are far from each other", () => {
    const before = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("");
    const after = before.replace("line 3\n", "").replace("line 30\n", "line 30\nmore\n");
    const { hunks } = diffTexts(before, after);
    expect(hunks.map((hunk) => ({ ...hunk, lines: [] }))).toEqual([
      { oldStart: 1, oldLines: 7, newStart: 1, newLines: 6, lines: [] },
      { oldStart: 29, oldLines: 6, newStart: 28, newLines: 7, lines: [] },
    ]);
  });

  test("says that a file is new", () => {
    const diff = diffTexts("", "a\n");
    expect(formatDiff(diff, "x", { before: false })).toBe(
      "--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a",
    );
  });

  test("is empty for the same text", () => {
    expect(formatDiff(diffTexts("a\n", "a\n"), "x")).toBe("");
  });

  test("ends after so many lines and says how many follow", () => {
    const diff = diffTexts("", "1\n2\n3\n4\n");
    expect(formatDiff(diff, "x", { maxLines: 3 }).split("\n").slice(2)).toEqual([
      "@@ -0,0 +1,4 @@",
      "+1",
      "+2",
      "… 2 more lines of this diff",
    ]);
  });

  test("shows a carriage return only where it is the difference", () => {
    const shown = (before: string, after: string): string[] =>
      diffTexts(before, after).hunks.flatMap((hunk) => hunk.lines);
    expect(shown("a\r\n", "b\r\n")).toEqual(["-a", "+b"]);
    expect(shown("a\r\n", "a\n")).toEqual(["-a␍", "+a"]);
  });
});

/** The new text, made from the old one and the hunks alone. */
function applied(before: string, diff: Diff): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  for (const hunk of diff.hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    out.push(...old.slice(at, start));
    at = start + hunk.oldLines;
    hunk.lines.forEach((line, index) => {
      const isOpen = hunk.lines[index + 1]?.startsWith("\\") === true;
      if (line.startsWith("+") || line.startsWith(" "))
        out.push(line.slice(1) + (isOpen ? "" : "\n"));
    });
  }
  return [...out, ...old.slice(at)].join("");
}

function lines(random: Random, most: number): string[] {
  const words = ["a", "b", "}", "", "x y", "long line"];
  return Array.from({ length: random.int(most) }, () => `${random.pick(words)}\n`);
}

function changed(random: Random, before: readonly string[]): string[] {
  const after = [...before];
  for (let change = random.int(8); change > 0; change -= 1) {
    const at = random.int(after.length + 1);
    after.splice(at, random.int(3), ...lines(random, 3));
  }
  return after;
}

test("the hunks turn the old text into the new one", () => {
  forSeeds(600, (random) => {
    const old = lines(random, 60);
    const cut = (text: string): string => (random.chance(0.2) ? text.replace(/\n$/, "") : text);
    const before = cut(old.join(""));
    const after = cut((random.chance(0.8) ? changed(random, old) : lines(random, 60)).join(""));
    expect(applied(before, diffTexts(before, after))).toBe(after);
  });
});

test("a change of thousands of lines is found as many small ones", () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `value ${at}\n`).join("");
  const after = before.replaceAll("7\n", "7 changed\n");
  const diff = diffTexts(before, after);
  expect([diff.added, diff.removed, diff.hunks.length]).toEqual([2000, 2000, 2000]);
  expect(applied(before, diff)).toBe(after);
});

test("texts with nothing in common end in one hunk", () => {
  const diff = diffTexts("0\n1\n".repeat(20_000), "2\n3\n4\n".repeat(20_000));
  expect([diff.added, diff.removed, diff.hunks.length]).toEqual([60_000, 40_000, 1]);
});
