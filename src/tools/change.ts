// Carries a change of one file out: written at its real path, read back, and shown as the diff of what is on disk.
import { decodeText } from "../base/encoding.ts";
import { type Diff, diffSummary, diffTexts, formatDiff } from "../base/diff.ts";
import { broken, invalid, ok, type Result } from "../base/failure.ts";
import { realPath } from "../host/paths.ts";
import { heldSince } from "../host/same.ts";
import { writeFile } from "../host/write.ts";
import type { Touch } from "../policy/touch.ts";
import { versionOf } from "./current.ts";
import { shownPath } from "./names.ts";
import type { Keep, Kit, Output } from "./tool.ts";

/** `before` null: the file is new. `texts` null: one side is not text. */
export type Change = {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array;
  texts: Texts | null;
};
/** What the bytes say, without a byte order mark. */
export type Texts = { before: string; after: string };

export function textsOf(before: Uint8Array | null, after: Uint8Array): Texts | null {
  const old = before === null ? "" : decodeText(before)?.text;
  const now = decodeText(after)?.text;
  return old === undefined || now === undefined ? null : { before: old, after: now };
}

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
// burin cannot write the same file at the same time; `writeFile` compares once more against other programs.
export function carryOut(
  change: Change,
  headline: string,
  { kit, keep, real }: { kit: Kit; keep: Keep; real: string },
): Result<Output> {
  const kept = keep(real, change.before, change.after);
  const written = writeFile(change.path, change.after, { real, before: change.before });
  if (!written.ok) return written;
  const mtimeMs = heldSince(written.value, change.after);
  if (mtimeMs === null)
    return broken(
      `${change.path} was written, but another program changed it at once: read it again`,
    );
  const { after } = change;
  kit.seen?.noteWrite(written.value, versionOf({ bytes: after, size: after.length, mtimeMs }));
  const full = kept.remark === null ? headline : `${headline}; ${kept.remark}`;
  // What was read back is what was meant, to the byte: the diff of the texts is that of the disk.
  const diff = diffOf(change);
  return ok({
    ...outputOf(change, diff, full, kit.cwd),
    ...(diff === null ? {} : { diff: stored(change, diff, kit.cwd) }),
    ...(kept.checkpoint === null ? {} : { checkpoint: kept.checkpoint }),
  });
}

/** What is said of a change, whether it was carried out or not. */
export function changeOutput(change: Change, headline: string, cwd: string): Output {
  return outputOf(change, diffOf(change), headline, cwd);
}

function outputOf(change: Change, diff: Diff | null, headline: string, cwd: string): Output {
  if (diff === null) return said(headline, "binary");
  // What the model has just written in full it need not be told again.
  const isNew = change.before === null;
  const name = shownPath(change.path, cwd);
  const told = isNew ? "" : formatDiff(diff, name, { maxLines: MAX_TOLD_LINES });
  return said(told === "" ? headline : `${headline}\n${told}`, diffSummary(diff));
}

function said(text: string, summary: string): Output {
  return { parts: [{ type: "text", text }], isError: false, summary };
}

function diffOf({ texts }: Change): Diff | null {
  return texts === null ? null : diffTexts(texts.before, texts.after);
}

/** For the log and for the permission question. */
export function storedDiff(change: Change, cwd: string): string | null {
  const diff = diffOf(change);
  return diff === null ? null : stored(change, diff, cwd);
}

function stored(change: Change, diff: Diff, cwd: string): string {
  const before = change.before !== null;
  return formatDiff(diff, shownPath(change.path, cwd), { before, maxLines: MAX_STORED_LINES });
}
