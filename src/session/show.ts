// A session as a plain story for `burin show`: prompts, answers, a block for each tool call, how turns ended, totals.
import { usd } from "../base/money.ts";
import { strip } from "../base/plain.ts";
import { count, cutLine } from "../base/text.ts";
import type { ToolCall } from "../model/event.ts";
import { modelLabel } from "../model/model-name.ts";
import type { UserPart } from "../model/request.ts";
import type { EventData, SessionEvent } from "./event.ts";
import { totals, tokenText, wholeCost, type Totals } from "./usage.ts";

const MAX_RESULT_LINES = 20;
const MAX_LINE_CHARS = 400;
const MAX_ARGUMENT_CHARS = 120;
const INDENT = "    ";

/** What a block needs to know of other events. */
type Known = { calls: Map<string, ToolCall>; answered: ReadonlySet<string> };

/** Pure. Blocks are separated by an empty line; nothing in it can move a cursor or turn text around. */
export function transcript(events: readonly SessionEvent[]): string {
  const answered = new Set(
    events.flatMap((event) => (event.type === "message.tool" ? [event.data.toolCallId] : [])),
  );
  const known: Known = { calls: new Map(), answered };
  const blocks = events.flatMap((event) => blocksOf(event, known));
  return `${strip([...blocks, totalsLine(totals(events))].join("\n\n"))}\n`;
}

function blocksOf(event: SessionEvent, known: Known): string[] {
  switch (event.type) {
    case "session.started":
      return [started(event.data, event.time)];
    case "session.renamed":
      return [`-- renamed to ${flat(event.data.name)}`];
    case "session.ended":
      return [ended(event.data)];
    case "message.user":
      return [prompt(event.data)];
    case "message.assistant":
      return answer(event.data, known);
    case "message.tool":
      return [result(event.data, known)];
    case "permission.decision":
      return [decision(event.data)];
    case "model.changed":
      return [`-- model: ${modelLabel({ ...event.data, id: event.data.model })}`];
    case "model.retry":
      return [`-- asked again after ${seconds(event.data.waitedMs)}: ${flat(event.data.because)}`];
    case "session.leaf":
    case "checkpoint":
    case "model.usage":
    case "model.response":
    case "model.provider_item":
    case "model.metrics":
    case "unknown":
      return [];
  }
}

function started(data: EventData["session.started"], time: string): string {
  const branch = data.git?.branch ?? null;
  const where = branch === null ? data.cwd : `${data.cwd} (${branch})`;
  return `session ${flat(data.name)}\n${where}\n${modelLabel({ ...data, id: data.model })}, ${data.mode}, ${time}`;
}

function prompt({ content, origin }: EventData["message.user"]): string {
  const by = origin === "prompt" ? "" : `(${origin}) `;
  return `${by}${partsText(content)}`
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function answer(data: EventData["message.assistant"], known: Known): string[] {
  const blocks: string[] = [];
  for (const part of data.content) {
    if (part.type === "text" && part.text.trim() !== "") blocks.push(part.text.trim());
    if (part.type !== "tool_call") continue;
    known.calls.set(part.id, part);
    if (!known.answered.has(part.id)) blocks.push(`* ${callLine(part)}: it has no result`);
  }
  const how = howItEnded(data);
  return how === null ? blocks : [...blocks, how];
}

function howItEnded({ status, error }: EventData["message.assistant"]): string | null {
  switch (status) {
    case "complete":
      return null;
    case "interrupted":
      return "-- reply interrupted";
    case "length":
      return "-- reply cut off at the output limit";
    case "error":
      return `-- reply failed: ${flat(error ?? "no reason was given")}`;
  }
}

function result(data: EventData["message.tool"], { calls }: Known): string {
  const call = calls.get(data.toolCallId);
  const title = call === undefined ? data.name : callLine(call);
  const failed = data.isError ? "failed, " : "";
  const summary = data.summary === "" ? "" : `${flat(data.summary)}, `;
  const head = `* ${title}: ${failed}${summary}${seconds(data.durationMs)}`;
  const body = bounded(data.diff ?? partsText(data.content));
  return body === "" ? head : `${head}\n${body}`;
}

function callLine({ name, arguments: input }: ToolCall): string {
  return flat(`${name} ${cutLine(input, MAX_ARGUMENT_CHARS)}`);
}

function bounded(text: string): string {
  const lines = text.trimEnd() === "" ? [] : text.trimEnd().split("\n");
  const shown = lines
    .slice(0, MAX_RESULT_LINES)
    .map((line) => `${INDENT}${cutLine(line, MAX_LINE_CHARS)}`.trimEnd());
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`${INDENT}… (+${left} lines)`] : [])].join("\n");
}

function decision(data: EventData["permission.decision"]): string {
  const done = data.decision === "allow" ? "allowed" : "denied";
  const because = data.because === "" ? "" : `: ${flat(data.because)}`;
  const grant = data.grant === undefined ? "" : `, from now on ${flat(data.grant)}`;
  return `? ${data.tool} ${done} by ${data.by}${because}${grant}`;
}

function ended({ status, reason, rounds, toolCalls }: EventData["session.ended"]): string {
  const why = reason === "" ? "" : ` (${flat(reason)})`;
  return `-- turn ended: ${status}${why}, ${count(rounds, "round")}, ${count(toolCalls, "tool call")}`;
}

function totalsLine(sum: Totals): string {
  const used = (amount: number): string => tokenText(amount, sum);
  return [
    `== ${count(sum.turns, "turn")}, ${count(sum.rounds, "round")}, ${count(sum.toolCalls, "tool call")}`,
    `${used(sum.input)} tokens in (${used(sum.cached)} cached), ${used(sum.output)} out (${used(sum.reasoning)} reasoning)`,
    usd(wholeCost(sum)),
  ].join(" · ");
}

function partsText(parts: readonly UserPart[]): string {
  return parts
    .map((part) =>
      part.type === "text" ? part.text : `[${part.type} ${part.name}, ${part.mediaType}]`,
    )
    .join("\n");
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
