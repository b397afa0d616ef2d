// Edits by anchors: whole lines between two of them, all verified against the present text before anything is changed.
import { diffTexts } from "../base/diff.ts";
import { invalid, type Result } from "../base/failure.ts";
import { cutLine } from "../base/text.ts";
import { anchorOf, hashOf, parseAnchor } from "./anchor.ts";
import { newWithoutNumbers } from "./edit-numbers.ts";
import { applied, type Edited } from "./edit-text.ts";
import { createView, type Span, type View } from "./edit-view.ts";

export type AnchoredEdit = {
  from?: string | undefined;
  to?: string | undefined;
  /** Instead of `from` and `to`: insert behind this line; `0` is before the first. */
  after?: string | undefined;
  newText: string;
};

const AROUND_LINES = 3;
const MAX_SHOWN_LINES = 60;
const MAX_SHOWN_CHARS = 500;

export function editAnchored(text: string, edits: readonly AnchoredEdit[]): Result<Edited<string>> {
  const file = createFile(text);
  const spans: (Span & { edit: number })[] = [];
  const faults: Fault[] = [];
  for (const [edit, wanted] of edits.entries()) {
    const found = locate(file, wanted);
    const which = edits.length === 1 ? "" : `anchors ${edit + 1} of ${edits.length}: `;
    if (found.kind === "fault") faults.push({ ...found, what: `${which}${found.what}` });
    else spans.push({ ...found.span, edit });
  }
  const [first] = faults;
  if (first === undefined) return applied(text, file.view, { spans, remarks: [] });
  const sentences = faults.map(({ what }) => what).join("; ");
  const shown = anchoredLines(
    file.lines,
    faults.flatMap(({ lines }) => lines),
  );
  return invalid([sentences, ...(shown === "" ? [] : ["Present lines:", shown])].join("\n"));
}

/** The anchors of what a change has left. */
export function anchorsAfter({ before, after }: { before: string; after: string }): string {
  const wanted = diffTexts(before, after).hunks.flatMap(({ newStart, newLines }) =>
    Array.from({ length: newLines }, (_, line) => newStart + line),
  );
  return anchoredLines(createFile(after).lines, wanted, 0);
}

/** The lines with their anchors, and some around each; cut where it gets long. */
function anchoredLines(
  lines: readonly string[],
  wanted: readonly number[],
  around = AROUND_LINES,
): string {
  const near = new Set<number>();
  for (const line of wanted)
    for (let at = line - around; at <= line + around; at += 1)
      if (at >= 1 && at <= lines.length) near.add(at);
  const numbers = [...near].toSorted((one, other) => one - other);
  const rows = numbers.slice(0, MAX_SHOWN_LINES).flatMap((number, index) => {
    const line = lines[number - 1] ?? "";
    const isGap = index > 0 && numbers[index - 1] !== number - 1;
    const row = `${anchorOf(number, line)}\t${cutLine(line, MAX_SHOWN_CHARS)}`;
    return isGap ? ["…", row] : [row];
  });
  if (numbers.length > MAX_SHOWN_LINES) rows.push("… more: read the file again");
  return rows.join("\n");
}

type File = { view: View; lines: string[]; starts: number[] };

function createFile(text: string): File {
  const view = createView(text);
  const lines = view.text === "" ? [] : view.text.replace(/\n$/, "").split("\n");
  let next = 0;
  const starts = lines.map((line) => {
    const start = next;
    next += line.length + 1;
    return start;
  });
  return { view, lines, starts };
}

type Fault = { kind: "fault"; what: string; lines: number[] };
type Located = { kind: "found"; span: Span } | Fault;

function locate(file: File, edit: AnchoredEdit): Located {
  const newText = linesToWrite(edit.newText);
  if (newText === null)
    return fault("some lines of newText carry anchors and some do not: write it without them");
  if (!newText.isWellFormed()) return fault("newText holds half of a character (a lone surrogate)");
  if ((edit.from === undefined) === (edit.after === undefined))
    return fault("give from (and to) to replace lines, or after to insert behind one");
  return edit.after === undefined
    ? between(file, edit.from ?? "", { to: edit.to ?? edit.from ?? "", newText })
    : behind(file, edit.after, newText);
}

function fault(what: string, lines: number[] = []): Fault {
  return { kind: "fault", what, lines };
}

/** Null: only some of the lines were pasted with their anchors. */
function linesToWrite(newText: string): string | null {
  const plain = newText.replaceAll("\r\n", "\n");
  return /^ *\d+:[0-9a-f]{4}\t/.test(plain) ? newWithoutNumbers(plain) : plain;
}

function between(
  file: File,
  from: string,
  { to, newText }: { to: string; newText: string },
): Located {
  const first = lineOf(file, from);
  const last = to === from ? first : lineOf(file, to);
  if (typeof first !== "number" || typeof last !== "number") return bothFaults(first, last);
  if (last < first) return fault(`to (line ${last}) lies before from (line ${first})`);
  const start = file.starts[first - 1] ?? 0;
  const end = endOf(file, last);
  // No text deletes the lines with their last newline; else that newline stays and the one of the new text goes.
  const span =
    newText === ""
      ? { from: start, to: Math.min(end + 1, file.view.text.length), newText }
      : { from: start, to: end, newText: newText.replace(/\n$/, "") };
  return { kind: "found", span };
}

/** Of a line, without its newline. */
function endOf({ starts, lines }: File, line: number): number {
  return (starts[line - 1] ?? 0) + (lines[line - 1]?.length ?? 0);
}

function bothFaults(first: number | Fault, last: number | Fault): Fault {
  const faults = [...new Set([first, last])].filter((end) => typeof end !== "number");
  return fault(
    faults.map(({ what }) => what).join("; "),
    faults.flatMap(({ lines }) => lines),
  );
}

function behind(file: File, after: string, newText: string): Located {
  const body = newText.replace(/\n$/, "");
  if (/^\s*0(?::[0-9a-f]*)?\s*$/.test(after))
    return { kind: "found", span: { from: 0, to: 0, newText: `${body}\n` } };
  const line = lineOf(file, after);
  if (typeof line !== "number") return line;
  const end = endOf(file, line);
  return { kind: "found", span: { from: end, to: end, newText: `\n${body}` } };
}

/** The number of the line that the anchor names, if it still holds what it held. */
function lineOf(file: File, written: string): number | Fault {
  const anchor = parseAnchor(written);
  if (anchor === null)
    return fault(
      `${JSON.stringify(written)} is not an anchor: give number:hash of a line as read shows it, such as 12:3fa0`,
    );
  const { line, hash } = anchor;
  const present = file.lines[line - 1];
  if (present !== undefined && hashOf(present) === hash) return line;
  const count = file.lines.length;
  if (present === undefined && count === 0) return fault(`${written} is stale: the file is empty`);
  const why = present === undefined ? `the file has ${count} lines` : `line ${line} is another now`;
  return fault(`the anchor ${line}:${hash} is stale: ${why}`, [Math.min(line, count)]);
}
