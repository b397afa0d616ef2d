// `--output text`: the final answer alone on standard output; progress, denials and totals on standard error.
import { cut } from "../base/cells.ts";
import { visible } from "../base/plain.ts";
import type { TurnEvent } from "../agent/event.ts";
import { titleOf } from "../agent/title.ts";
import { totalsLine, type Report } from "./report.ts";
import { NOTHING, type Said, type Sink } from "./sink.ts";

const TITLE_CELLS = 72;

export type TextOptions = {
  isQuiet: boolean;
  /** Renders the answer for a terminal; null prints the Markdown source. */
  render: ((markdown: string) => Promise<string>) | null;
};

export function textSink(options: TextOptions): Sink {
  const titles = new Map<string, string>();
  return {
    begin: () => NOTHING,
    event: (event) => ({ out: "", err: options.isQuiet ? "" : progress(event, titles) }),
    async end(report) {
      return { out: await answer(report, options), err: closing(report, options) };
    },
  };
}

/** One line a finished tool call, by the title it began with; everything else is silent. */
function progress(event: TurnEvent, titles: Map<string, string>): string {
  if (event.kind === "live" && event.event.type === "tool.begin") {
    titles.set(event.event.call.id, event.event.title);
  }
  if (event.kind !== "stored") return noticeOf(event);
  if (event.event.type === "message.assistant") {
    // A call that is denied never begins: it has no other title.
    for (const part of event.event.data.content) {
      if (part.type === "tool_call") titles.set(part.id, titleOf(part));
    }
  }
  if (event.event.type !== "message.tool") return noticeOf(event);
  const { toolCallId, name, summary, isError, durationMs } = event.event.data;
  const title = cut(visible(titles.get(toolCallId) ?? name, ""), TITLE_CELLS);
  return `${isError ? "✗" : "●"} ${title} · ${visible(summary, "")} · ${Math.round(durationMs)} ms\n`;
}

/** What burin itself has to say: that nothing is recorded, that a request is sent again. */
export function noticeOf(event: TurnEvent): string {
  if (event.kind !== "live") return "";
  if (event.event.type === "notice") return `burin: ${visible(event.event.text)}\n`;
  if (event.event.type !== "retry") return "";
  const { attempt, tries, ms, because } = event.event;
  const wait = ms < 1000 ? `${ms} ms` : `${Math.ceil(ms / 1000)} s`;
  return `burin: ${visible(because, "")}; trying again in ${wait} (${attempt} of ${tries})\n`;
}

async function answer(report: Report, { render }: TextOptions): Promise<string> {
  const { result } = report;
  if (result === "") return "";
  const text = render === null ? result : await render(result);
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Quiet says nothing on success; a failure's last line always names the cause. */
function closing(report: Report, { isQuiet }: TextOptions): string {
  const lines = isQuiet ? [] : [...denials(report), totalsLine(report)];
  if (report.error !== null) lines.push(`burin: ${visible(report.error)}`);
  return lines.map((line): string => `${line}\n`).join("");
}

function denials({ denied }: Report): string[] {
  return denied.map(({ call, because }) => visible(`denied: ${call}: ${because}`, ""));
}

export function closingOf(report: Report, isQuiet: boolean): Said {
  return { out: "", err: closing(report, { isQuiet, render: null }) };
}
