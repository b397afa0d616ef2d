// The rows of a folder of sessions. index.jsonl beside them is a cache: whatever it lacks or tells wrong is read again.
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import * as v from "valibot";
import { openAppend } from "../host/append.ts";
import { readWhole, writeWhole } from "../host/whole.ts";
import { parseJson } from "../base/json.ts";
import { rowOf, type Row } from "./row.ts";

const INDEX = "index.jsonl";
/** Rows are added until so many are outdated; then the file is written anew. */
const MAX_OUTDATED = 500;

const IndexLine = v.object({
  v: v.literal(1),
  id: v.string(),
  created: v.string(),
  lastActivity: v.string(),
  cwd: v.nullable(v.string()),
  name: v.nullable(v.string()),
  firstPrompt: v.nullable(v.string()),
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** Paths of all session logs in a folder, in the order of their names. */
export function sessionPaths(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".jsonl") && name !== INDEX)
    .map((name) => join(folder, name));
}

/** Sorted. A folder that is not there or may not be read has nothing that could be opened. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** One row for each log in the folder, whatever the index says. */
export function rowsIn(folder: string): Row[] {
  const index = readIndex(join(folder, INDEX));
  const rows: Row[] = [];
  const fresh: Row[] = [];
  for (const path of sessionPaths(folder)) {
    const cached = index.rows.get(basename(path, ".jsonl")) ?? null;
    const isFresh = cached !== null && cached.bytes === sizeOf(path);
    const row = isFresh ? { ...cached, path } : rowOf(path, cached);
    rows.push(row);
    if (row.problem === null && row.bytes !== cached?.bytes) fresh.push(row);
  }
  if (fresh.length > 0 || index.outdated > MAX_OUTDATED) keep(folder, { rows, fresh, index });
  return rows;
}

type Index = { rows: Map<string, Row>; outdated: number };

/** A line that does not parse counts as outdated: its session is read from its log. */
function readIndex(path: string): Index {
  const rows = new Map<string, Row>();
  let count = 0;
  for (const text of (readWhole(path) ?? "").split("\n")) {
    if (text === "") continue;
    count += 1;
    const line = parseJson(text);
    if (v.is(IndexLine, line)) rows.set(line.id, cachedRow(line));
  }
  return { rows, outdated: count - rows.size };
}

/** The path is known only where the index is: the folder may have been moved. */
function cachedRow(line: v.InferOutput<typeof IndexLine>): Row {
  const { id, created, lastActivity, cwd, name, firstPrompt, bytes } = line;
  return { id, path: "", created, lastActivity, cwd, name, firstPrompt, problem: null, bytes };
}

/** Where the index cannot be written, the next list reads the logs again: slower, not wrong. */
function keep(
  folder: string,
  { rows, fresh, index }: { rows: Row[]; fresh: Row[]; index: Index },
): void {
  const path = join(folder, INDEX);
  const gone = index.rows.size - rows.length;
  if (index.outdated + fresh.length + gone > MAX_OUTDATED) {
    const readable = rows.filter(({ problem }) => problem === null);
    writeWhole(path, readable.map((row) => `${indexLine(row)}\n`).join(""));
    return;
  }
  const file = openAppend(path);
  if (!file.ok) return;
  file.value.append(fresh.map(indexLine).join("\n"));
  file.value.close();
}

function indexLine({ id, created, lastActivity, cwd, name, firstPrompt, bytes }: Row): string {
  return JSON.stringify({ v: 1, id, created, lastActivity, cwd, name, firstPrompt, bytes });
}

/** -1 where it cannot be said: no cached row has that size. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return -1;
  }
}
