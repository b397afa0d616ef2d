// Walks a folder in the order of its paths, leaving out what ignore rules leave out; links are named, never followed.
import { realpathSync } from "node:fs";
import { onDisk, type Bytes } from "./bytes.ts";
import { inside, namesIn, type Name } from "./folder.ts";
import { judge, trackedKind, type Parent, type Preferences } from "./judge.ts";
import { freshLevel, levelOf, startLevel, type Level, type Scope } from "./level.ts";
import { pace } from "./pace.ts";

/**
 * Paths are relative to the root. Repositories below another are folders in the `search` scope; in the `git` scope they
 * are named and not entered: `submodule` when tracked, else `repository`.
 */
export type Found = {
  kind:
    | "file"
    | "link"
    | "folder"
    | "submodule"
    | "repository"
    | "unreadable"
    | "skipped"
    | "too deep";
  path: Bytes;
};

export type WalkOptions = Preferences & {
  scope: Scope;
  /** A root that the rules ignore is walked all the same, by the rules inside it. */
  evenIgnored: boolean;
};

const MAX_DEPTH = 256;
const BATCH = 128;

type Frame = Parent & {
  /** The folder below the root, with a slash at the end; empty for the root. */
  prefix: Bytes;
  names: readonly Name[];
  at: number;
};

/** Batches, in path order; yields to the event loop as it goes. */
export async function* walk(
  root: Bytes,
  options: WalkOptions,
  signal: AbortSignal,
): AsyncGenerator<Found[]> {
  const work = pace();
  const found: Found[] = [];
  const stack: Frame[] = [];
  const first = firstFrame(root, options);
  if (first === null) found.push({ kind: "unreadable", path: "" });
  else stack.push(first);
  while (stack.length > 0 && !signal.aborted) {
    step({ options, stack, found });
    const isDue = work.isDue();
    if (found.length >= BATCH || (isDue && found.length > 0)) yield found.splice(0);
    if (isDue) await work.rest();
  }
  if (!signal.aborted) yield found;
}

type Going = { options: WalkOptions; stack: Frame[]; found: Found[] };

/** One entry of the folder on top. */
function step({ options, stack, found }: Going): void {
  const frame = stack[stack.length - 1];
  const entry = frame?.names[frame.at++];
  if (frame === undefined || entry === undefined) {
    stack.pop();
    return;
  }
  const isFolder = entry.kind === "folder";
  const path = frame.prefix + entry.name;
  const verdict = judge(frame, entry.name, isFolder, options);
  if (verdict === "skip") found.push({ kind: "skipped", path });
  if (verdict === "skip" || verdict === "leave") return;
  if (isFolder) enter(frame, entry.name, verdict === "tracked", { options, stack, found });
  else found.push({ kind: entry.kind, path });
}

function enter(parent: Frame, name: Bytes, isIgnored: boolean, going: Going): void {
  const { options, stack, found } = going;
  const path = parent.prefix + name;
  const folder = inside(parent.folder, name);
  const names = stack.length < MAX_DEPTH ? namesIn(folder) : "too deep";
  if (typeof names === "string") {
    if (names !== "gone") found.push({ kind: names, path });
    return;
  }
  const level = levelAt(folder, parent.level, options.scope, names);
  const isNested = level !== parent.level && level?.begins !== null;
  const kind = isNested && options.scope === "git" ? nestedKind(parent, name) : "folder";
  found.push({ kind, path });
  if (kind !== "folder") return;
  const frame: Frame = { folder, prefix: `${path}/`, level, isIgnored, names, at: 0 };
  if (isNested) stack.push(nestedFrame(frame, parent, options.scope));
  else stack.push(frame);
}

/** In a search a repository of its own is ruled by its own files alone; git goes on as if it were none. */
function nestedFrame(frame: Frame, parent: Frame, scope: Scope): Frame {
  if (scope === "search") return { ...frame, isIgnored: false };
  const names = frame.names.filter(({ name }) => name !== ".git");
  return { ...frame, level: levelAt(frame.folder, parent.level, scope, names) };
}

/** What git makes of a repository inside another: with tracked files below it is a folder like any other. */
function nestedKind(parent: Parent, name: Bytes): "folder" | "submodule" | "repository" {
  const tracked = trackedKind(parent, name);
  if (tracked === "below" || parent.level?.holder === null) return "folder";
  return tracked === "entry" ? "submodule" : "repository";
}

function firstFrame(root: Bytes, options: WalkOptions): Frame | null {
  const names = namesIn(root);
  if (typeof names === "string") return null;
  // Rules are found upward from where the folder really is.
  const folder = realpathSync(onDisk(root), "buffer").toString("latin1");
  const start = startLevel(folder, options.scope);
  const isFresh = start.isIgnored && options.evenIgnored;
  const level = isFresh ? freshLevel(folder, start.level, options.scope) : start.level;
  return { folder, prefix: "", level, isIgnored: start.isIgnored && !isFresh, names, at: 0 };
}

const READ_HERE: ReadonlySet<Bytes> = new Set([".git", ".gitignore", ".ignore"]);

function levelAt(
  folder: Bytes,
  above: Level | null,
  scope: Scope,
  names: readonly Name[],
): Level | null {
  const present = names.filter(({ name }) => READ_HERE.has(name)).map(({ name }) => name);
  if (present.length === 0) return above;
  return levelOf(folder, above, scope, (name) => present.includes(name));
}
