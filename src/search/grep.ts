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
import { walk, type Found, type WalkOptions } from "./walk.ts";

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
  { type: "file"; path: Bytes; result: FileResult } | End;

type End = {
  type: "end";
  searched: number;
  binary: number;
  skipped: Bytes[];
  secret: Bytes[];
  problems: Problem[];
};

export async function* grep(request: GrepRequest, signal: AbortSignal): AsyncGenerator<GrepEvent> {
  const end: End = { type: "end", searched: 0, binary: 0, skipped: [], secret: [], problems: [] };
  const run: Run = { scratch: newScratch(), pace: pace(), signal };
  for await (const file of files(request, end, signal)) {
    if (signal.aborted) break;
    const result = await searchFile(file.path, searchOf(file, request), run);
    end.searched++;
    if (result.end === "binary") end.binary++;
    const what = problemIn(result);
    if (what !== null) end.problems.push({ path: file.shown, what });
    if (result.matches > 0) yield { type: "file", path: file.shown, result };
    if (run.pace.isDue()) await run.pace.rest();
  }
  yield end;
}

function searchOf(file: File, request: GrepRequest): FileSearch {
  const binary = file.isNamed ? "search" : "leave out";
  return { matcher: request.matcher, wanted: request.wanted(), binary };
}

function problemIn(result: FileResult): Problem["what"] | null {
  if (result.longLines > 0) return "long line";
  return result.end === "whole" || result.end === "binary" ? null : result.end;
}

type File = { path: Bytes; shown: Bytes; isNamed: boolean };

/** Each file once, where roots lie within each other. */
async function* files(request: GrepRequest, end: End, signal: AbortSignal): AsyncGenerator<File> {
  const done = new Set<Bytes>();
  for (const root of request.roots) {
    for await (const file of filesBelow(root, request, end, signal)) {
      if (request.roots.length > 1 && done.has(file.path)) continue;
      if (request.roots.length > 1) done.add(file.path);
      yield file;
    }
  }
}

async function* filesBelow(
  root: Root,
  request: GrepRequest,
  end: End,
  signal: AbortSignal,
): AsyncGenerator<File> {
  if (root.kind === "file") {
    yield { path: root.path, shown: root.shown, isNamed: true };
    return;
  }
  for await (const batch of walk(root.path, optionsFor(root, request), signal)) {
    for (const { kind, path } of batch) {
      const file = { path: inside(root.path, path), shown: root.shown + path, isNamed: false };
      if (kind === "file" && !request.isPrivate(file.path)) yield file;
      else note(kind, file.shown, end);
    }
  }
}

/** Globs speak of paths below the working folder, outside it of paths below the root. */
function optionsFor(root: Root, { cwd, globs, skip }: GrepRequest): WalkOptions {
  const isBelow = inside(root.path, "").startsWith(inside(cwd, ""));
  return {
    scope: "search",
    evenIgnored: true,
    skip,
    globs: globsOf(globs, isBelow ? cwd : root.path),
  };
}

function note(kind: Found["kind"], shown: Bytes, end: End): void {
  if (kind === "skipped") end.skipped.push(shown);
  else if (kind === "file") end.secret.push(shown);
  else if (kind === "unreadable" || kind === "too deep")
    end.problems.push({ path: shown, what: kind });
}
