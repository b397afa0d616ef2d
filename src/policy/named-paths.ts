// The paths that a command line names, as far as its words tell: what rules and the safety floor say of files holds for them.
import { resolve } from "node:path";
import { plainText } from "./parts.ts";
import type { Touch } from "./touch.ts";

const WORD = /[^\s;&|()<>`"'=:,{}[\]$]+/g;
const REDIRECTION = /(?:^|[^<>])>{1,2}\|?\s*([^\s;&|()<>]+)/g;
/** From its first sign on a glob is unknown; what stands before it tells most. */
const GLOB = /[*?].*$/;

/**
 * Every word may be a file that is read or changed; the target of a redirection is one that is changed. Rather a word too
 * many than a file too few: these touches are only used to forbid and to ask.
 */
export function namedPaths(command: string, cwd: string): Touch[] {
  // A variable is some name: `/proc/$PPID/environ` and `$HOME/.ssh` are as telling without it.
  const line = plainText(command).replaceAll(/\$\{?\w+\}?/g, "x");
  const words = new Set((line.match(WORD) ?? []).map((word) => word.replace(GLOB, "")));
  const targets = new Set([...line.matchAll(REDIRECTION)].map((hit) => hit[1] ?? ""));
  const read = [...words].filter((word) => word !== "" && !word.startsWith("-"));
  const written = [...targets].filter((word) => word !== "" && word !== "/dev/null");
  return [
    ...read.map((word): Touch => ({ kind: "read", path: resolve(cwd, word) })),
    ...written.map((word): Touch => ({ kind: "write", path: resolve(cwd, word) })),
  ];
}
