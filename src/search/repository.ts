// A repository as the walker sees it: its root, the rules outside its tree, and what it tracks.
import { existsSync } from "node:fs";
import { onDisk, type Bytes } from "./bytes.ts";
import { gitSettings } from "./git-config.ts";
import { readIndex, type Tracked } from "./git-index.ts";
import { parseRules, type Rules } from "./ignore.ts";
import { readBytes } from "./read-bytes.ts";
import { environment } from "../host/env.ts";

export type Repository = {
  /** Absolute. */
  root: Bytes;
  /** Letters match in both cases. */
  fold: boolean;
  /** info/exclude, then the user's excludes file: the first that decides wins. */
  rules: readonly Rules[];
  /** Reads the index at the first question. */
  tracked(): Tracked;
};

/** The repository whose root is this folder; null when it is none. */
export function repositoryAt(root: Bytes): Repository | null {
  const gitDir = gitDirOf(root);
  if (gitDir === null) return null;
  const common = commonDir(gitDir);
  const settings = gitSettings(
    [`${common}/config`, `${gitDir}/config.worktree`],
    root,
    environment(),
  );
  const files = [`${common}/info/exclude`, settings.excludesFile];
  let tracked: Tracked | null = null;
  return {
    root,
    fold: settings.fold,
    rules: files
      .map((file) => (file === null ? null : readBytes(file)))
      .filter((content) => content !== null)
      .map((content) => parseRules(content, root, settings.fold)),
    tracked: () => (tracked ??= readIndex(gitDir, settings.hashBytes)),
  };
}

/** `.git` is a folder, or in worktrees and submodules a file that names one. */
function gitDirOf(root: Bytes): Bytes | null {
  const path = `${root === "/" ? "" : root}/.git`;
  const named = readBytes(path)?.match(/^gitdir: (.+?)\s*$/m)?.[1];
  const gitDir = named === undefined ? path : absolute(named, root);
  const common = commonDir(gitDir);
  const isOne =
    isThere(`${gitDir}/HEAD`) && isThere(`${common}/objects`) && isThere(`${common}/refs`);
  return isOne ? gitDir : null;
}

/** Worktrees share all but HEAD and index with the repository they belong to. */
function commonDir(gitDir: Bytes): Bytes {
  const named = readBytes(`${gitDir}/commondir`)?.trimEnd();
  return named === undefined ? gitDir : absolute(named, gitDir);
}

function absolute(path: Bytes, folder: Bytes): Bytes {
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function isThere(path: Bytes): boolean {
  return existsSync(onDisk(path));
}
