// What can be answered, in the live tail: the keys of a permission question, or the options of a question of the model.
import { visible } from "../base/plain.ts";
import { wrap } from "../base/wrap.ts";
import type { Style } from "../term/style.ts";
import { commandOf, type Pending } from "./approval.ts";
import { current, type Inquiring } from "./inquiry.ts";
import { cutToRow } from "./lines.ts";

type Room = { rows: number; columns: number; style: Style };

/** With fewer rows the question itself may be off the screen: what it is about is repeated here. */
const ROOMY_ROWS = 3;
const EARLY = "keys that were typed before this question were dropped";

const OWN = "another answer";

/** The keys that answer a permission question. */
export function choiceRows(pending: Pending, { rows, columns, style }: Room): string[] {
  const key = (name: string, text: string): string => `${style.paint("strong", name)} ${text}`;
  if (pending.reason !== null) {
    return [
      `${style.paint("warning", "no")}, because (optional) · ${key("Enter", "send")} · ${key("Esc", "no, and stop")}`,
    ];
  }
  if (rows < ROOMY_ROWS) return shortRows(pending, { rows, columns, style });
  const choices = [
    key("y", "yes, once"),
    key("n", "no"),
    key("Esc", "no, and stop"),
    key("?", "help"),
  ];
  const early = pending.isEarly ? [style.paint("dim", EARLY)] : [];
  const rule = cutToRow(visible(pending.ask.question.offer), columns - 30);
  // What cannot be undone is asked each time: a grant would not cover it.
  const always = pending.ask.question.floor ? [] : [key("a", `always in this session: ${rule}`)];
  return [...early, choices.join("   "), ...always]
    .flatMap((row) => wrap(row, columns - 1))
    .slice(0, rows);
}

function shortRows({ ask }: Pending, { rows, columns, style }: Room): string[] {
  const keys = ask.question.floor ? "y n Esc ?" : "y a n Esc ?";
  const what = visible(commandOf(ask));
  if (rows > 1) return [cutToRow(what, columns - 1), style.paint("strong", keys)];
  return [`${style.paint("strong", keys)} ${cutToRow(what, columns - keys.length - 2)}`];
}

/** As many options as there is room for, the one that Enter takes among them. */
export function inquiryRows(inquiring: Inquiring, { rows, columns, style }: Room): string[] {
  const { options, multi } = current(inquiring);
  const hint = style.paint("dim", cutToRow(hintOf(inquiring), columns - 1));
  if (inquiring.writing !== null) return [hint];
  const labels = [...options.map(({ label }) => label), OWN];
  const lines = labels.map((label, at) => {
    const isHere = at === inquiring.row;
    const box = inquiring.chosen.includes(at) ? "[x] " : "[ ] ";
    const mark = multi && at < options.length ? box : "";
    const text = cutToRow(`${at + 1} ${mark}${visible(label, "")}`, columns - 3);
    return isHere ? `${style.paint("accent", "›")} ${style.paint("strong", text)}` : `  ${text}`;
  });
  const room = Math.max(1, rows);
  if (lines.length < room) return [...lines, hint];
  const from = Math.max(0, Math.min(inquiring.row - Math.floor(room / 2), lines.length - room));
  return lines.slice(from, from + room);
}

function hintOf(inquiring: Inquiring): string {
  const { options, multi } = current(inquiring);
  if (inquiring.writing !== null) {
    return `your answer · Enter sends it · Esc ${options.length === 0 ? "answers nothing" : "back"}`;
  }
  return multi
    ? "Space or number marks · Enter sends · Esc answers nothing"
    : "number or ↑↓ and Enter · Esc answers nothing";
}
