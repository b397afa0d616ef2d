// What grep says: the lines found, what was cut and counted, and on no match what to try next.
import { CONTROLS } from "../base/plain.ts";
import { count } from "../base/text.ts";
import type { Bytes } from "../search/bytes.ts";
import type { FoundLine } from "../search/found-line.ts";
import type { GrepEvent, Problem } from "../search/grep.ts";
import { isUtf8, textOf } from "../search/line-text.ts";
import type { Wanted } from "../search/scan-state.ts";
import { searchOutput } from "./search-bounds.ts";
import { listText, pathText } from "./search-roots.ts";
import type { Output } from "./tool.ts";

/** What was asked for, as far as advice needs it. */
type Asked = {
  pattern: string;
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
  glob?: string[] | undefined;
};

export type Form = { form: Wanted["what"]; most: number; context: number };

export type Report = {
  context: number;
  /** Results that may still be shown. */
  left(): number;
  add(event: GrepEvent): void;
  /** `lateAfter`: the milliseconds after which the search was ended for the time it took; else null. */
  output(wanted: Asked, lateAfter: number | null): Output;
};

type End = Extract<GrepEvent, { type: "end" }>;

export function newReport({ form, most, context }: Form): Report {
  const rows: string[] = [];
  let shown = 0;
  let matches = 0;
  let files = 0;
  let end: End | null = null;
  function addFile(path: Bytes, lines: readonly FoundLine[], all: number): void {
    matches += all;
    files++;
    if (shown >= most) return;
    if (form !== "lines") {
      shown++;
      rows.push(form === "count" ? `${pathText(path)}:${all}` : pathText(path));
      return;
    }
    if (context > 0 && rows.length > 0) rows.push("--");
    rows.push(...lineRows(path, lines, context));
    const kept = lines.filter((line) => line.kind === "match").length;
    shown += kept;
    if (kept < all) rows.push(`[${pathText(path)}: ${all - kept} more]`);
  }
  return {
    context,
    left: () => Math.max(0, most - shown),
    add(event) {
      if (event.type === "end") end = event;
      else addFile(event.path, event.result.lines, event.result.matches);
    },
    output(wanted, lateAfter) {
      const total = form === "lines" ? matches : files;
      const notes = [
        ...limitNotes({ shown, total, files, form, isWhole: end !== null && lateAfter === null }),
        ...lateNote(lateAfter),
        ...endNotes(end),
      ];
      const nothing = matches === 0 ? [noMatch(wanted, end, lateAfter)] : [];
      const summary = form === "first" ? count(files, "file") : count(matches, "hit");
      return searchOutput([...rows, ...nothing, ...notes], summary, total - shown);
    },
  };
}

/** `path:line:text`; for context, dashes. `--` where lines in between are left out. */
function lineRows(path: Bytes, lines: readonly FoundLine[], context: number): string[] {
  const name = pathText(path);
  const rows: string[] = [];
  let last: number | null = null;
  for (const line of lines) {
    if (context > 0 && last !== null && line.number > last + 1) rows.push("--");
    last = line.number;
    const mark = line.kind === "context" ? "-" : ":";
    rows.push(`${name}${mark}${line.number}${mark}${lineText(line)}`);
  }
  return rows;
}

function lineText(line: FoundLine): string {
  const text = textOf(line.bytes);
  const plain = (isUtf8(text) ? text : line.bytes).replace(/\r$/, "").replace(CONTROLS, "\ufffd");
  const before = line.cut.before > 0 ? `[${count(line.cut.before, "byte")}…]` : "";
  const after = line.cut.after > 0 ? `[…${count(line.cut.after, "byte")}]` : "";
  return before + plain + after;
}

type Limits = {
  shown: number;
  total: number;
  files: number;
  form: Wanted["what"];
  isWhole: boolean;
};

function limitNotes({ shown, total, files, form, isWhole }: Limits): string[] {
  if (shown >= total) return [];
  const more = isWhole ? "" : "at least ";
  const of =
    form === "lines"
      ? `${more}${count(total, "match").replace(/hs$/, "hes")} in ${count(files, "file")}`
      : `${more}${count(total, "file")}`;
  return [`[${shown} of ${of} shown; narrow the pattern, path or glob]`];
}

function lateNote(lateAfter: number | null): string[] {
  if (lateAfter === null) return [];
  const time = lateAfter < 1000 ? `${lateAfter} ms` : `${lateAfter / 1000} s`;
  return [
    `[ended after ${time}: what was not reached by then was not searched; narrow path or glob]`,
  ];
}

function endNotes(end: End | null): string[] {
  if (end === null) return [];
  const notes: string[] = [];
  if (end.skipped.length > 0) {
    notes.push(`[not searched: ${listText(end.skipped)}; name one as path to search it]`);
  }
  if (end.secret.length > 0) {
    notes.push(
      `[not searched, secret or denied: ${listText(end.secret)}; name one as path to ask for it]`,
    );
  }
  for (const [what, text] of PROBLEMS) {
    const paths = end.problems.filter((problem) => problem.what === what).map(({ path }) => path);
    if (paths.length > 0) notes.push(`[${text}: ${listText(paths)}]`);
  }
  return notes;
}

const PROBLEMS: readonly (readonly [Problem["what"], string])[] = [
  ["unreadable", "not readable"],
  ["too deep", "nested too deeply; name it as path to go on from there"],
  ["too large", "too large to search as a whole; without multiline it can be searched"],
  [
    "slow",
    "given up, the regex takes too long here; one without lookaround or back-references does not",
  ],
  ["stopped", "not searched to the end"],
  ["long line", "lines above 10 KB left out, the regex could run away on them"],
];

function noMatch(wanted: Asked, end: End | null, lateAfter: number | null): string {
  const searched = end?.searched ?? 0;
  const pattern = JSON.stringify(wanted.pattern);
  if (searched === 0 && lateAfter === null) {
    const globs = wanted.glob === undefined ? "" : ` that ${wanted.glob.join(" ")} lets through`;
    return `No file${globs} to search. Ignored files are left out; name one as path to search it.`;
  }
  const binary = end !== null && end.binary > 0 ? `, ${end.binary} of them binary` : "";
  return [
    `No match${lateAfter === null ? "" : " so far"} for ${pattern} in ${count(searched, "file")}${binary}.`,
    ...advice(wanted),
  ].join(" ");
}

const LOOKS_LIKE_REGEX = /\.[*+]|\\[bBdDsSwW.()[\]{}|]|\[[^\]]+\]|\(\?|[^|]\|[^|]|^\^|\$$/;

function advice(wanted: Asked): string[] {
  const lines: string[] = [];
  if (wanted.regex !== true && LOOKS_LIKE_REGEX.test(wanted.pattern)) {
    lines.push("The pattern was taken as plain text: set regex: true if it is a regex.");
  }
  if (wanted.ignoreCase !== true && /\p{Lu}/u.test(wanted.pattern))
    lines.push("Case counted: ignoreCase: true finds more.");
  return lines;
}
