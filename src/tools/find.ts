// The find tool: files and folders by a glob or a part of their path.
import { statSync } from "node:fs";
import * as v from "valibot";
import { fail, ok, type Result } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { fromBytes, onDisk, type Bytes } from "../search/bytes.ts";
import { find, isGlob, isNote, shownPath, type FindRequest } from "../search/find.ts";
import type { Root } from "../search/grep.ts";
import type { Found } from "../search/walk.ts";
import { inside } from "../search/folder.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import { oneLine } from "./names.ts";
import { findWords } from "./other-words.ts";
import { capped, COUNT_MS, isLifted, searchOutput } from "./search-bounds.ts";
import { listText, NOTHING_SKIPPED, pathText, rootOf, SKIPPED } from "./search-roots.ts";
import type { Kit, Output, Prepared, Tool } from "./tool.ts";

const MAX_RESULTS = 500;

const schema = v.strictObject({
  pattern: v.string(),
  path: v.optional(v.string()),
  type: v.optional(v.picklist(["file", "dir"])),
  limit: v.optional(v.pipe(v.number(), v.integer())),
  newest: v.optional(v.boolean()),
});
const args = defineArguments("find", schema);

type Arguments = v.InferOutput<typeof schema>;

export const findTool: Tool = {
  name: "find",
  summary: "Find files by glob or part of path. Skips ignored. newest: by time",
  parameters: args.parameters,
  tier: "cold",
  prepare(input, place) {
    const search = prepare(input, place.cwd);
    if (!search.ok) return search;
    const { wanted, root } = search.value;
    const prepared: Prepared = {
      touches: [{ kind: "read", path: fromBytes(root.path) }],
      title: `find ${oneLine(wanted.pattern)}${wanted.path === undefined ? "" : ` in ${oneLine(wanted.path)}`}`,
      run: (kit) => run(search.value, kit),
    };
    return ok(prepared);
  },
};

type Search = { wanted: Arguments; root: Root };

function prepare(input: unknown, cwd: string): Result<Search> {
  const parsed = args.parse(findWords(input));
  if (!parsed.ok) return parsed;
  const wanted = parsed.value;
  if (wanted.pattern === "") return failureOf("find", "the pattern is empty; ** is everything");
  const root = rootOf(wanted.path ?? ".", cwd);
  if (!root.ok) return root;
  if (root.value.kind === "file")
    return failureOf("find", `${wanted.path ?? ""} is a file, not a folder`);
  return ok({ wanted, root: root.value });
}

/** With every limit lifted the list is exactly git's: tracked, or untracked and not ignored. */
function requestOf({ wanted, root }: Search, kit: Pick<Kit, "unlimited">): FindRequest {
  const hasNoLimits = isLifted(kit, wanted.limit);
  const types = { file: "file", dir: "folder" } as const;
  return {
    root: root.path,
    pattern: wanted.pattern,
    type: wanted.type === undefined ? "any" : types[wanted.type],
    walk: {
      scope: hasNoLimits ? "git" : "search",
      evenIgnored: !hasNoLimits || wanted.path !== undefined,
      skip: hasNoLimits ? NOTHING_SKIPPED : SKIPPED,
    },
  };
}

/** Paths as raw bytes, without notices; every one unless `limit` says otherwise. */
export function findRaw(
  input: unknown,
  kit: Pick<Kit, "cwd" | "signal" | "unlimited">,
): Result<AsyncGenerator<Uint8Array>> {
  const search = prepare(input, kit.cwd);
  return search.ok ? ok(rawPaths(search.value, kit)) : search;
}

async function* rawPaths(
  search: Search,
  kit: Pick<Kit, "signal" | "unlimited">,
): AsyncGenerator<Uint8Array> {
  const { limit = 0, newest = false } = search.wanted;
  const most = limit > 0 ? limit : Infinity;
  const request = requestOf(search, kit);
  const batches = newest ? byTime(search.root, request, kit.signal) : find(request, kit.signal);
  let shown = 0;
  for await (const batch of batches) {
    for (const found of batch) {
      if (isNote(found)) continue;
      if (shown++ === most) return;
      yield Buffer.from(search.root.shown + shownPath(found), "latin1");
    }
  }
}

async function run(search: Search, kit: Kit): Promise<Result<Output>> {
  const { limit = MAX_RESULTS, newest = false } = search.wanted;
  const request = requestOf(search, kit);
  const batches = newest ? byTime(search.root, request, kit.signal) : find(request, kit.signal);
  const most = isLifted(kit, limit) ? Infinity : capped(limit, MAX_RESULTS);
  const listing = await list(batches, most);
  return kit.signal.aborted ? fail({ kind: "aborted" }) : ok(outputOf(search, listing));
}

function outputOf(search: Search, { paths, total, isWhole, notes }: Listing): Output {
  const lines = paths.map((path) => pathText(search.root.shown + path));
  const left = total - lines.length;
  if (left > 0) {
    lines.push(`[${isWhole ? left : `at least ${left}`} more; narrow the pattern or the path]`);
  }
  if (total === 0) lines.push(nothing(search));
  lines.push(...notices(notes));
  return searchOutput(lines, count(total, "path"), left);
}

type Listing = { paths: Bytes[]; total: number; isWhole: boolean; notes: Found[] };

async function list(batches: AsyncIterable<Found[]>, most: number): Promise<Listing> {
  const listing: Listing = { paths: [], total: 0, isWhole: true, notes: [] };
  let until = Infinity;
  for await (const batch of batches) {
    for (const found of batch) {
      if (isNote(found)) listing.notes.push(found);
      else if (listing.total++ < most) listing.paths.push(shownPath(found));
    }
    if (listing.total <= most) continue;
    if (until === Infinity) until = performance.now() + COUNT_MS;
    if (performance.now() < until) continue;
    listing.isWhole = false;
    break;
  }
  return listing;
}

/** All of them, the one changed last first. */
async function* byTime(
  root: Root,
  request: FindRequest,
  signal: AbortSignal,
): AsyncGenerator<Found[]> {
  const all: { found: Found; time: number }[] = [];
  for await (const batch of find(request, signal)) {
    for (const found of batch)
      all.push({ found, time: isNote(found) ? 0 : changedAt(inside(root.path, found.path)) });
  }
  yield all.toSorted((one, other) => other.time - one.time).map(({ found }) => found);
}

/** 0 when it is gone by now. */
function changedAt(path: Bytes): number {
  try {
    return statSync(onDisk(path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}

function nothing({ wanted }: Search): string {
  const where = wanted.path === undefined ? "" : ` in ${wanted.path}`;
  const how = isGlob(wanted.pattern)
    ? "as a glob; a part of the path without wildcards finds more"
    : "in its path, in any case";
  const kind = wanted.type === "dir" ? "folder" : "file";
  return `No ${kind}${where} has ${JSON.stringify(wanted.pattern)} ${how}. Ignored files are left out; name their folder as path to see them.`;
}

function notices(notes: readonly Found[]): string[] {
  const paths = (kind: Found["kind"]): Bytes[] =>
    notes.filter((found) => found.kind === kind).map((found) => found.path);
  const kinds = [
    ["skipped", "not looked into", "name one as path to see it"],
    ["unreadable", "not readable", "results may be missing"],
    ["too deep", "too deep", "name it as path to go on from there"],
  ] as const;
  return kinds.flatMap(([kind, what, hint]) => {
    const found = paths(kind);
    return found.length === 0 ? [] : [`[${what}: ${listText(found)}; ${hint}]`];
  });
}
