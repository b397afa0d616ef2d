// The sessions of a project: listed, found by whatever a person types, and named so that a name means one of them.
import { basename, join, resolve } from "node:path";
import type { Result } from "../base/failure.ts";
import { broken, invalid, missing, ok } from "../base/failure.ts";
import { takeLock } from "../host/flock.ts";
import type { Shelf } from "./folder.ts";
import { namesIn, rowsIn, sessionPaths } from "./catalog.ts";
import { rowOf, type Row } from "./row.ts";

const MIN_PREFIX_CHARS = 4;
const MAX_CANDIDATES = 8;
const NAME_WAIT_MS = 2000;
const NAME_RETRY_MS = 10;

/** The last used first. */
export function listSessions(shelf: Shelf): Row[] {
  return rowsIn(shelf.folder).toSorted((a, b) => compare(b.lastActivity, a.lastActivity));
}

/** The last used session of this very folder that was asked anything. */
export function newestSession(shelf: Shelf): Row | null {
  const rows = listSessions(shelf);
  return rows.find((row) => row.cwd === shelf.cwd && row.firstPrompt !== null) ?? null;
}

/** By id, name, path or the beginning of an id; ids are found in other projects as well. */
export function findSession(shelf: Shelf, ref: string): Result<Row> {
  const rows = listSessions(shelf);
  const named = rows.find((row) => row.id === ref) ?? rows.find((row) => row.name === ref);
  if (named !== undefined) return ok(named);
  if (ref.includes("/") || ref.endsWith(".jsonl")) return atPath(resolve(shelf.cwd, ref));
  if (ref.length < MIN_PREFIX_CHARS) return missing(unknown(ref));
  const prefix = ref.toUpperCase();
  const here = rows.filter(({ id }) => id.toUpperCase().startsWith(prefix));
  const fits = here.length > 0 ? here : elsewhere(shelf, prefix);
  const [only] = fits;
  if (only === undefined) return missing(unknown(ref));
  return fits.length === 1 ? ok(only) : invalid(ambiguous(ref, fits));
}

/** The wanted name, or with the first free number where a session of this project has it. */
export function freeName(shelf: Shelf, wanted: string): string {
  const taken = new Set(rowsIn(shelf.folder).map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

/**
 * Names are given by one process at a time: `start` gets a free one and must have stored it when it returns. Where the
 * folder cannot be locked nothing can be stored either, and the name need not be unique.
 */
export function withFreeName<T>(shelf: Shelf, wanted: string, start: (name: string) => T): T {
  const path = join(shelf.folder, "names.lock");
  const until = Date.now() + NAME_WAIT_MS;
  let attempt = takeLock(path);
  while (attempt.kind === "busy" && Date.now() < until) {
    Bun.sleepSync(NAME_RETRY_MS);
    attempt = takeLock(path);
  }
  try {
    return start(freeName(shelf, wanted));
  } finally {
    if (attempt.kind === "locked") attempt.lock.release();
  }
}

function atPath(path: string): Result<Row> {
  const row = rowOf(path, null);
  if (row.problem === null) return ok(row);
  return broken(`could not read the session at ${path}: ${row.problem}`);
}

function elsewhere(shelf: Shelf, prefix: string): Row[] {
  const { all } = shelf;
  if (all === null) return [];
  const paths = namesIn(all).flatMap((slug) => sessionPaths(join(all, slug)));
  return paths
    .filter((path) => basename(path).toUpperCase().startsWith(prefix))
    .map((path) => rowOf(path, null));
}

function unknown(ref: string): string {
  return `there is no session "${ref}": give an id, at least ${MIN_PREFIX_CHARS} characters of one, a name of this project or a path ("burin sessions" lists them)`;
}

function ambiguous(ref: string, fits: readonly Row[]): string {
  const shown = fits.slice(0, MAX_CANDIDATES).map(({ id, name }) => `${id} (${name ?? "unnamed"})`);
  const more = fits.length > shown.length ? ` and ${fits.length - shown.length} more` : "";
  return `"${ref}" begins the ids of ${fits.length} sessions, give more of the one you mean: ${shown.join(", ")}${more}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
