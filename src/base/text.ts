// Text as programs print it, made plain: escape sequences out, progress lines at their last state, long lines cut.

/** CSI; OSC, DCS and the like where they end on the same line; two-character escapes. What stays open keeps its text. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;
/** All controls but tab and newline. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
// oxlint-disable-next-line no-control-regex
const OVERSTRUCK = /[^\n]\u0008/g;

/** Without escape sequences; carriage returns and all other characters stay. */
export function stripEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(ESCAPES, "") : text;
}

/** What a person sees in the end: no escapes, no controls, of a line rewritten with carriage returns its last state. */
export function plainText(text: string): string {
  const bare = stripEscapes(text);
  const folded = bare.includes("\r") ? bare.split("\n").map(lastState).join("\n") : bare;
  return folded.replace(OVERSTRUCK, "").replace(CONTROLS, "");
}

function lastState(line: string): string {
  return line.split("\r").findLast((state) => state !== "") ?? "";
}

/** At most `chars` of a line, with the count of what was cut; a surrogate pair is not cut in two. */
export function cutLine(line: string, chars: number): string {
  if (line.length <= chars) return line;
  const end = isHighSurrogate(line.charCodeAt(chars - 1)) ? chars - 1 : chars;
  return `${line.slice(0, end)}… (+${line.length - end} characters)`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** `1 file`, `3 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** `812 bytes`, `4.2 KB`, `1.3 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  const units = ["KB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ""}`;
}
