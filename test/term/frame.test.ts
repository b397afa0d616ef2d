// Frames: what the emulator shows after each write, whatever came before.
import { expect, test } from "bun:test";
import { cut } from "../../src/base/cells.ts";
import { draw, erase, NOTHING, type Reflow, type Shown, type Tail } from "../../src/term/frame.ts";
import { emulator } from "../support/emulator.ts";
import { random, type Random } from "../support/random.ts";

const tail = (...rows: string[]): Tail => ({ rows, cursor: { row: rows.length - 1, column: 0 } });
const size = (columns: number, rows = 24, reflow: Reflow = "all") => ({ columns, rows, reflow });

test("an unchanged frame writes nothing", () => {
  const first = draw(NOTHING, { above: "", tail: tail("a", "b") }, size(40));
  expect(draw(first.shown, { above: "", tail: tail("a", "b") }, size(40)).output).toBe("");
});

test("only the changed row is written", () => {
  const first = draw(NOTHING, { above: "", tail: tail("aaa", "bbb", "ccc") }, size(40));
  const { output } = draw(first.shown, { above: "", tail: tail("aaa", "xxx", "ccc") }, size(40));
  expect({ output: output.includes("xxx"), rest: /aaa|ccc/.test(output) }).toEqual({
    output: true,
    rest: false,
  });
});

test("a frame is one synchronized write that shows the cursor at its end", () => {
  const { output } = draw(NOTHING, { above: "x\n", tail: tail("a") }, size(40));
  expect(output).toMatch(/^\u001b\[\?2026h[\s\S]*\u001b\[\?25h\u001b\[\?2026l$/);
});

test("nothing ever clears the scrollback or enters the alternate screen", () => {
  const first = draw(NOTHING, { above: "x\n", tail: tail("a", "b") }, size(40));
  const second = draw(first.shown, { above: "y\n", tail: tail("c") }, size(20));
  expect(/\u001b\[[23]J|\u001b\[\?1049h/.test(first.output + second.output)).toBe(false);
});

test("printed lines stay above the tail and in the scrollback", async () => {
  const terminal = emulator(20, 6);
  let shown = NOTHING;
  for (let line = 0; line < 30; line += 1) {
    const frame = draw(
      shown,
      { above: `line ${line}\n`, tail: tail("input", "status") },
      size(20, 6),
    );
    shown = frame.shown;
    await terminal.write(frame.output);
  }
  expect(terminal.lines()).toEqual([
    ...Array.from({ length: 30 }, (_, line) => `line ${line}`),
    "input",
    "status",
  ]);
});

test("the cursor stands at the caret", async () => {
  const terminal = emulator(20, 6);
  const next = { rows: ["one", "two", "three"], cursor: { row: 1, column: 2 } };
  await terminal.write(draw(NOTHING, { above: "", tail: next }, size(20, 6)).output);
  expect(terminal.cursor()).toEqual({ row: 1, column: 2 });
});

test("erasing leaves the printed lines and nothing else", async () => {
  const terminal = emulator(20, 6);
  const { shown, output } = draw(NOTHING, { above: "kept\n", tail: tail("a", "b") }, size(20, 6));
  await terminal.write(output + erase(shown, size(20, 6)));
  expect(terminal.lines()).toEqual(["kept"]);
});

const ROWS = ["", "short", "a row of some words", "漢字漢字漢字漢字漢字漢字漢字", "x".repeat(70)];
const KINDS = [
  ["all", true],
  ["xterm.js", false],
] as const;

test.each(KINDS)(
  "no stray rows after any prints, edits and resizes (reflow: %s)",
  async (reflow, reflowsCursorLine) => {
    for (let seed = 1; seed <= 40; seed += 1) {
      await playRandomly(random(seed), reflow, reflowsCursorLine).catch((error: unknown) => {
        throw new Error(`fails for seed ${seed}`, { cause: error });
      });
    }
  },
);

/** Prints, changes and resizes at random; the printed lines and the last tail must be all there is. */
async function playRandomly(
  chance: Random,
  reflow: Reflow,
  reflowsCursorLine: boolean,
): Promise<void> {
  let columns = 60;
  const terminal = emulator(columns, 30, reflowsCursorLine);
  const printed: string[] = [];
  let shown: Shown = NOTHING;
  let last = tail("");
  for (let step = 0; step < 25; step += 1) {
    if (chance.chance(0.3)) {
      columns = 20 + chance.int(60);
      terminal.resize(columns, 30);
    }
    const above = chance.chance(0.4) ? [`printed ${printed.length}`] : [];
    printed.push(...above);
    const rows = Array.from({ length: 1 + chance.int(5) }, () => chance.pick(ROWS));
    // Below its cursor the emulator counts as xterm.js does, which is what "all" does not expect.
    if (reflow === "all") rows.push("input");
    const row = reflow === "all" ? rows.length - 1 : chance.int(rows.length);
    last = { rows, cursor: { row, column: 0 } };
    const frame = draw(
      shown,
      { above: above.map((line) => `${line}\n`).join(""), tail: last },
      size(columns, 30, reflow),
    );
    shown = frame.shown;
    await terminal.write(frame.output);
  }
  const rows = last.rows.map((row) => cut(row, columns - 1));
  const end = rows.findLastIndex((row) => row !== "") + 1;
  expect(terminal.lines()).toEqual(
    [...printed, ...rows.slice(0, end)].slice(0, printed.length + end),
  );
}
