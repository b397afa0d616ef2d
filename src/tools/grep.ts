// The grep tool: lines that match, with their file and number.
import * as v from "valibot";
import { fail, ok, sentence, type Result } from "../base/failure.ts";
import { fromBytes, toBytes, type Bytes } from "../search/bytes.ts";
import { grep, type GrepRequest, type Root } from "../search/grep.ts";
import { matcherOf, type Matcher } from "../search/match.ts";
import type { Wanted } from "../search/scan.ts";
import type { FileResult } from "../search/search-file.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import { newReport } from "./grep-report.ts";
import { NOTHING_SKIPPED, oneLine, rootOf, SKIPPED } from "./search-roots.ts";
import type { Kit, Output, Prepared, Tool } from "./tool.ts";

const MAX_RESULTS = 100;
const MAX_PER_FILE = 20;
const MAX_LINE_BYTES = 500;
const MAX_CONTEXT = 5;
/** How long matches beyond the limit are still counted. */
const COUNT_MS = 1_500;

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

export const grepTool: Tool = {
  name: "grep",
  summary: "Search file contents; literal unless regex. Skips ignored. Gives path:line:text",
  parameters: args.parameters,
  tier: "cold",
  prepare(input, place) {
    const call = prepare(input, place.cwd);
    if (!call.ok) return call;
    const { wanted, roots } = call.value;
    const where = wanted.paths ?? (wanted.path === undefined ? [] : [wanted.path]);
    const prepared: Prepared = {
      touches: roots.map((root) => ({ kind: "read", path: fromBytes(root.path) })),
      title: ["grep", oneLine(wanted.pattern), ...where].join(" "),
      run: (kit) => run(call.value, kit),
    };
    return ok(prepared);
  },
};

type Call = { wanted: GrepArguments; roots: Root[]; matcher: Matcher };

function prepare(input: unknown, cwd: string): Result<Call> {
  const parsed = args.parse(input);
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

/** What to search; `wanted` is asked anew for each file. */
function requestOf(
  call: Call,
  kit: Pick<Kit, "cwd" | "unlimited" | "mayRead">,
  wanted: () => Wanted,
): GrepRequest {
  const isLifted = kit.unlimited && call.wanted.limit === 0;
  return {
    roots: call.roots,
    matcher: call.matcher,
    wanted,
    globs: call.wanted.glob ?? [],
    cwd: toBytes(kit.cwd),
    skip: isLifted ? NOTHING_SKIPPED : SKIPPED,
    isPrivate: (path) => !kit.mayRead(fromBytes(path)),
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
  const call = prepare(input, kit.cwd);
  return call.ok ? ok(rawLines(call.value, kit)) : call;
}

async function* rawLines(
  call: Call,
  kit: Pick<Kit, "cwd" | "signal" | "unlimited" | "mayRead">,
): AsyncGenerator<Uint8Array> {
  const { limit = 0 } = call.wanted;
  let left = limit > 0 ? limit : Infinity;
  const wanted = (): Wanted => ({
    what: what(call.wanted),
    perFile: left,
    context: 0,
    lineCap: Infinity,
  });
  for await (const event of grep(requestOf(call, kit, wanted), kit.signal)) {
    if (event.type === "end") return;
    for (const row of rawRows(event.path, event.result, what(call.wanted))) {
      yield row;
      left--;
    }
    if (left <= 0) return;
  }
}

function rawRows(path: Bytes, result: FileResult, form: Wanted["what"]): Buffer[] {
  const name = Buffer.from(path, "latin1");
  if (form === "first") return [name];
  if (form === "count") return [Buffer.concat([name, Buffer.from(`:${result.matches}`)])];
  return result.lines
    .filter((line) => line.kind === "match")
    .map((line) => Buffer.concat([name, Buffer.from(`:${line.number}:`), line.bytes]));
}

function capped(limit: number): number {
  return limit > 0 ? Math.min(limit, MAX_RESULTS) : MAX_RESULTS;
}

async function run(call: Call, kit: Kit): Promise<Result<Output>> {
  const { limit = MAX_RESULTS, context = 0 } = call.wanted;
  const isLifted = kit.unlimited && limit === 0;
  const form = what(call.wanted);
  const sheet = newReport({
    form,
    most: isLifted ? Infinity : capped(limit),
    context: Math.min(Math.max(context, 0), MAX_CONTEXT),
  });
  // Beyond the limit matches are only counted, and that not for long.
  let until = Infinity;
  const wanted = (): Wanted => {
    const left = sheet.left();
    if (left === 0 && until === Infinity) until = performance.now() + COUNT_MS;
    return {
      what: left === 0 && form === "lines" ? "count" : form,
      perFile: isLifted ? Infinity : Math.min(MAX_PER_FILE, left),
      context: sheet.context,
      lineCap: isLifted ? Infinity : MAX_LINE_BYTES,
    };
  };
  for await (const event of grep(requestOf(call, kit, wanted), kit.signal)) {
    sheet.add(event);
    if (performance.now() > until) break;
  }
  if (kit.signal.aborted) return fail({ kind: "aborted" });
  return ok(sheet.output(call.wanted));
}
