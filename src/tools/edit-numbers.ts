// Line numbers that were pasted with a quote from what `read` shows: taken off where every line has the next one.

/** As `read` shows lines, with and without anchors, and as `cat -n` and some other readers do; an empty line may have lost its tab. */
const NUMBER = /^ *(\d+)(?::[0-9a-f]{4})?(?:[\t\u2192]|$)/;

/** Null where the lines are not numbered one after the other. Blank lines at the end may lack their number. */
export function withoutNumbers(text: string): string | null {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => line !== "");
  let expected: number | null = null;
  for (const line of lines.slice(0, last + 1)) {
    const number = Number(NUMBER.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(number) || number !== (expected ?? number)) return null;
    expected = number + 1;
  }
  return expected === null ? null : lines.map((line) => line.replace(NUMBER, "")).join("\n");
}

/** The new text of such an edit. Null: some of its lines are numbered and some are not, so neither reading is certain. */
export function newWithoutNumbers(text: string): string | null {
  const lines = text.split("\n").filter((line) => line !== "");
  const numbered = lines.filter((line) => NUMBER.test(line)).length;
  if (numbered === 0) return text;
  if (numbered < lines.length) return null;
  return text
    .split("\n")
    .map((line) => line.replace(NUMBER, ""))
    .join("\n");
}
