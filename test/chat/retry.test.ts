// A request that failed waits for its next try: the countdown, the key that ends it, and what stays of it.
import { expect, test } from "bun:test";
import type { TurnEvent } from "../../src/agent/event.ts";
import { initial, type State, type UiEvent } from "../../src/chat/state.ts";
import { update } from "../../src/chat/update.ts";
import { view } from "../../src/chat/view.ts";
import { NO_TOTALS } from "../../src/session/usage.ts";
import { chord } from "../../src/term/key.ts";
import { PLAIN } from "../../src/term/style.ts";
import { eventOf } from "../support/scripted-place.ts";

const IDLE = initial(
  {
    version: "0",
    cwd: "/p",
    home: null,
    branch: null,
    model: { provider: "p", id: "m", auth: "none" },
    mode: "standard",
    session: { id: "s1", name: "demo", path: null },
    contextFiles: [],
    totals: NO_TOTALS,
  },
  80,
);
const BECAUSE = "the provider is overloaded (HTTP 529)";
const LIVE: TurnEvent = {
  kind: "live",
  event: { type: "retry", attempt: 2, tries: 5, ms: 4000, because: BECAUSE },
};
const STORED: TurnEvent = {
  kind: "stored",
  event: eventOf(
    {
      type: "model.retry",
      data: { attempt: 2, waitedMs: 4000, kind: "overloaded", because: BECAUSE },
    },
    0,
  ),
};
const turned = (event: TurnEvent): UiEvent => ({ type: "turn", event, at: 1000 });
const pressed = (name: string): UiEvent => ({ type: "key", key: chord(name), at: 1500 });

const busy = update(IDLE, { type: "submit", text: "go", at: 0 }).state;
const waiting = update(busy, turned(LIVE)).state;

function rowsOf(state: State, columns: number, now: number): readonly string[] {
  return view(state, { columns, rows: 24, style: PLAIN, lex: null, now }).rows;
}

test("counts down, and says why as far as there is room", () => {
  expect(rowsOf(waiting, 100, 1000)).toContain(
    `↻ trying again in 4 s (2 of 5) · enter: now · esc: cancel · ${BECAUSE}`,
  );
  expect(rowsOf(waiting, 60, 3500)).toContain(
    "↻ trying again in 2 s (2 of 5) · enter: now · esc: cancel",
  );
});

test("Enter on an empty input sends it now", () => {
  expect(update(waiting, pressed("enter")).wants).toEqual([{ kind: "hurry" }]);
});

test("Enter without a wait does nothing", () => {
  expect(update(busy, pressed("enter")).wants).toEqual([]);
});

test("Esc stops the turn, and the countdown is gone", () => {
  const stopped = update(waiting, pressed("escape"));
  expect(stopped.wants).toEqual([{ kind: "stop" }]);
  expect(rowsOf(stopped.state, 80, 2000).join("\n")).not.toContain("trying again");
});

test("the next try ends the countdown, and a line says that there was one", () => {
  const tried = update(waiting, turned(STORED));
  expect(rowsOf(tried.state, 80, 2000).join("\n")).not.toContain("trying again");
  expect(tried.wants).toMatchObject([
    { kind: "print", entries: [{ kind: "note", text: `asked again: ${BECAUSE}` }] },
  ]);
});
