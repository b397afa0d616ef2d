// The grep tool: lines that match, with their file and number.
import * as v from "valibot";
import { fail, ok, sentence, type Result } from "../base/failure.ts";
import { fromBytes, toBytes, type Bytes } from "../search/bytes.ts";
import { grep, type GrepRequest, type Root } from "../search/grep.ts";
import { matcherOf, type Matcher } from "../search/match.ts";
import { searchPool } from "../search/pool.ts";
import type { Wanted } from "../search/scan-state.ts";
import type { FileResult } from "../search/search-file.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import { newReport } from "./grep-report.ts";
import { oneLine } from "./names.ts";
import { grepWords } from "./other-words.ts";
import { capped, COUNT_MS, isLifted } from "./search-bounds.ts";
import { NOTHING_SKIPPED, rootOf, SKIPPED } from "./search-roots.ts";
import type { Kit, Output, Prepared, Tool } from "./tool.ts";

const MAX_RESULTS = 100;
const MAX_PER_FILE = 20;
const MAX_LINE_BYTES = 500;
const MAX_CONTEXT = 5;
/** Of a whole search: a file may be without end. */
const MAX_SEARCH_MS = 20_000;

const schema = v.strictObject({
  pattern: v.string(),
  path: v.optional(v.string()),
  paths: v.optional(v.pipe(v.array(v.string()), v.maxLength(8))),
  regex: v.optional(v.boolean()),
  ignoreCase: v.optional(v.boolean()),
  glob: v.optional(v.array(v.string())),
  context: v.optional(v.pipe(v.number(), v.integer())),
  filesOnly: v.optional(v.boolean()),
  count: v.optional(v.boolean()),
  limit: v.optional(v.pipe(v.number(), v.integer())),
  multiline: v.optional(v.boolean()),
});
const args = defineArguments("grep", schema);

type GrepArguments = v.InferOutput<typeof schema>;

export const grepTool: Tool = grepWithin(MAX_SEARCH_MS);

/** `maxMs`: how long one search may take. */
export function grepWithin(maxMs: number): Tool {
  return {
    name: "grep",
    summary: "Search file contents; literal unless regex. Skips ignored. Gives path:line:text",
    parameters: args.parameters,
    tier: "cold",
    prepare(input, place) {
      const search = prepare(input, place.cwd);
      if (!search.ok) return search;
      const { wanted, roots } = search.value;
      const where = wanted.paths ?? (wanted.path === undefined ? [] : [wanted.path]);
      const prepared: Prepared = {
        touches: roots.map((root) => ({ kind: "read", path: fromBytes(root.path) })),
        title: ["grep", wanted.pattern, ...where].map(oneLine).join(" "),
        run: (kit) => run(search.value, kit, maxMs),
      };
      return ok(prepared);
    },
  };
}

type Search = { wanted: GrepArguments; roots: Root[]; matcher: Matcher };

function prepare(input: unknown, cwd: string): Result<Search> {
  const parsed = args.parse(grepWords(input));
  if (!parsed.ok) return parsed;
  const wanted = parsed.value;
  const { pattern, regex = false, ignoreCase = false, multiline = false } = wanted;
  const matcher = matcherOf({ pattern, regex, ignoreCase, multiline });
  if (!matcher.ok) return failureOf("grep", sentence(matcher.failure));
  const roots: Root[] = [];
  for (const path of pathsOf(wanted)) {
    const root = rootOf(path, cwd);
    if (!root.ok) return root;
    roots.push(root.value);
  }
  return ok({ wanted, roots, matcher: matcher.value });
}

function pathsOf({ path, paths = [] }: GrepArguments): string[] {
  const all = path === undefined ? paths : [path, ...paths];
  return all.length === 0 ? ["."] : all;
}

/** What to search; `wanted` is asked anew as the search goes on. */
function requestOf(
  search: Search,
  kit: Pick<Kit, "cwd" | "unlimited" | "mayRead">,
  wanted: () => Wanted,
): GrepRequest {
  return {
    roots: search.roots,
    matcher: search.matcher,
    wanted,
    globs: search.wanted.glob ?? [],
    cwd: toBytes(kit.cwd),
    skip: isLifted(kit, search.wanted.limit) ? NOTHING_SKIPPED : SKIPPED,
    isPrivate: (path) => !kit.mayRead(fromBytes(path)),
    pool: searchPool,
  };
}

function what({ filesOnly, count }: GrepArguments): Wanted["what"] {
  if (filesOnly === true) return "first";
  return count === true ? "count" : "lines";
}

/** `path:line:text` as raw bytes, without notices; every match unless `limit` says otherwise. */
export function grepRaw(
  input: unknown,
  kit: Pick<Kit, "cwd" | "signal" | "unlimited" | "mayRead">,
): Result<AsyncGenerator<Uint8Array>> {
  const search = prepare(input, kit.cwd);
  return search.ok ? ok(rawLines(search.value, kit)) : search;
}

async function* rawLines(
  search: Search,
  kit: Pick<Kit, "cwd" | "signal" | "unlimited" | "mayRead">,
): AsyncGenerator<Uint8Array> {
  const { limit = 0 } = search.wanted;
  let left = limit > 0 ? limit : Infinity;
  const wanted = (): Wanted => ({
    what: what(search.wanted),
    perFile: left,
    context: 0,
    lineCap: Infinity,
  });
  for await (const event of grep(requestOf(search, kit, wanted), kit.signal)) {
    if (event.type === "end") return;
    for (const row of rawRows(event.path, event.result, what(search.wanted))) {
      yield row;
      left--;
    }
    if (left <= 0) return;
  }
}

function rawRows(path: Bytes, result: FileResult, form: Wanted["what"]): Buffer[] {
  if (form === "first") return [Buffer.from(path, "latin1")];
  if (form === "count") return [Buffer.from(`${path}:${result.matches}`, "latin1")];
  return result.lines
    .filter((line) => line.kind === "match")
    .map((line) => Buffer.from(`${path}:${line.number}:${line.bytes}`, "latin1"));
}

async function run(search: Search, kit: Kit, maxMs: number): Promise<Result<Output>> {
  const { limit = MAX_RESULTS, context = 0 } = search.wanted;
  const hasNoLimits = isLifted(kit, limit);
  const form = what(search.wanted);
  const sheet = newReport({
    form,
    most: hasNoLimits ? Infinity : capped(limit, MAX_RESULTS),
    context: Math.min(Math.max(context, 0), MAX_CONTEXT),
  });
  // Beyond the limit matches are only counted, and that not for long.
  let until = Infinity;
  const wanted = (): Wanted => {
    const left = sheet.left();
    if (left === 0 && until === Infinity) until = performance.now() + COUNT_MS;
    return {
      what: left === 0 && form === "lines" ? "count" : form,
      perFile: hasNoLimits ? Infinity : Math.min(MAX_PER_FILE, left),
      context: sheet.context,
      lineCap: hasNoLimits ? Infinity : MAX_LINE_BYTES,
    };
  };
  const late = hasNoLimits ? new AbortController().signal : AbortSignal.timeout(maxMs);
  const signal = AbortSignal.any([kit.signal, late]);
  for await (const event of grep(requestOf(search, kit, wanted), signal)) {
    sheet.add(event);
    if (performance.now() > until) break;
  }
  if (kit.signal.aborted) return fail({ kind: "aborted" });
  return ok(sheet.output(search.wanted, late.aborted ? maxMs : null));
}
