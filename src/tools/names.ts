// Paths as a call's one-line name and its result show them.
import { relative } from "node:path";

/** Relative to the folder of the session where that is shorter to read; without line breaks and other controls. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  if (inside === "") return ".";
  return oneLine(inside.startsWith("..") ? path : inside);
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** As it is, or as a JSON string where it holds a line break or another control. */
export function oneLine(name: string): string {
  return CONTROLS.test(name) ? JSON.stringify(name) : name;
}

/** A text on one line, cut where it is long. */
export function shortText(text: string, chars: number): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length > chars ? `${flat.slice(0, chars - 1)}…` : flat;
}
