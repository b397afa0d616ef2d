// The permission question: what would be done, why it is asked, and which keys answer it.
import type { Answer, Ask } from "../agent/confirm.ts";
import { visible } from "../base/plain.ts";
import type { Touch } from "../policy/touch.ts";
import { content, EDITOR, feed, type Editor } from "../term/editor.ts";
import type { Key } from "../term/key.ts";
import type { Entry } from "./entry.ts";
import { argument } from "./title.ts";

export type Pending = {
  readonly ask: Ask;
  /** Keys before this time were meant for something else. */
  readonly openAt: number;
  /** The reason being written after `n`. */
  readonly reason: Editor | null;
};

/** A person who types on while the question appears has not read it: each key puts the start off. */
const GRACE_MS = 300;

export type Reply =
  | { kind: "waiting"; pending: Pending }
  | { kind: "answered"; answer: Answer }
  /** The key came too early and still belongs to the input. */
  | { kind: "early"; pending: Pending };

export function pendingOf(ask: Ask, at: number): Pending {
  return { ask, openAt: at + GRACE_MS, reason: null };
}

/** The question begins to count when it can be seen. */
export function reopened(pending: Pending, at: number): Pending {
  return { ...pending, openAt: Math.max(pending.openAt, at + GRACE_MS) };
}

export function reply(pending: Pending, key: Key, at: number, columns: number): Reply {
  if (at < pending.openAt) return { kind: "early", pending: reopened(pending, at) };
  return pending.reason === null
    ? choose(pending, key)
    : writeReason(pending, pending.reason, { key, columns });
}

/** Printed once, above the choices: nothing of it may be hidden, neither by length nor by invisible characters. */
export function questionEntry(ask: Ask): Entry {
  const cause = whatOf(ask.question.touch);
  const what = argument(ask.call, "command") ?? cause;
  const because = what === cause ? ask.question.because : `${ask.question.because}: ${cause}`;
  return {
    kind: "question",
    gap: true,
    tool: ask.call.name,
    what: visible(what),
    because: visible(because),
    preview: ask.preview,
  };
}

function whatOf(touch: Touch): string {
  switch (touch.kind) {
    case "read":
    case "write":
      return `${touch.kind} ${touch.path}`;
    case "run":
      return touch.command;
    case "fetch":
      return touch.url;
    case "call":
      return `${touch.server}: ${touch.tool}`;
  }
}

function choose(pending: Pending, key: Key): Reply {
  const waiting: Reply = { kind: "waiting", pending };
  if (key.kind === "paste") return waiting;
  switch (key.kind === "text" ? key.text : key.chord) {
    case "y":
      return { kind: "answered", answer: { kind: "once" } };
    case "a":
      if (pending.ask.question.floor) return waiting;
      return { kind: "answered", answer: { kind: "session", rule: pending.ask.question.offer } };
    case "n":
      return { kind: "waiting", pending: { ...pending, reason: EDITOR } };
    case "escape":
    case "ctrl+c":
      return { kind: "answered", answer: { kind: "stop" } };
    default:
      return waiting;
  }
}

function writeReason(
  pending: Pending,
  reason: Editor,
  typed: { key: Key; columns: number },
): Reply {
  const { key, columns } = typed;
  const name = key.kind === "chord" ? key.chord : "";
  if (name === "escape" || name === "ctrl+c") return { kind: "answered", answer: { kind: "stop" } };
  if (name === "enter") {
    const text = content(reason).trim();
    return { kind: "answered", answer: { kind: "no", reason: text === "" ? null : text } };
  }
  return { kind: "waiting", pending: { ...pending, reason: feed(reason, key, columns) } };
}
