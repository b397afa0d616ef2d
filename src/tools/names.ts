// Paths as a call's one-line name and its result show them.
import { relative } from "node:path";
import { strip, visible } from "../base/plain.ts";

/** Relative to the folder of the session where that is shorter to read; on one line. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  if (inside === "") return ".";
  return oneLine(inside.startsWith("..") ? path : inside);
}

/** As it is, or as a JSON string where it holds a line break or anything else that is hidden. */
export function oneLine(name: string): string {
  const isPlain = strip(name) === name && !/[\n\t]/.test(name);
  return isPlain ? name : visible(JSON.stringify(name), "");
}

/** A text on one line, cut where it is long. */
export function shortText(text: string, chars: number): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length > chars ? `${flat.slice(0, chars - 1)}…` : flat;
}
