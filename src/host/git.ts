// What git says of a folder, read from its files: starting git would cost time and could run a repository's code.
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { strip } from "../base/plain.ts";

/** Of `.git`, HEAD, a loose ref: one line each. */
const MAX_LINE_BYTES = 4096;
const MAX_PACKED_BYTES = 16 << 20;

export type GitState = { root: string; branch: string | null; commit: string | null };

/** The repository that holds `cwd`, or null. `branch` is null when HEAD is detached, `commit` before the first one. */
export function gitState(cwd: string): GitState | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const gitDir = gitDirOf(folder);
    if (gitDir !== null) return { root: folder, ...headOf(gitDir) };
    if (dirname(folder) === folder) return null;
  }
}

/** `.git` is a folder, or in worktrees and submodules a file that names one. */
function gitDirOf(folder: string): string | null {
  const path = join(folder, ".git");
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return path;
    if (!stat.isFile() || stat.size > MAX_LINE_BYTES) return null;
    const named = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
    return named === undefined ? null : resolve(folder, named);
  } catch {
    return null;
  }
}

/** What is no name git itself would take is not shown to anyone: a repository may come from a stranger. */
const REF = /^ref: (refs\/[^\s~^:?*[\\]{1,250})$/;

function headOf(gitDir: string): { branch: string | null; commit: string | null } {
  const head = line(join(gitDir, "HEAD"));
  if (head === null) return { branch: null, commit: null };
  const ref = REF.exec(head)?.[1];
  if (ref === undefined || strip(ref) !== ref) return { branch: null, commit: commitIn(head) };
  return { branch: ref.replace(/^refs\/heads\//, ""), commit: commitOf(gitDir, ref) };
}

/** A loose ref first, then the packed ones; a worktree keeps both in the common folder. */
function commitOf(gitDir: string, ref: string): string | null {
  if (ref.includes("..")) return null;
  const common = line(join(gitDir, "commondir"));
  const homes = common === null ? [gitDir] : [gitDir, resolve(gitDir, common)];
  for (const home of homes) {
    const loose = line(join(home, ref));
    if (loose !== null) return commitIn(loose);
  }
  for (const home of homes) {
    const packed = whole(join(home, "packed-refs"), MAX_PACKED_BYTES);
    const hit = packed?.split("\n").find((row) => row.endsWith(` ${ref}`));
    if (hit !== undefined) return commitIn(hit.slice(0, hit.indexOf(" ")));
  }
  return null;
}

function commitIn(text: string): string | null {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text) ? text : null;
}

function line(path: string): string | null {
  return whole(path, MAX_LINE_BYTES)?.trim() ?? null;
}

function whole(path: string, maxBytes: number): string | null {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}
