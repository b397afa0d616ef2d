// Entries of the transcript as terminal lines.
import { expandTabs, width } from "../base/cells.ts";
import type { PlanItem } from "../base/plan.ts";
import { strip, visible } from "../base/plain.ts";
import { count } from "../base/text.ts";
import { wrap } from "../base/wrap.ts";
import { blockLines, type Page } from "../term/markdown.ts";
import type { Role, Style } from "../term/style.ts";
import { duration } from "./format.ts";
import type { Entry } from "./entry.ts";

const MAX_DIFF_LINES = 160;
const MAX_ERROR_LINES = 4;
const TONES = { quiet: "dim", warning: "warning", error: "error" } as const;

/** The lines of `entry`, its gap included. Words longer than a row stay whole: the terminal breaks them. */
export function entryLines(entry: Entry, page: Page): string[] {
  const lines = ownLines(entry, page);
  return entry.gap ? ["", ...lines] : lines;
}

function ownLines(entry: Entry, page: Page): string[] {
  const { style, columns } = page;
  switch (entry.kind) {
    case "prompt":
      return hanging(strip(entry.text), { mark: "› ", role: "accent", textRole: "strong" }, page);
    case "prose":
      return blockLines(entry.block, page);
    case "tool":
      return toolLines(entry, page);
    case "note":
      return wrap(expandTabs(strip(entry.text)), columns, { hard: false }).map((line) =>
        style.paint(TONES[entry.tone], line),
      );
    case "question":
      return questionLines(entry, page);
    case "inquiry":
      return inquiryLines(entry, page);
    case "plan":
      return planLines(entry.items, page);
    case "card":
      return entry.lines.flatMap((line, index) =>
        wrap(strip(line), columns, { hard: false }).map((row) =>
          style.paint(index === 0 ? "strong" : "dim", row),
        ),
      );
  }
}

function hanging(
  text: string,
  how: { mark: string; role: Role; textRole: Role | null },
  page: Page,
): string[] {
  const room = Math.max(4, page.columns - width(how.mark));
  const indent = " ".repeat(width(how.mark));
  const mark = page.style.paint(how.role, how.mark);
  return wrap(expandTabs(text), room, { hard: false }).map((line, index) => {
    const shown = how.textRole === null ? line : page.style.paint(how.textRole, line);
    return (index === 0 ? mark : indent) + shown;
  });
}

function toolLines(entry: Entry & { kind: "tool" }, page: Page): string[] {
  const { style } = page;
  const dot = entry.isError ? style.paint("error", "✗") : style.paint("ok", "●");
  const summary = isRepeated(entry) ? "" : entry.summary;
  const facts = [summary, duration(entry.durationMs)].filter((fact) => fact !== "");
  const room = Math.max(8, page.columns - width(facts.join(" · ")) - 6);
  const title = cutToRow(entry.title, room);
  const line = `${dot} ${title}${style.paint("dim", ` · ${strip(facts.join(" · "))}`)}`;
  const error = entry.isError ? indented(firstLines(entry.output, MAX_ERROR_LINES), page) : [];
  return [line, ...error, ...(entry.diff === null ? [] : diffLines(entry.diff, page))];
}

/** The output says the same, and all of it. */
function isRepeated({ summary, output }: Entry & { kind: "tool" }): boolean {
  const begun = summary.replace(/…$/, "");
  return summary !== "" && output.replaceAll("\n", " ").startsWith(begun);
}

/** One row's worth of `text`; the cut shows. */
export function cutToRow(text: string, cells: number): string {
  return cutRow(strip(text).replaceAll(/\s+/g, " "), cells);
}

function firstLines(text: string, limit: number): string[] {
  const lines = strip(text).trimEnd().split("\n");
  const rest = lines.length - limit;
  return rest <= 0 ? lines : [...lines.slice(0, limit), `… ${count(rest, "more line")}`];
}

function indented(lines: readonly string[], page: Page): string[] {
  return lines.map(
    (line) => `  ${page.style.paint("dim", cutRow(expandTabs(line), page.columns - 3))}`,
  );
}

function cutRow(row: string, cells: number): string {
  return width(row) <= cells ? row : `${wrap(row, Math.max(1, cells - 1))[0] ?? ""}…`;
}

function questionLines(entry: Entry & { kind: "question" }, page: Page): string[] {
  const { style } = page;
  const room = { ...page, columns: page.columns - 2 };
  return [
    `${style.paint("warning", "?")} ${style.paint("strong", `allow ${visible(entry.tool)}?`)}`,
    ...wrap(entry.what, room.columns).map((line) => `  ${line}`),
    ...wrap(`asks because: ${entry.because}`, room.columns).map(
      (line) => `  ${style.paint("dim", line)}`,
    ),
    ...(entry.preview === null ? [] : diffLines(visible(entry.preview, "\n\t"), page)),
  ];
}

function inquiryLines(entry: Entry & { kind: "inquiry" }, page: Page): string[] {
  const options = entry.options.flatMap(({ label, description }, at) => {
    const text = description === "" ? label : `${label}: ${description}`;
    return hanging(text, { mark: `  ${at + 1} `, role: "accent", textRole: "dim" }, page);
  });
  return [
    ...hanging(entry.question, { mark: "? ", role: "warning", textRole: "strong" }, page),
    ...options,
  ];
}

const PLAN_MARKS = {
  completed: { mark: "  ✓ ", role: "ok", textRole: "dim" },
  in_progress: { mark: "  ▸ ", role: "accent", textRole: "strong" },
  pending: { mark: "  ○ ", role: "dim", textRole: null },
} as const;

function planLines(items: readonly PlanItem[], page: Page): string[] {
  const done = items.filter(({ status }) => status === "completed").length;
  const figures = page.style.paint("dim", ` · ${done} of ${items.length} done`);
  return [
    `${page.style.paint("ok", "●")} plan${figures}`,
    ...items.flatMap(({ text, status }) => hanging(strip(text), PLAN_MARKS[status], page)),
  ];
}

/** A unified diff with line numbers; signs and colours both tell added from removed. */
export function diffLines(diff: string, page: Page): string[] {
  if (diff === "") return [];
  const lines = strip(diff).trimEnd().split("\n").filter(isShownDiffLine);
  const numbered = numberLines(lines);
  const shown = numbered.slice(0, MAX_DIFF_LINES);
  const rest = numbered.length - shown.length;
  const room = Math.max(...shown.map((line) => String(line.number ?? "").length), 1);
  const painted = shown.map((line) => diffLine(line, room, page.style));
  return rest <= 0
    ? painted
    : [...painted, page.style.paint("dim", `  … ${count(rest, "more line")}`)];
}

type DiffLine = { number: number | null; text: string };

function isShownDiffLine(line: string): boolean {
  return !/^(?:diff |index |--- |\+\+\+ |\\ No newline)/.test(line);
}

function numberLines(lines: readonly string[]): DiffLine[] {
  let before = 0;
  let after = 0;
  return lines.map((text) => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      return { number: null, text };
    }
    if (text.startsWith("-")) return { number: before++, text };
    if (!text.startsWith("+")) before += 1;
    return { number: after++, text };
  });
}

function diffLine(line: DiffLine, room: number, style: Style): string {
  if (line.number === null) return `  ${style.paint("dim", line.text)}`;
  const number = style.paint("dim", String(line.number).padStart(room));
  const text = expandTabs(line.text);
  if (line.text.startsWith("+")) return `  ${number} ${style.paint("added", text)}`;
  if (line.text.startsWith("-")) return `  ${number} ${style.paint("removed", text)}`;
  return `  ${number} ${text}`;
}
