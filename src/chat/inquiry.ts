// Questions of the model with options: what is on show, which keys move and choose, and when they are answered.
import { visible } from "../base/plain.ts";
import { content, EDITOR, feed, type Editor } from "../term/editor.ts";
import type { Key } from "../term/key.ts";
import type { Inquired, Inquiry } from "../tools/inquiry.ts";
import type { Entry } from "./entry.ts";

export type Inquiring = {
  readonly questions: readonly Inquiry[];
  /** Answers to the questions before the one on show. */
  readonly answers: readonly (readonly string[])[];
  /** The row of the list that Enter takes; the one after the options is for an answer of one's own. */
  readonly row: number;
  readonly chosen: readonly number[];
  /** The own answer while it is written. */
  readonly writing: Editor | null;
  /** Keys before this time were meant for something else. */
  readonly openAt: number;
};

/** A person who types on while the question appears has not read it: each key puts the start off. */
const GRACE_MS = 300;

export type Heard =
  | { kind: "waiting"; inquiring: Inquiring }
  | { kind: "answered"; inquired: Inquired }
  /** The turn is to end. */
  | { kind: "stop" };

export function inquiringOf(questions: readonly Inquiry[], at: number): Inquiring {
  return shown(questions, [], at + GRACE_MS);
}

/** The questions begin to count when they can be seen. */
export function reopenedInquiry(inquiring: Inquiring, at: number): Inquiring {
  return { ...inquiring, openAt: Math.max(inquiring.openAt, at + GRACE_MS) };
}

function shown(
  questions: readonly Inquiry[],
  answers: Inquiring["answers"],
  openAt: number,
): Inquiring {
  const isOpen = questions[answers.length]?.options.length === 0;
  return { questions, answers, row: 0, chosen: [], writing: isOpen ? EDITOR : null, openAt };
}

/** The question on show. */
export function current({ questions, answers }: Inquiring): Inquiry {
  return questions[answers.length] ?? { header: "", question: "", options: [], multi: false };
}

/** Printed once, above the list: all of the question, with what its options mean. */
export function inquiryEntry(inquiring: Inquiring): Entry {
  const { header, question, options } = current(inquiring);
  const { length } = inquiring.questions;
  const place = length > 1 ? `(${inquiring.answers.length + 1}/${length}) ` : "";
  return {
    kind: "inquiry",
    gap: true,
    question: visible(`${place}${header === "" ? "" : `${header}: `}${question}`),
    options: options.map(({ label, description }) => ({
      label: visible(label, ""),
      description: visible(description, ""),
    })),
  };
}

export function hear(inquiring: Inquiring, key: Key, at: number, columns: number): Heard {
  if (at < inquiring.openAt) return waiting(reopenedInquiry(inquiring, at));
  if (key.kind === "chord" && key.chord === "ctrl+c") return { kind: "stop" };
  return inquiring.writing === null
    ? choose(inquiring, key, columns)
    : write(inquiring, inquiring.writing, { key, columns });
}

function choose(inquiring: Inquiring, key: Key, columns: number): Heard {
  if (key.kind === "chord") return chooseByChord(inquiring, key.chord);
  const typed = key.kind === "text" ? key.text : "";
  const { multi } = current(inquiring);
  if (typed === " ") return waiting(multi ? toggled(inquiring, inquiring.row) : inquiring);
  if (/^[1-9]$/.test(typed)) return chooseByNumber(inquiring, Number(typed) - 1);
  return write(inquiring, EDITOR, { key, columns });
}

function chooseByNumber(inquiring: Inquiring, row: number): Heard {
  const { multi, options } = current(inquiring);
  if (row > options.length) return waiting(inquiring);
  const moved = { ...inquiring, row };
  return multi && row < options.length ? waiting(toggled(moved, row)) : take(moved);
}

function chooseByChord(inquiring: Inquiring, chord: string): Heard {
  const rows = current(inquiring).options.length + 1;
  const move = (by: number): Heard =>
    waiting({ ...inquiring, row: (inquiring.row + by + rows) % rows });
  switch (chord) {
    case "up":
    case "ctrl+p":
    case "shift+tab":
      return move(-1);
    case "down":
    case "ctrl+n":
    case "tab":
      return move(1);
    case "enter":
      return take(inquiring);
    case "escape":
      return { kind: "answered", inquired: { kind: "declined" } };
    default:
      return waiting(inquiring);
  }
}

/** What Enter means: the row, or where several may be chosen, those that are. */
function take(inquiring: Inquiring): Heard {
  const { options } = current(inquiring);
  if (inquiring.row === options.length) return waiting({ ...inquiring, writing: EDITOR });
  const rows = inquiring.chosen.length > 0 ? inquiring.chosen : [inquiring.row];
  return answer(inquiring, labelsOf(inquiring, rows));
}

function write(inquiring: Inquiring, writing: Editor, typed: { key: Key; columns: number }): Heard {
  const { key, columns } = typed;
  const { options } = current(inquiring);
  const chord = key.kind === "chord" ? key.chord : "";
  if (chord === "escape" && options.length === 0) {
    return { kind: "answered", inquired: { kind: "declined" } };
  }
  if (chord === "escape") return waiting({ ...inquiring, writing: null });
  if (chord !== "enter") {
    return waiting({ ...inquiring, row: options.length, writing: feed(writing, key, columns) });
  }
  const text = content(writing).trim();
  if (text === "") return waiting({ ...inquiring, writing: options.length === 0 ? writing : null });
  return answer(inquiring, [...labelsOf(inquiring, inquiring.chosen), text]);
}

function answer(inquiring: Inquiring, given: readonly string[]): Heard {
  const answers = [...inquiring.answers, given];
  if (answers.length === inquiring.questions.length) {
    return { kind: "answered", inquired: { kind: "answered", answers } };
  }
  return waiting(shown(inquiring.questions, answers, inquiring.openAt));
}

function labelsOf(inquiring: Inquiring, rows: readonly number[]): string[] {
  const { options } = current(inquiring);
  return rows.flatMap((row) => options[row]?.label ?? []);
}

function toggled(inquiring: Inquiring, row: number): Inquiring {
  if (row >= current(inquiring).options.length) return inquiring;
  const { chosen } = inquiring;
  const others = chosen.filter((each) => each !== row);
  const isOn = others.length < chosen.length;
  return { ...inquiring, chosen: isOn ? others : [...others, row].toSorted((a, b) => a - b) };
}

function waiting(inquiring: Inquiring): Heard {
  return { kind: "waiting", inquiring };
}
