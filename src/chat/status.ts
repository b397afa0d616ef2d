// What the status line says, and what of it goes first where there is no room.
import { usd } from "../base/money.ts";
import { strip } from "../base/plain.ts";
import { statusLine, type Segment } from "../term/status.ts";
import { wholeCost } from "../session/usage.ts";
import { shortPath, tokens } from "./format.ts";
import type { State } from "./state.ts";

export function statusText(state: State, columns: number): string {
  return statusLine(segments(state), columns);
}

function segments(state: State): Segment[] {
  const { facts } = state;
  const { totals, model } = facts;
  const waiting = state.queue.length + state.steering.length;
  const place = shortPath(facts.cwd, facts.home);
  const all: Segment[] = [
    { text: facts.session.name, priority: 9 },
    { text: facts.mode, priority: 8 },
    { text: model.id, priority: 7 },
    { text: facts.branch === null ? place : `${place} (${facts.branch})`, priority: 3 },
    { text: state.contextTokens > 0 ? `context ${tokens(state.contextTokens)}` : "", priority: 6 },
    {
      text: totals.input > 0 ? `${tokens(totals.input)} in ${tokens(totals.output)} out` : "",
      priority: 4,
    },
    { text: totals.rounds > 0 ? usd(wholeCost(totals)) : "", priority: 5 },
    { text: waiting > 0 ? `${waiting} waiting` : "", priority: 8 },
  ];
  // Names of folders, branches and models come from outside.
  return all.map(({ text, priority }) => ({
    text: strip(text).replaceAll(/\s/g, " "),
    priority,
  }));
}
