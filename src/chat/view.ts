// The live tail: state to rows, never more than a third of the screen. Pure; the clock is an argument.
import { cut, expandTabs, width } from "../base/cells.ts";
import { strip } from "../base/plain.ts";
import { wrap } from "../base/wrap.ts";
import type { Cursor, Tail } from "../term/frame.ts";
import { blockLines, type Lex } from "../term/markdown.ts";
import { layout } from "../term/motion.ts";
import type { Style } from "../term/style.ts";
import { thinkingTitle, type Retry, type RunningTool } from "./activity.ts";
import { elapsed } from "./format.ts";
import { cutToRow } from "./lines.ts";
import { choiceRows, inquiryRows } from "./question-view.ts";
import type { State } from "./state.ts";
import { statusText } from "./status.ts";
import { openProse } from "./transcript.ts";
import { inputColumns } from "./update.ts";

export type Screen = {
  columns: number;
  rows: number;
  style: Style;
  /** Null until marked is loaded: prose is shown as it is. */
  lex: Lex | null;
  now: number;
};

/** Status, input and what is going on: less than this is not usable. */
const MIN_ROWS = 3;
const MAX_OUTPUT_ROWS = 6;
/** A longer open block shows its end as it was written: lexing all of it for each frame would be quadratic. */
const MAX_LEXED_CHARS = 4000;
const SPINNER_MS = 100;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

export function view(state: State, screen: Screen): Tail {
  const budget = Math.max(MIN_ROWS, Math.floor(screen.rows / 3));
  const status = statusRow(state, screen);
  const doing = doingRows(state, screen, Math.max(1, budget - 2));
  const input = inputRows(state, screen, Math.max(1, budget - 1 - doing.length));
  const room = budget - 1 - doing.length - input.rows.length;
  const live = liveRows(state, screen, Math.max(0, room - 1));
  const above = room > 0 ? ["", ...live] : [];
  const top = [...above, ...doing];
  return {
    rows: [...top, ...input.rows, status],
    cursor: { row: top.length + input.cursor.row, column: input.cursor.column },
  };
}

/** The next moment at which the tail or the state changes by itself; null while the chat is at rest. */
export function nextChange(state: State, now: number): number | null {
  const isAsking = state.asks.length > 0 || state.inquiries.length > 0;
  const isAnimated = state.phase.kind === "busy" && !isAsking;
  const moments = [
    state.composer.burst.heldUntil,
    state.quitUntil > 0 ? state.quitUntil : null,
    isAnimated ? now + SPINNER_MS : null,
  ].filter((moment) => moment !== null);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** The open prose and the output of running tools: the newest rows, as many as fit. */
function liveRows(state: State, screen: Screen, room: number): string[] {
  if (room <= 0 || state.phase.kind !== "busy") return [];
  const tools = state.activity.tools.slice(-room);
  if (tools.length === 0) return proseRows(state, screen).slice(-room);
  const outputRows = Math.min(MAX_OUTPUT_ROWS, Math.floor(room / tools.length) - 1);
  return tools.flatMap((tool) => toolRows(tool, screen, outputRows));
}

function proseRows(state: State, screen: Screen): string[] {
  const { lex, style } = screen;
  const columns = screen.columns - 1;
  return openProse(state.feed).flatMap((block) => {
    const source = block.kind === "code" ? block.line : block.source;
    const lines =
      lex === null || source.length > MAX_LEXED_CHARS
        ? [expandTabs(strip(source.slice(-MAX_LEXED_CHARS)))]
        : blockLines(block, { columns, style, lex });
    return lines.flatMap((line) => wrap(line, columns));
  });
}

function toolRows(tool: RunningTool, screen: Screen, outputRows: number): string[] {
  const { style, columns, now } = screen;
  const time = ` · ${elapsed(now - tool.since)}`;
  const title = cutToRow(tool.title, columns - 4 - time.length);
  const lines = tool.tail.filter((line) => line.trim() !== "");
  const output = lines.slice(Math.max(0, lines.length - outputRows));
  return [
    `${style.paint("accent", "●")} ${title}${style.paint("dim", time)}`,
    ...output.map((line) => `  ${style.paint("dim", cut(expandTabs(strip(line)), columns - 4))}`),
  ];
}

/** What the chat waits for: a question's choices, or the working line; and the texts that wait. */
function doingRows(state: State, screen: Screen, room: number): string[] {
  const [pending] = state.asks;
  const [inquiring] = state.inquiries;
  if (pending) return choiceRows(pending, { ...screen, rows: room });
  if (inquiring) return inquiryRows(inquiring, { ...screen, rows: room });
  const waiting = [...state.steering, ...state.queue].map((text) =>
    screen.style.paint("dim", `  waiting: ${cutToRow(text, screen.columns - 14)}`),
  );
  const working = workingRow(state, screen);
  return (working === null ? waiting : [working, ...waiting]).slice(0, room);
}

function workingRow(state: State, screen: Screen): string | null {
  const { phase } = state;
  if (phase.kind !== "busy") return null;
  const { style, now } = screen;
  const { retry } = state.activity;
  if (retry !== null && !phase.isStopping) return retryRow(retry, screen);
  const frame = SPINNER[Math.floor((now - phase.since) / SPINNER_MS) % SPINNER.length] ?? "";
  const tail = phase.isStopping ? "" : " · esc to cancel";
  const time = `${elapsed(now - phase.since)}${tail}`;
  return `${style.paint("accent", frame)} ${label(state, now)} ${style.paint("dim", `· ${time}`)}`;
}

/** The countdown to the next try, and why there is one; the cause gives way where there is no room. */
function retryRow(
  { until, because, attempt, tries }: Retry,
  { style, columns, now }: Screen,
): string {
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const what = `trying again in ${left} s (${attempt} of ${tries})`;
  const keys = " · enter: now · esc: cancel";
  const room = columns - width(what) - width(keys) - 6;
  const cause = room < 12 ? "" : ` · ${cutToRow(because, room)}`;
  return `${style.paint("warning", "↻")} ${what}${style.paint("dim", `${keys}${cause}`)}`;
}

function label(state: State, now: number): string {
  const { phase, activity } = state;
  if (phase.kind === "busy" && phase.isStopping) return "stopping";
  if (activity.thinking) {
    const title = thinkingTitle(activity.thinking.text) ?? "thinking";
    return `${cutToRow(title, 40)} ${elapsed(now - activity.thinking.since)}`;
  }
  if (activity.tools.length > 0) return "running";
  if (activity.writing !== null) return `preparing ${cutToRow(activity.writing, 30)}`;
  return state.feed.streamed === "" ? "waiting" : "writing";
}

/** What is being written: a reason, an answer, or the next prompt. */
function editorOf({ asks, inquiries, composer }: State): State["composer"]["editor"] {
  const own = asks.length > 0 ? asks[0]?.reason : inquiries[0]?.writing;
  return own ?? composer.editor;
}

/** The part of the input that holds the caret, in at most `room` rows. */
function inputRows(state: State, screen: Screen, room: number): { rows: string[]; cursor: Cursor } {
  const editor = editorOf(state);
  const { rows, caret } = layout(editor, inputColumns(screen.columns));
  const from = Math.max(0, Math.min(caret.row - Math.floor(room / 2), rows.length - room));
  const mark = screen.style.paint("accent", "› ");
  const shown = rows
    .slice(from, from + room)
    .map((row, index) => (from + index === 0 ? mark : "  ") + row);
  return {
    rows: shown,
    cursor: { row: caret.row - from, column: caret.column + width("› ") },
  };
}

function statusRow(state: State, screen: Screen): string {
  const { style, columns } = screen;
  if (state.quitUntil > 0) return style.paint("warning", cut("Ctrl+C again to quit", columns - 1));
  return style.paint("dim", statusText(state, columns - 1));
}
