// Scripts for the scripted model: their JSON format, read with errors that name the place. docs/protocols/script.md describes it.
import * as v from "valibot";
import { invalid, ok, type Result } from "../base/failure.ts";

const words = v.union([v.string(), v.array(v.string())]);
const whole = v.integer<number, string>("a whole number");
const count = v.pipe(v.number(), whole, v.minValue(0, "0 or more"));
const times = v.pipe(v.number(), whole, v.minValue(1, "1 or more"));

const Step = v.pipe(
  v.strictObject({
    text: v.optional(words),
    reasoning: v.optional(words),
    repeat: v.optional(times),
    tool: v.optional(v.string()),
    args: v.optional(v.union([v.string(), v.record(v.string(), v.unknown())])),
    id: v.optional(v.string()),
    fragments: v.optional(times),
    delay: v.optional(count),
  }),
  v.check(
    (step) => present(step.text, step.reasoning, step.tool, step.delay) === 1,
    "a step has exactly one of text, reasoning, tool and delay",
  ),
);

const ERROR_KINDS = [
  "auth",
  "rate_limit",
  "quota",
  "overloaded",
  "transport",
  "timeout",
  "stream_cut",
  "context_overflow",
  "tool_unsupported",
  "bad_request",
  "content_filter",
  "model_not_found",
  "server",
] as const;

const Turn = v.pipe(
  v.strictObject({
    expect: v.optional(words),
    steps: v.optional(v.array(Step)),
    usage: v.optional(
      v.strictObject({
        input: v.optional(count),
        cacheRead: v.optional(count),
        cacheWrite: v.optional(count),
        output: v.optional(count),
        reasoning: v.optional(count),
        costUsd: v.optional(v.nullable(v.number())),
      }),
    ),
    stop: v.optional(v.picklist(["end", "calls", "length", "refusal", "filter", "paused"])),
    error: v.optional(
      v.strictObject({
        kind: v.picklist(ERROR_KINDS),
        message: v.string(),
        retryable: v.optional(v.boolean()),
        retryAfterMs: v.optional(count),
        status: v.optional(count),
      }),
    ),
    cut: v.optional(v.literal(true)),
    repeat: v.optional(times),
  }),
  v.check(
    (turn) => present(turn.stop, turn.error, turn.cut) <= 1,
    "a turn ends in one way: stop, error or cut",
  ),
);

const Script = v.strictObject({
  turns: v.array(Turn),
  /** Played once the turns are used up, again and again. */
  after: v.optional(Turn),
  /** Played instead of a turn whose `expect` is not met. */
  otherwise: v.optional(Turn),
  /** Starts over after the last turn. */
  loop: v.optional(v.boolean()),
});

export type Script = v.InferOutput<typeof Script>;
export type ScriptTurn = v.InferOutput<typeof Turn>;
export type ScriptStep = v.InferOutput<typeof Step>;

/** `name` is how errors call the script, its file name for instance. */
export function parseScript(text: string, name: string): Result<Script> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return invalid(`${name} is no JSON: ${error instanceof Error ? error.message : "unreadable"}`);
  }
  const read = v.safeParse(Script, json);
  if (read.success) return ok(read.output);
  const [issue] = read.issues;
  return invalid(`${name}: ${mistake(issue)} (docs/protocols/script.md has the form)`);
}

/** `turns[2].steps[0]: there is no key txt`, in the words of the format and not of its checker. */
function mistake(issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) => key);
  const place = placeOf(keys);
  const parent = placeOf(keys.slice(0, -1));
  if (issue.type === "strict_object" && keys.length > 0) {
    const key = JSON.stringify(keys.at(-1));
    const what = issue.expected === "never" ? `there is no key ${key}` : `${key} is missing`;
    return parent === "" ? what : `${parent}: ${what}`;
  }
  if (issue.type === "check") return `${place}: ${issue.message}`;
  const where = place === "" ? "the script" : place;
  const must = issue.kind === "validation" ? issue.message : wanted(issue);
  return `${where} must be ${must}, not ${issue.received}`;
}

function placeOf(keys: readonly unknown[]): string {
  return keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  Array: "a list",
  Object: "an object",
};

/** `(string | Array)` of the checker in words. */
function wanted({ expected }: v.BaseIssue<unknown>): string {
  const kinds = (expected ?? "something else").replace(/[()]/g, "").split(" | ");
  return kinds.map((kind) => KINDS[kind] ?? kind).join(" or ");
}

function present(...fields: unknown[]): number {
  return fields.filter((field) => field !== undefined).length;
}
