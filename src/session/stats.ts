// The figures of a session for `burin show --stats`: for each request its tokens, its cost, its times and how it travelled.
import { pad, width } from "../base/cells.ts";
import { usd } from "../base/money.ts";
import { strip } from "../base/plain.ts";
import { byteSize, count } from "../base/text.ts";
import type { TransportFigures } from "../model/event.ts";
import type { EventData, SessionEvent } from "./event.ts";
import { totals, wholeCost } from "./usage.ts";

/** What is known of one reply; null where nobody said it. */
export type RoundFigures = {
  usage: EventData["model.usage"] | null;
  metrics: EventData["model.metrics"] | null;
};

/** Pure. What belongs to a reply follows it in the log. */
export function roundsOf(events: readonly SessionEvent[]): RoundFigures[] {
  const rounds: RoundFigures[] = [];
  for (const event of events) {
    if (event.type === "message.assistant") rounds.push({ usage: null, metrics: null });
    const last = rounds.at(-1);
    if (last === undefined) continue;
    if (event.type === "model.usage") last.usage = event.data;
    if (event.type === "model.metrics") last.metrics = event.data;
  }
  return rounds;
}

const HEAD = ["", "in", "cached", "out", "cost", "sent", "first", "total", "how"];
const HOW = HEAD.length - 1;

export function statsText(events: readonly SessionEvent[]): string {
  const rounds = roundsOf(events);
  const rows = [HEAD, ...rounds.map(cellsOf)];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((cells) => width(cells[at] ?? ""))));
  const lines = rows.map((cells) =>
    cells
      .map((cell, at) => (at === HOW ? pad(cell, widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return `${strip([...lines, summary(events, rounds)].join("\n"))}\n`;
}

function cellsOf({ usage, metrics }: RoundFigures, index: number): string[] {
  return [String(index + 1), ...usageCells(usage), ...metricsCells(metrics)];
}

function usageCells(data: RoundFigures["usage"]): string[] {
  if (data === null) return ["—", "—", "—", "—"];
  const { input, cacheRead, output } = data.usage;
  return [...[input, cacheRead, output].map(String), usd(data.costUsd)];
}

function metricsCells(data: RoundFigures["metrics"]): string[] {
  if (data === null) return ["—", "—", "—", ""];
  const { requestBytes, firstEventMs, totalMs, transport } = data;
  const via = transport === undefined ? "" : how(transport);
  return [byteSize(requestBytes), time(firstEventMs), time(totalMs), via];
}

function how(transport: TransportFigures): string {
  const { kind, isReused, isContinued, inputItems, sentItems, fallback } = transport;
  return [
    kind,
    ...(isReused ? ["reused"] : []),
    ...(isContinued ? [`continued (${sentItems} of ${inputItems} items)`] : []),
    ...(fallback === null ? [] : [fallback]),
  ].join(", ");
}

function time(ms: number | null): string {
  return ms === null ? "—" : `${(ms / 1000).toFixed(2)} s`;
}

function summary(events: readonly SessionEvent[], rounds: readonly RoundFigures[]): string {
  const sum = totals(events);
  const rate = sum.input === 0 ? "—" : `${Math.round((sum.cached / sum.input) * 100)} %`;
  const ways = rounds.flatMap(({ metrics }) => metrics?.transport ?? []);
  const retries = events.filter(({ type }) => type === "model.retry").length;
  return [
    count(rounds.length, "request"),
    `${rate} of the input from the cache`,
    usd(wholeCost(sum)),
    ...(ways.length === 0
      ? []
      : [`${ways.filter(({ isReused }) => isReused).length} on an open connection`]),
    ...(retries === 0 ? [] : [`${count(retries, "request")} sent again`]),
  ].join(" · ");
}
