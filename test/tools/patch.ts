// Applies a unified diff as the tools report it, so that a test can hold it against the real change.

/** Line ends do not count: a diff shows them only where they differ. */
export function plain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The text that the diff makes of the old one. Throws where the diff does not fit. */
export function applied(old: string, diff: string): string {
  const lines = linesOf(old);
  const out: string[] = [];
  let at = 0;
  for (const { start, rows } of hunksOf(diff)) {
    while (at < start) out.push(lines[at++] ?? "");
    for (const { sign, text } of rows) {
      if (sign !== "+" && lines[at++] !== text)
        throw new Error(`line ${at} is not ${JSON.stringify(text)}`);
      if (sign !== "-") out.push(text);
    }
  }
  return [...out, ...lines.slice(at)].join("");
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return plain(text).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

type Row = { sign: string; text: string };
type Hunk = { start: number; rows: Row[] };

function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const line of diff.split("\n")) {
    const head = /^@@ -(\d+),(\d+) /.exec(line);
    const rows = hunks.at(-1)?.rows;
    if (head !== null) {
      const [, start = "0", count = "0"] = head;
      hunks.push({ start: count === "0" ? Number(start) : Number(start) - 1, rows: [] });
    } else if (rows !== undefined) addRow(rows, line);
  }
  return hunks;
}

function addRow(rows: Row[], line: string): void {
  const last = rows.at(-1);
  if (line.startsWith("\\") && last !== undefined) last.text = last.text.replace(/\n$/, "");
  else rows.push({ sign: line.slice(0, 1), text: `${line.slice(1).replace(/␍$/, "")}\n` });
}
