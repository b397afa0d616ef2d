// Searches files and folders line by line: results come as they are found, in the order of the paths.
import type { Bytes } from "./bytes.ts";
import { globsOf } from "./glob-list.ts";
import { inside } from "./folder.ts";
import type { Matcher } from "./match.ts";
import { pace } from "./pace.ts";
import type { Wanted } from "./scan.ts";
import {
  newScratch,
  searchFile,
  type FileResult,
  type FileSearch,
  type Run,
} from "./search-file.ts";
import { walk, type WalkOptions } from "./walk.ts";

export type Root = {
  /** Absolute. */
  path: Bytes;
  /** What stands before a path below it when shown: empty, or with a slash at the end; of a file its whole name. */
  shown: Bytes;
  kind: "file" | "folder";
};

export type GrepRequest = {
  roots: readonly Root[];
  matcher: Matcher;
  /** Asked anew for each file: a limit may be near by then. */
  wanted(): Wanted;
  /** As ripgrep's `-g`, relative to `cwd`. */
  globs: readonly string[];
  cwd: Bytes;
  skip: WalkOptions["skip"];
  /** Files to leave out that were not asked for by name; they are named at the end. */
  isPrivate(path: Bytes): boolean;
};

/** What kept a file or folder from being searched, wholly or in part. */
export type Problem = {
  path: Bytes;
  what: "unreadable" | "too deep" | "too large" | "slow" | "long line";
};

export type GrepEvent =
  /** A file with matches. */
  | { type: "file"; path: Bytes; result: FileResult }
  | {
      type: "end";
      searched: number;
      binary: number;
      skipped: Bytes[];
      secret: Bytes[];
      problems: Problem[];
    };

export async function* grep(request: GrepRequest, signal: AbortSignal): AsyncGenerator<GrepEvent> {
  const end: Extract<GrepEvent, { type: "end" }> = {
    type: "end",
    searched: 0,
    binary: 0,
    skipped: [],
    secret: [],
    problems: [],
  };
  const run: Run = { scratch: newScratch(), pace: pace(), signal };
  const done = new Set<Bytes>();
  for await (const file of files(request, end, signal)) {
    if (signal.aborted) break;
    if (request.roots.length > 1 && done.has(file.path)) continue;
    if (request.roots.length > 1) done.add(file.path);
    const search: FileSearch = {
      matcher: request.matcher,
      wanted: request.wanted(),
      binary: file.isNamed ? "search" : "leave out",
    };
    const result = await searchFile(file.path, search, run);
    end.searched++;
    if (result.end === "binary") end.binary++;
    const what = problemIn(result);
    if (what !== null) end.problems.push({ path: file.shown, what });
    if (result.matches > 0) yield { type: "file", path: file.shown, result };
    if (run.pace.isDue()) await run.pace.rest();
  }
  yield end;
}

function problemIn(result: FileResult): Problem["what"] | null {
  if (result.longLines > 0) return "long line";
  return result.end === "whole" || result.end === "binary" ? null : result.end;
}

type File = { path: Bytes; shown: Bytes; isNamed: boolean };
type End = Extract<GrepEvent, { type: "end" }>;

async function* files(request: GrepRequest, end: End, signal: AbortSignal): AsyncGenerator<File> {
  for (const root of request.roots) {
    if (root.kind === "file") yield { path: root.path, shown: root.shown, isNamed: true };
    else yield* filesBelow(root, request, end, signal);
  }
}

async function* filesBelow(
  root: Root,
  request: GrepRequest,
  end: End,
  signal: AbortSignal,
): AsyncGenerator<File> {
  // Globs speak of paths below the working folder, outside it of paths below the root.
  const base = inside(root.path, "").startsWith(inside(request.cwd, "")) ? request.cwd : root.path;
  const options: WalkOptions = {
    scope: "search",
    evenIgnored: true,
    skip: request.skip,
    globs: globsOf(request.globs, base),
  };
  for await (const batch of walk(root.path, options, signal)) {
    for (const found of batch) {
      const shown = root.shown + found.path;
      const path = inside(root.path, found.path);
      if (found.kind === "skipped") end.skipped.push(shown);
      else if (found.kind === "unreadable" || found.kind === "too deep")
        end.problems.push({ path: shown, what: found.kind });
      else if (found.kind === "file" && request.isPrivate(path)) end.secret.push(shown);
      else if (found.kind === "file") yield { path, shown, isNamed: false };
    }
  }
}
