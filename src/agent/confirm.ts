// What a turn asks for from above: a person's answer to one permission question, and text typed meanwhile.
import type { ToolCall } from "../model/event.ts";
import type { Question } from "../policy/verdict.ts";

export type Ask = {
  call: ToolCall;
  /** One-line name of the call: `bash npm test`. */
  title: string;
  question: Question;
  /** A unified diff of what the call would change, where it writes a file. */
  preview: string | null;
};

export type Answer =
  | { kind: "once" }
  /** Yes, and the same again without asking: `rule` is the offer, perhaps edited. */
  | { kind: "session"; rule: string }
  | { kind: "no"; reason: string | null }
  /** No, and end the turn. */
  | { kind: "stop" };

/** Nobody is there to answer: what the settings say instead, for this one call. */
export type Unasked = { kind: "unasked"; isAllowed: boolean; because: string };

export type Confirm = (ask: Ask, signal: AbortSignal) => Promise<Answer | Unasked>;

/** Steering: texts typed while the turn ran, taken between a batch and the next request. */
export type Inbox = { take(): string[] };
