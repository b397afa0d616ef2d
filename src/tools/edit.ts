// The edit tool: exact replacements in one file, all of them or none.
import * as v from "valibot";
import { isRecord } from "../base/schema.ts";
import { invalid, missing, ok, type Result } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { kindBehind, missingPath } from "../host/files.ts";
import { absolutePath, realPath } from "../host/paths.ts";
import { defineArguments } from "./arguments.ts";
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
import { type Edit, editBytes } from "./edit-exact.ts";
import { shownPath } from "./names.ts";
import type { Seen } from "./seen.ts";
import type { Kit, Output, Tool } from "./tool.ts";

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

export const editTool: Tool = {
  name: "edit",
  summary:
    "Replace exact text in a file that was read. Each oldText must occur once, or set all; all are found in the original",
  parameters: args.parameters,
  tier: "warm",
  prepare(input, { cwd }) {
    const parsed = args.parse(withEdits(input));
    if (!parsed.ok) return parsed;
    const { edits, dryRun = false } = parsed.value;
    const path = absolutePath(parsed.value.path, cwd);
    const real = realPath(path);
    if (!real.ok) return real;
    const target = { path, real: real.value };
    return ok({
      touches: dryRun ? [{ kind: "read", path }] : writeTouches(target),
      title: `edit ${shownPath(path, cwd)}${dryRun ? " (dry run)" : ""}`,
      preview: async () => {
        const plan = planned(target, edits, null);
        return plan.ok ? storedDiff(plan.value.change, cwd) : null;
      },
      run: async (kit) => edit(target, edits, dryRun, kit),
    });
  },
};

/** The form of other harnesses: one replacement, its texts beside the path. */
function withEdits(input: unknown): unknown {
  if (!isRecord(input) || "edits" in input) return input;
  const own = new Set(["path", "file_path", "filePath", "file", "dryRun", "dry_run"]);
  const entries = Object.entries(input);
  const one = Object.fromEntries(entries.filter(([name]) => !own.has(name)));
  if (Object.keys(one).length === 0) return input;
  return { ...Object.fromEntries(entries.filter(([name]) => own.has(name))), edits: [one] };
}

function edit(target: Target, edits: readonly Edit[], dryRun: boolean, kit: Kit): Result<Output> {
  const same = sameTarget(target);
  if (!same.ok) return same;
  const plan = planned(target, edits, kit.seen);
  if (!plan.ok) return plan;
  const { change, replacements } = plan.value;
  const name = shownPath(target.path, kit.cwd);
  const what = count(replacements, "replacement");
  if (!dryRun) return carryOut(change, `edited ${name} (${what})`, { kit, real: same.value });
  const headline = `dry run: ${name} would get ${what}; nothing was changed`;
  return ok(changeOutput(change, headline, kit.cwd));
}

type Plan = { change: Change; replacements: number };

function planned(target: Target, edits: readonly Edit[], seen: Seen | null): Result<Plan> {
  const { path, real } = target;
  if (kindBehind(real) === null) {
    const { failure } = missingPath(path);
    return failure.kind === "missing"
      ? missing(`${failure.what}; to create it, use write`)
      : { ok: false, failure };
  }
  const old = readForChange(path, real, seen);
  if (!old.ok) return old;
  const edited = editBytes(old.value.bytes, edits);
  if (edited.ok) {
    const { bytes, replacements } = edited.value;
    return ok({ change: { path, before: old.value.bytes, after: bytes }, replacements });
  }
  const { failure } = edited;
  return failure.kind === "invalid"
    ? invalid(`${path}: ${failure.what}. Nothing was changed`)
    : edited;
}
