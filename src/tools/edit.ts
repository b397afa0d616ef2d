// The edit tool: replacements in one file, all of them or none, by quoted text or by anchors.
import * as v from "valibot";
import { isRecord } from "../base/schema.ts";
import { invalid, missing, ok, type Result } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { kindBehind, missingPath } from "../host/files.ts";
import { realPath } from "../host/paths.ts";
import { defineArguments, isNameFor } from "./arguments.ts";
import {
  carryOut,
  type Change,
  changeOutput,
  storedDiff,
  sameTarget,
  writeTouches,
  type Target,
} from "./change.ts";
import { readForChange } from "./current.ts";
import { type AnchoredEdit, anchorsAfter, editAnchored } from "./edit-anchored.ts";
import { changedBytes, type Edit, type Edited, editText } from "./edit-text.ts";
import { namedPath } from "./named-path.ts";
import { shownPath } from "./names.ts";
import type { Editing, Keep, Kit, Output, Tool } from "./tool.ts";

const args = defineArguments(
  "edit",
  v.strictObject({
    path: v.string(),
    edits: v.pipe(
      v.array(
        v.strictObject({
          oldText: v.string(),
          newText: v.string(),
          all: v.optional(v.boolean()),
        }),
      ),
      v.minLength(1),
    ),
    dryRun: v.optional(v.boolean()),
  }),
);

/** Told to the model instead where the settings choose anchors; both forms are taken in both cases. */
const anchoredArgs = defineArguments(
  "edit",
  v.strictObject({
    path: v.string(),
    anchors: v.pipe(
      v.array(
        v.strictObject({
          from: v.optional(v.string()),
          to: v.optional(v.string()),
          after: v.optional(v.string()),
          newText: v.string(),
        }),
      ),
      v.minLength(1),
    ),
    dryRun: v.optional(v.boolean()),
  }),
);

export const editTool: Tool = {
  name: "edit",
  summary:
    "Replace exact text in a file that was read. Each oldText must occur once, or set all; all are found in the original",
  parameters: args.parameters,
  tier: "warm",
  prepare(input, { cwd }) {
    const parsed = parseInput(input);
    if (!parsed.ok) return parsed;
    const { dryRun, wish } = parsed.value;
    const path = namedPath(parsed.value.path, cwd);
    const real = realPath(path);
    if (!real.ok) return real;
    const target = { path, real: real.value };
    return ok({
      touches: dryRun ? [{ kind: "read", path }] : writeTouches(target),
      title: `edit ${shownPath(path, cwd)}${dryRun ? " (dry run)" : ""}`,
      preview: async (kit) => {
        const plan = planned(target, wish, kit);
        return plan.ok ? ok(storedDiff(plan.value.change, cwd)) : plan;
      },
      run: async (kit) =>
        dryRun ? preview(target, wish, kit) : edit(target, wish, { kit, keep: await kit.keeper() }),
    });
  },
};

export const anchoredEditTool: Tool = {
  ...editTool,
  summary:
    "Replace lines of a file that was read, from anchor to anchor (number:hash as read shows), or insert after one (0: at the start). Empty newText deletes",
  parameters: anchoredArgs.parameters,
};

type Wish =
  | { kind: "quotes"; edits: readonly Edit[] }
  | { kind: "anchors"; edits: readonly AnchoredEdit[] };

function parseInput(input: unknown): Result<{ path: string; dryRun: boolean; wish: Wish }> {
  if (isRecord(input) && "anchors" in input && input["anchors"] !== null) {
    const parsed = anchoredArgs.parse(input);
    if (!parsed.ok) return parsed;
    const { path, anchors: edits, dryRun = false } = parsed.value;
    return ok({ path, dryRun, wish: { kind: "anchors", edits } });
  }
  const parsed = args.parse(withEdits(input));
  if (!parsed.ok) return parsed;
  const { path, edits, dryRun = false } = parsed.value;
  return ok({ path, dryRun, wish: { kind: "quotes", edits } });
}

/** The form of other harnesses: one replacement, its texts beside the path. */
function withEdits(input: unknown): unknown {
  if (!isRecord(input)) return input;
  if (Object.keys(input).some((key) => isNameFor("edits", key))) return input;
  const entries = Object.entries(input);
  const one = Object.fromEntries(entries.filter(([key]) => !isBeside(key)));
  if (Object.keys(one).length === 0) return input;
  return { ...Object.fromEntries(entries.filter(([key]) => isBeside(key))), edits: [one] };
}

function isBeside(key: string): boolean {
  return isNameFor("path", key) || isNameFor("dryRun", key);
}

function preview(target: Target, wish: Wish, kit: Kit): Result<Output> {
  const plan = planned(target, wish, kit);
  if (!plan.ok) return plan;
  const { change, what } = plan.value;
  const name = shownPath(target.path, kit.cwd);
  const headline = `dry run: ${name} would get ${what}; nothing was changed`;
  return ok(changeOutput(change, headline, kit.cwd));
}

function edit(target: Target, wish: Wish, tools: { kit: Kit; keep: Keep }): Result<Output> {
  const { kit } = tools;
  const same = sameTarget(target);
  if (!same.ok) return same;
  const plan = planned(target, wish, kit);
  if (!plan.ok) return plan;
  const { change, what } = plan.value;
  const headline = `edited ${shownPath(target.path, kit.cwd)} (${what})`;
  const done = carryOut(change, headline, { ...tools, real: same.value });
  return done.ok && wish.kind === "anchors" ? ok(withAnchors(done.value, change)) : done;
}

/** The numbers of all lines below a change may be others now: what stands there is told with its new anchors. */
function withAnchors(output: Output, { texts }: Change): Output {
  if (texts === null) return output;
  const text = `Anchors there now:\n${anchorsAfter(texts)}`;
  return { ...output, parts: [...output.parts, { type: "text", text }] };
}

/** `what`: how many places, and what was tolerated to find them. */
type Plan = { change: Change; what: string };

function planned(
  target: Target,
  wish: Wish,
  { seen, editing }: Pick<Kit, "seen" | "editing">,
): Result<Plan> {
  const { path, real } = target;
  if (kindBehind(real) === null) {
    const { failure } = missingPath(path);
    return failure.kind === "missing"
      ? missing(
          `${failure.what}${failure.what.endsWith("?") ? " To" : "; to"} create it, use write`,
        )
      : { ok: false, failure };
  }
  const old = readForChange(path, real, seen);
  if (!old.ok) return old;
  const edited = changedBytes(old.value.bytes, (text) => editedText(text, wish, editing));
  if (edited.ok) {
    const { result, texts, replacements, remarks } = edited.value;
    const what = [count(replacements, "replacement"), ...remarks].join("; ");
    return ok({ change: { path, before: old.value.bytes, after: result, texts }, what });
  }
  const { failure } = edited;
  return failure.kind === "invalid" ? invalid(unchanged(path, failure.what)) : edited;
}

function editedText(text: string, wish: Wish, editing: Editing): Result<Edited<string>> {
  if (wish.kind === "anchors") return editAnchored(text, wish.edits);
  return editText(text, wish.edits, editing === "exact");
}

/** Lines of the file may follow the sentence. */
function unchanged(path: string, what: string): string {
  const [fault = "", ...shown] = what.split("\n");
  return [`${path}: ${fault}. Nothing was changed`, ...shown].join("\n");
}
