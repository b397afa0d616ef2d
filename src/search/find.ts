// Finds files and folders by a glob or a part of their path.
import { fromBytes, type Bytes } from "./bytes.ts";
import { globsOf } from "./glob-list.ts";
import { decide } from "./ignore.ts";
import { walk, type Found, type WalkOptions } from "./walk.ts";

export type FindRequest = {
  /** Absolute. */
  root: Bytes;
  pattern: string;
  type: "file" | "folder" | "any";
  walk: Omit<WalkOptions, "globs">;
};

/** Matches in path order, and what could not be looked into. */
export async function* find(request: FindRequest, signal: AbortSignal): AsyncGenerator<Found[]> {
  const isMatch = pathTest(request.pattern, request.root);
  for await (const batch of walk(request.root, { ...request.walk, globs: null }, signal)) {
    const matches = batch.filter(
      (found) => isNote(found) || (isWanted(found, request.type) && isMatch(found)),
    );
    if (matches.length > 0) yield matches;
  }
}

/** What a walk says besides what it found. */
export function isNote({ kind }: Found): boolean {
  return kind === "skipped" || kind === "unreadable" || kind === "too deep";
}

function isWanted({ kind }: Found, type: FindRequest["type"]): boolean {
  // git lists a repository inside another like one file.
  if (type === "any" || kind === "repository" || kind === "submodule") return true;
  return (kind === "folder") === (type === "folder");
}

type PathTest = (found: Found) => boolean;

export function isGlob(pattern: string): boolean {
  return /[*?[{]/.test(pattern);
}

function pathTest(pattern: string, root: Bytes): PathTest {
  if (isGlob(pattern)) return globTest(pattern, root);
  const wanted = pattern.toLowerCase();
  return ({ path }) => fromBytes(path).toLowerCase().includes(wanted);
}

function globTest(pattern: string, root: Bytes): PathTest {
  const top = `${fromBytes(root)}/`;
  const relative = pattern.startsWith(top) ? pattern.slice(top.length - 1) : pattern;
  // A glob here never turns round and is never a comment.
  const globs = globsOf([relative.replace(/^[!#]/, String.raw`\$&`)], "");
  if (globs === null) return () => false;
  return ({ path, kind }) => {
    const at = path.lastIndexOf("/");
    const isFolder = kind !== "file" && kind !== "link";
    // The rules take the folder from their base on, which is a slash further.
    const folder = at < 0 ? "" : `/${path.slice(0, at)}`;
    return decide(globs.rules, folder, path.slice(at + 1), isFolder) === "ignore";
  };
}

/** A path as bytes, with a slash after a folder; git gives submodules none. */
export function shownPath({ path, kind }: Found): Bytes {
  return kind === "folder" || kind === "repository" ? `${path}/` : path;
}
