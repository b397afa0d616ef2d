// Searches some files one after the other: what a thread is asked for, and what it answers.
import type { Bytes } from "./bytes.ts";
import type { Matcher } from "./match.ts";
import type { Wanted } from "./scan-state.ts";
import { searchFile, type FileResult, type FileSearch, type Run } from "./search-file.ts";

export type Batch = {
  /** Absolute. */
  paths: readonly Bytes[];
  wanted: Wanted;
  binary: FileSearch["binary"];
};

/** What is worth telling, in the order of the paths; `index`: which of them. */
export type BatchResult = {
  searched: number;
  binary: number;
  files: { index: number; result: FileResult }[];
};

/** Stops between two files when the signal says so. */
export async function searchBatch(
  { paths, wanted, binary }: Batch,
  matcher: Matcher,
  run: Run,
): Promise<BatchResult> {
  const done: BatchResult = { searched: 0, binary: 0, files: [] };
  const search: FileSearch = { matcher, wanted, binary };
  for (const [index, path] of paths.entries()) {
    if (run.signal.aborted) break;
    const found = searchFile(path, search, run);
    const result = found instanceof Promise ? await found : found;
    done.searched++;
    if (result.end === "binary") done.binary++;
    if (result.matches > 0 || isProblem(result)) done.files.push({ index, result });
    if (run.pace.isDue()) await run.pace.rest();
  }
  return done;
}

function isProblem({ end, longLines }: FileResult): boolean {
  return longLines > 0 || (end !== "whole" && end !== "binary");
}
