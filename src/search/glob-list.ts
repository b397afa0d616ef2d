// Globs as people and models give them: `!` turns one round, `{a,b}` are choices, without a slash the name alone counts.
import { toBytes, type Bytes } from "./bytes.ts";
import { rulesOf } from "./ignore.ts";
import type { Globs } from "./judge.ts";

/** Relative to `base`, an absolute folder. Null for an empty list. */
export function globsOf(patterns: readonly string[], base: Bytes): Globs | null {
  if (patterns.length === 0) return null;
  const lines = patterns.flatMap((pattern) =>
    expandBraces(toBytes(pattern.replace(/^(!?)\.\//, "$1/"))),
  );
  const isClosed = patterns.some((pattern) => !pattern.startsWith("!"));
  return { rules: rulesOf(lines, base, false), isClosed };
}

const MAX_CHOICES = 1_000;

/** All patterns that `{a,b{c,d}}` stands for; braces that do not close stand for themselves. */
export function expandBraces(pattern: Bytes): Bytes[] {
  const done: Bytes[] = [];
  const open = [pattern];
  for (let each = open.shift(); each !== undefined; each = open.shift()) {
    const group = firstGroup(each);
    if (group === null || done.length + open.length > MAX_CHOICES) {
      done.push(each);
      continue;
    }
    const { start, end, choices } = group;
    open.unshift(...choices.map((choice) => each.slice(0, start) + choice + each.slice(end)));
  }
  return done;
}

type Group = { start: number; end: number; choices: Bytes[] };

function firstGroup(pattern: Bytes): Group | null {
  let start = -1;
  let depth = 0;
  let commas: number[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "{" && depth++ === 0) {
      start = at;
      commas = [];
    } else if (char === "," && depth === 1) commas.push(at);
    else if (char === "}" && depth > 0 && --depth === 0) {
      const edges = [start, ...commas, at];
      const choices = edges
        .slice(1)
        .map((edge, index) => pattern.slice((edges[index] ?? 0) + 1, edge));
      return { start, end: at + 1, choices };
    }
  }
  return null;
}
