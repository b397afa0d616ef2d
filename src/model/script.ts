// Scripts for the scripted model: their JSON format, read with errors that name the place. docs/protocols/script.md describes it.
import * as v from "valibot";
import { invalid, ok, type Result } from "../base/failure.ts";

const words = v.union([v.string(), v.array(v.string())]);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const times = v.pipe(v.number(), v.integer(), v.minValue(1));

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
  return invalid(`${name}: ${placeOf(issue)}${issue.message}`);
}

/** `turns[2].steps[0].text: ` */
function placeOf(issue: { path?: readonly { key?: unknown }[] | undefined }): string {
  const keys = (issue.path ?? []).map(({ key }) => key);
  if (keys.length === 0) return "";
  const path = keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("");
  return `${path.replace(/^\./, "")}: `;
}

function present(...fields: unknown[]): number {
  return fields.filter((field) => field !== undefined).length;
}
