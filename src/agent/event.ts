// What a turn says to its front end: stored events, already on disk, and live ones, which only decorate.
import type { ToolCall } from "../model/event.ts";
import type { KnownEvent } from "../session/event.ts";

export type LiveEvent =
  | { type: "request"; round: number }
  | { type: "text"; delta: string }
  | { type: "thinking"; delta: string }
  | { type: "call.begin"; id: string; name: string }
  | { type: "call.delta"; id: string; delta: string }
  /** A call starts to run; `title` is its one-line name. */
  | { type: "tool.begin"; call: ToolCall; title: string }
  | { type: "tool.output"; id: string; chunk: string }
  | { type: "notice"; text: string }
  /** A request failed and is sent again after `ms`; `because` is the failure's sentence. */
  | { type: "retry"; attempt: number; tries: number; ms: number; because: string };

/** A renderer that ignores every live event ends with the same transcript. */
export type TurnEvent =
  | { kind: "stored"; event: KnownEvent }
  | { kind: "live"; event: LiveEvent }
  /** Always the last: how the turn ended. */
  | { kind: "end"; end: TurnEnd };

export type TurnEnd =
  | { status: "complete"; text: string }
  | { status: "interrupted" }
  | { status: "error"; message: string }
  | { status: "limit"; which: string }
  | { status: "denied"; because: string };

export function live(event: LiveEvent): TurnEvent {
  return { kind: "live", event };
}

export function stored(event: KnownEvent): TurnEvent {
  return { kind: "stored", event };
}

/** Why it ended so, in words; empty where the status says all. */
export function reasonOf(end: TurnEnd): string {
  switch (end.status) {
    case "complete":
    case "interrupted":
      return "";
    case "error":
      return end.message;
    case "limit":
      return end.which;
    case "denied":
      return end.because;
  }
}
