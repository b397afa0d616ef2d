// Searches files and folders line by line: results come as they are found, in the order of the paths.
import { searchBatch, type Batch, type BatchResult } from "./batch.ts";
import type { Bytes } from "./bytes.ts";
import { globsOf } from "./glob-list.ts";
import { inside } from "./folder.ts";
import type { Matcher } from "./match.ts";
import { pace } from "./pace.ts";
import type { Offer, Pool } from "./pool.ts";
import type { Wanted } from "./scan-state.ts";
import { newScratch, type FileResult, type Run } from "./search-file.ts";
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
  /** Asked anew for each batch and for each file found: a limit may be near by then. */
  wanted(): Wanted;
  /** As ripgrep's `-g`, relative to `cwd`. */
  globs: readonly string[];
  cwd: Bytes;
  skip: WalkOptions["skip"];
  /** Files to leave out that were not asked for by name; they are named at the end. */
  isPrivate(path: Bytes): boolean;
  /** Threads for a search of many files. */
  pool: Pool;
};

/** What kept a file or folder from being searched, wholly or in part. */
export type Problem = {
  path: Bytes;
  what: "unreadable" | "too deep" | "too large" | "slow" | "long line" | "stopped";
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
  const job = request.pool.begin(request.matcher.query);
  const here: Here = {
    request,
    queue: [],
    run: { scratch: newScratch(), pace: pace(), signal },
  };
  async function* told(most: number): AsyncGenerator<GrepEvent> {
    while (here.queue.length > most && !signal.aborted) yield* next(here, end);
  }
  signal.addEventListener("abort", job.end);
  try {
    for await (const files of batches(request, end, signal)) {
      if (signal.aborted) break;
      const batch = batchOf(files, request.wanted());
      here.queue.push({ files, batch, offer: job.offer(batch), ours: null });
      yield* told(job.ahead());
    }
    yield* told(0);
  } finally {
    signal.removeEventListener("abort", job.end);
    job.end();
  }
  yield end;
}

/** A batch that threads may search as well as this one. */
type Asked = { files: readonly File[]; batch: Batch; offer: Offer; ours: BatchResult | null };

/** This thread's part. */
type Here = { request: GrepRequest; queue: Asked[]; run: Run };

/** What the batch in front has. */
async function* next(here: Here, end: End): AsyncGenerator<GrepEvent> {
  const asked = here.queue[0];
  if (asked === undefined) return;
  const { searched, binary, files } = await resultOf(asked, here);
  here.queue.shift();
  end.searched += searched;
  end.binary += binary;
  for (const { index, result } of files) {
    const path = asked.files[index]?.shown ?? "";
    const what = problemIn(result);
    if (what !== null) end.problems.push({ path, what });
    if (result.matches === 0) continue;
    yield { type: "file", path, result: trimmed(result, here.request.wanted()) };
  }
}

/** Until it is there this thread searches what no other has begun. */
async function resultOf(asked: Asked, here: Here): Promise<BatchResult> {
  const search = async ({ batch }: Asked): Promise<BatchResult> =>
    searchBatch(batch, here.request.matcher, here.run);
  for (;;) {
    const result = asked.ours ?? asked.offer.found();
    if (result !== null) return result;
    const open = here.queue.find(({ ours, offer }) => ours === null && offer.claim());
    if (open === undefined) {
      await asked.offer.settled;
      // The thread that had begun with it has died.
      return asked.offer.found() ?? (await search(asked));
    }
    open.ours = await search(open);
  }
}

function batchOf(files: readonly File[], wanted: Wanted): Batch {
  const isNamed = files[0]?.isNamed === true;
  const paths = files.map(({ path }) => path);
  return { paths, wanted, binary: isNamed ? "search" : "leave out" };
}

function problemIn(result: FileResult): Problem["what"] | null {
  if (result.longLines > 0) return "long line";
  return result.end === "whole" || result.end === "binary" ? null : result.end;
}

/** When the file was searched more may have been wanted than is by now. */
function trimmed(result: FileResult, { what, perFile, context }: Wanted): FileResult {
  const most = what === "lines" ? perFile : 0;
  if (result.kept <= most) return result;
  const matches = result.lines.filter(({ kind }) => kind === "match");
  const last = matches[most - 1];
  if (last === undefined) return { ...result, lines: [], kept: 0 };
  const beyond = matches[most]?.number ?? Infinity;
  const lines = result.lines.filter(
    ({ number, kind }) =>
      number < beyond && (kind !== "context" || number <= last.number + context),
  );
  return { ...result, lines, kept: most };
}

type File = { path: Bytes; shown: Bytes; isNamed: boolean };

/** Each file once, where roots lie within each other. */
async function* batches(
  request: GrepRequest,
  end: End,
  signal: AbortSignal,
): AsyncGenerator<File[]> {
  const done = new Set<Bytes>();
  const isNew = ({ path }: File): boolean => {
    const isFirst = !done.has(path);
    done.add(path);
    return isFirst;
  };
  for (const root of request.roots) {
    for await (const batch of batchesBelow(root, request, end, signal)) {
      const files = request.roots.length > 1 ? batch.filter(isNew) : batch;
      if (files.length > 0) yield files;
    }
  }
}

async function* batchesBelow(
  root: Root,
  request: GrepRequest,
  end: End,
  signal: AbortSignal,
): AsyncGenerator<File[]> {
  if (root.kind === "file") {
    yield [{ path: root.path, shown: root.shown, isNamed: true }];
    return;
  }
  for await (const batch of walk(root.path, optionsFor(root, request), signal)) {
    const files: File[] = [];
    for (const { kind, path } of batch) {
      const file = { path: inside(root.path, path), shown: root.shown + path, isNamed: false };
      if (kind === "file" && !request.isPrivate(file.path)) files.push(file);
      else note(kind, file.shown, end);
    }
    yield files;
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
