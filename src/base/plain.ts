// Text from outside made plain: what would steer a terminal or deceive a reader is taken out or written out.
import { lazy } from "./lazy.ts";

/** CSI; OSC, DCS and the like where they end on the same line; two-character escapes. What stays open keeps its text. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;
// oxlint-disable-next-line no-control-regex
const STARTS_ESCAPE = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/;
// oxlint-disable-next-line no-control-regex
const OVERSTRUCK = /[^\n]\u0008/g;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\n\u0020-\u007e]*$/;

/** All controls, C1 included, but tab and newline: they steer a terminal. */
export const CONTROLS = /(?![\t\n])\p{Cc}/gu;

/** Selectors and joiners that belong to the writing: emoji, keycaps, and the scripts whose letters a joiner shapes. */
const WRITING = [
  String.raw`(?<=\p{ExtPict})[\ufe0e\ufe0f]`,
  String.raw`(?<=[#*0-9])\ufe0f(?=\u20e3)`,
  String.raw`(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict})`,
  String.raw`(?<=[\u0600-\u109f\u1780-\u18af])[\u200c\u200d](?=[\u0600-\u109f\u1780-\u18af])`,
].join("|");
/** What has no shape of its own: controls, formats (bidi, zero width, tags), line separators, halves of characters, fillers. */
const SHAPELESS = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
/** What looks like a space and is none, and what each font shows as it likes. */
const LOOKALIKES = String.raw`(?! )[\p{Zs}\p{Co}\u2800]`;
const HIDDEN = `(?!${WRITING})${SHAPELESS}`;
const hidden = lazy(() => new RegExp(HIDDEN, "gu"));
const unclear = lazy(() => new RegExp(`${HIDDEN}|${LOOKALIKES}`, "gu"));

/** Without escape sequences; carriage returns and all other characters stay. */
export function stripEscapes(text: string): string {
  return STARTS_ESCAPE.test(text) ? text.replace(ESCAPES, "") : text;
}

/** What a program printed in the end: no escapes, no controls, of a line rewritten with carriage returns its last state. */
export function plainText(text: string): string {
  const bare = stripEscapes(text);
  const folded = bare.includes("\r") ? bare.split("\n").map(lastState).join("\n") : bare;
  return folded.replace(OVERSTRUCK, "").replace(CONTROLS, "");
}

function lastState(line: string): string {
  return line.split("\r").findLast((state) => state !== "") ?? "";
}

/** Fit to be shown: escapes and hidden characters are taken out; newline and tab stay, line separators become spaces. */
export function strip(text: string): string {
  if (ASCII.test(text)) return text;
  return stripEscapes(text).replaceAll("\r\n", "\n").replace(hidden(), shown);
}

function shown(char: string): string {
  if (char === "\n" || char === "\t") return char;
  return char === "\u2028" || char === "\u2029" ? " " : "";
}

/**
 * With everything hidden or unclear written out as JSON does, for questions where it could change the answer and for
 * lines that must stay one line. `kept` is what stays as it is.
 */
export function visible(text: string, kept: "" | "\n" | "\n\t" = "\n"): string {
  if (ASCII.test(text) && (kept !== "" || !text.includes("\n"))) return text;
  return text.replace(unclear(), (char) => (kept.includes(char) ? char : writtenOut(char)));
}

function writtenOut(char: string): string {
  if (char === "\n") return String.raw`\n`;
  if (char === "\t") return String.raw`\t`;
  if (char === "\r") return String.raw`\r`;
  return char
    .split("")
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
