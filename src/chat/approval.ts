// The permission question: what would be done, why it is asked, and which keys answer it.
import type { Answer, Ask } from "../agent/confirm.ts";
import { visible } from "../base/plain.ts";
import { content, EDITOR, feed, type, type Editor } from "../term/editor.ts";
import type { Key } from "../term/key.ts";
import type { Entry } from "./entry.ts";
import { argument } from "../agent/title.ts";

export type Pending = {
  readonly ask: Ask;
  /** Keys before this time were meant for something else. */
  readonly openAt: number;
  /** Such keys came: the person is told that they were dropped. */
  readonly isEarly: boolean;
  /** The reason being written after `n`. */
  readonly reason: Editor | null;
};

/** A person who types on while the question appears has not read it: each key puts the start off. */
const GRACE_MS = 300;

export type Reply =
  | { kind: "waiting"; pending: Pending }
  /** `rest` is what a person who types the answer as a word still types of it. */
  | { kind: "answered"; answer: Answer; rest: string }
  | { kind: "help" };

export function pendingOf(ask: Ask, at: number): Pending {
  return { ask, openAt: at + GRACE_MS, isEarly: false, reason: null };
}

export function reply(pending: Pending, key: Key, at: number, columns: number): Reply {
  if (at < pending.openAt) {
    return waiting({ ...pending, openAt: at + GRACE_MS, isEarly: true });
  }
  return pending.reason === null
    ? choose({ ...pending, isEarly: false }, key, columns)
    : writeReason(pending, pending.reason, { key, columns });
}

/** What `?` tells at a question. */
export function keysOf({ ask }: Pending): readonly (readonly [string, string])[] {
  const always: readonly [string, string] = [
    "a, always",
    `yes, and the same without a question in this session: ${visible(ask.question.offer)}`,
  ];
  return [
    ["y, yes", "run it this once"],
    ...(ask.question.floor ? [] : [always]),
    ["n, no", "do not run it; what you write after it tells the model why; Enter sends"],
    ["Esc", "do not run it, and stop the turn"],
  ];
}

/** Printed once, above the choices: nothing of it may be hidden, neither by length nor by invisible characters. */
export function questionEntry(ask: Ask): Entry {
  const cause = whatOf(ask);
  const what = commandOf(ask);
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

/** What would be done: the whole command, else what the tool would touch. */
export function commandOf(ask: Ask): string {
  return argument(ask.call, "command") ?? whatOf(ask);
}

function whatOf({ question, title }: Ask): string {
  const { touch } = question;
  if (touch === null) return title;
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

function waiting(pending: Pending): Reply {
  return { kind: "waiting", pending };
}

function choose(pending: Pending, key: Key, columns: number): Reply {
  switch (key.kind) {
    case "paste":
      return waiting(pending);
    case "chord":
      return key.chord === "escape" || key.chord === "ctrl+c"
        ? { kind: "answered", answer: { kind: "stop" }, rest: "" }
        : waiting(pending);
    case "text":
      return chooseByWord(pending, key.text, columns);
  }
}

/** Words that arrive in one piece answer like their first letter. */
function chooseByWord(pending: Pending, typed: string, columns: number): Reply {
  const word = typed.trim().toLowerCase();
  if (word === "?") return { kind: "help" };
  if (isAnswer(word, "yes")) {
    return { kind: "answered", answer: { kind: "once" }, rest: "yes".slice(word.length) };
  }
  const { floor, offer } = pending.ask.question;
  if (isAnswer(word, "always") && !floor) {
    const answer = { kind: "session" as const, rule: offer };
    return { kind: "answered", answer, rest: "always".slice(word.length) };
  }
  if (!word.startsWith("n")) return waiting(pending);
  const after = { kind: "text", text: typed.trimStart().slice(1).trimStart() } as const;
  const opened = { ...pending, reason: EDITOR };
  return after.text === "" ? waiting(opened) : writeReason(opened, EDITOR, { key: after, columns });
}

function isAnswer(word: string, whole: string): boolean {
  return word === whole || word === whole.slice(0, 1);
}

function writeReason(
  pending: Pending,
  reason: Editor,
  typed: { key: Key; columns: number },
): Reply {
  const { key, columns } = typed;
  const name = key.kind === "chord" ? key.chord : "";
  if (name === "escape" || name === "ctrl+c") {
    return { kind: "answered", answer: { kind: "stop" }, rest: "" };
  }
  if (name === "enter") {
    const text = reasonIn(content(reason));
    return {
      kind: "answered",
      answer: { kind: "no", reason: text === "" ? null : text },
      rest: "",
    };
  }
  const isWord = reason.text === "" && key.kind === "text" && /^o/i.test(key.text);
  const begun = isWord ? type(reason, "n") : reason;
  return waiting({ ...pending, reason: feed(begun, key, columns) });
}

/** English words with which a reason may begin right after the key `n`: it is not their first letter. */
const NO_N =
  /^n(?=(?:o(?:nly|nce|ther|thers|therwise|ur|ut|utput|ver|ld|pen|f|ff|k|kay|mit|riginal))\b)/i;

/**
 * `n` answers, and what follows is the reason. Who types a whole word does not know that: an `o` right after `n`
 * continues one (`no`, `not that`, `nothing`), so the letter comes back; a `no` of its own is the answer, said twice.
 */
function reasonIn(text: string): string {
  return text
    .trim()
    .replace(NO_N, "")
    .replace(/^no(?:$|[\s,.:;!–-]+)/i, "")
    .trim();
}
