// Carries a change of one file out: written at its real path, read back, and shown as the diff of what is on disk.
import { decodeText } from "../base/encoding.ts";
import { type Diff, diffSummary, diffTexts, formatDiff } from "../base/diff.ts";
import { broken, invalid, ok, type Result } from "../base/failure.ts";
import { readBytes } from "../host/files.ts";
import { realPath } from "../host/paths.ts";
import { writeFile } from "../host/write.ts";
import type { Touch } from "../policy/touch.ts";
import { versionOf } from "./current.ts";
import { shownPath } from "./names.ts";
import type { Kit, Output } from "./tool.ts";

/** `before` null: the file is new. */
export type Change = { path: string; before: Uint8Array | null; after: Uint8Array };

/** A file as the call named it, and where it led when the call was judged. */
export type Target = { path: string; real: string };

/** What the model and the log get of a long diff. */
const MAX_TOLD_LINES = 100;
const MAX_STORED_LINES = 1000;

/** What a change of the target touches: its name, and the place it led to, which alone will be written. */
export function writeTouches({ path, real }: Target): Touch[] {
  return [...new Set([path, real])].map((each) => ({ kind: "write", path: each }));
}

/** The real path once more: a link may have been put in the way since the call was judged. */
export function sameTarget(target: Target): Result<string> {
  const now = realPath(target.path);
  if (!now.ok || now.value === target.real) return now;
  return invalid(
    `${target.path} now leads to ${now.value}, not to ${target.real} any more. Nothing was changed`,
  );
}

// Everything from the first look at the file to its replacement happens without a wait in between, so two calls of one
// burin cannot write the same file at the same time.
export function carryOut(
  change: Change,
  headline: string,
  { kit, real }: { kit: Kit; real: string },
): Result<Output> {
  const written = writeFile(change.path, change.after, real);
  if (!written.ok) return written;
  const back = readBytes(written.value, change.after.length + 1);
  if (!back.ok) return back;
  kit.seen?.noteWrite(written.value, versionOf(back.value));
  if (!Buffer.from(back.value.bytes).equals(change.after))
    return broken(
      `${change.path} was written, but another program changed it at once: read it again`,
    );
  const done = { ...change, after: back.value.bytes };
  const diff = storedDiff(done, kit.cwd);
  const output = changeOutput(done, headline, kit.cwd);
  return ok(diff === null ? output : { ...output, diff });
}

/** What is said of a change, whether it was carried out or not. */
export function changeOutput(change: Change, headline: string, cwd: string): Output {
  const diff = diffOf(change);
  if (diff === null) return outputOf(headline, "binary");
  // What the model has just written in full it need not be told again.
  const isNew = change.before === null;
  const name = shownPath(change.path, cwd);
  const told = isNew ? "" : formatDiff(diff, name, { maxLines: MAX_TOLD_LINES });
  return outputOf(told === "" ? headline : `${headline}\n${told}`, diffSummary(diff));
}

function outputOf(text: string, summary: string): Output {
  return { parts: [{ type: "text", text }], isError: false, summary };
}

/** Null where one side is not text. */
function diffOf(change: Change): Diff | null {
  const before = change.before === null ? null : decodeText(change.before);
  const after = decodeText(change.after);
  if (after === null || (before === null && change.before !== null)) return null;
  return diffTexts(before?.text ?? "", after.text);
}

/** For the log and for the permission question. */
export function storedDiff(change: Change, cwd: string): string | null {
  const diff = diffOf(change);
  const name = shownPath(change.path, cwd);
  const before = change.before !== null;
  return diff === null ? null : formatDiff(diff, name, { before, maxLines: MAX_STORED_LINES });
}
