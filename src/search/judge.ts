// Whether a walk takes an entry: by globs that were asked for, then ignore files, then what git tracks.
import type { Bytes } from "./bytes.ts";
import { inside } from "./folder.ts";
import { decide, type Rules } from "./ignore.ts";
import { dotDecision, gitDecision, type Level } from "./level.ts";

/** As ripgrep's `-g`: the last that matches decides; with a positive one, files that match none are left out. */
export type Globs = { rules: Rules; isClosed: boolean };

/** Where an entry lies. */
export type Parent = {
  folder: Bytes;
  level: Level | null;
  /** Ignored as a whole: only what is tracked counts. */
  isIgnored: boolean;
};

/** `tracked`: ignored, but something in it is tracked. `skip`: left out by its name alone, which is worth a word. */
export type Verdict = "take" | "tracked" | "leave" | "skip";

/** `skip`: names of folders, or absolute paths of folders at the very top. */
export type Preferences = { globs: Globs | null; skip: ReadonlySet<Bytes> };

export function judge(parent: Parent, name: Bytes, isFolder: boolean, by: Preferences): Verdict {
  if (name === ".git") return "leave";
  const asked = by.globs === null ? null : globVerdict(by.globs, parent, name, isFolder);
  if (asked === "leave" || (asked === "take" && !parent.isIgnored)) return asked;
  const ruled = rulesVerdict(parent, name, isFolder);
  const isSkipped = ruled === "take" && isFolder && isNamed(by.skip, parent, name);
  return isSkipped && !isTracked(parent, name, true) ? "skip" : ruled;
}

function isNamed(skip: ReadonlySet<Bytes>, { folder }: Parent, name: Bytes): boolean {
  return skip.has(name) || (folder === "/" && skip.has(`/${name}`));
}

function globVerdict(
  globs: Globs,
  parent: Parent,
  name: Bytes,
  isFolder: boolean,
): "take" | "leave" | null {
  const decision = decide(globs.rules, parent.folder, name, isFolder);
  // What a rule of an ignore file would ignore is what a glob names.
  if (decision === "ignore") return "take";
  if (decision === "keep") return "leave";
  return globs.isClosed && !isFolder ? "leave" : null;
}

function rulesVerdict(parent: Parent, name: Bytes, isFolder: boolean): Verdict {
  const { level, folder } = parent;
  const dot = dotDecision(level, folder, name, isFolder);
  if (dot === "ignore") return "leave";
  const git = dot ?? gitDecision(level, folder, name, isFolder);
  if (!parent.isIgnored && git !== "ignore") return "take";
  return isTracked(parent, name, isFolder) ? "tracked" : "leave";
}

function isTracked(parent: Parent, name: Bytes, isFolder: boolean): boolean {
  const kind = trackedKind(parent, name);
  return isFolder ? kind !== null : kind === "entry";
}

/** Whether git tracks the very path (for a folder: as a submodule), or something below it. */
export function trackedKind({ level, folder }: Parent, name: Bytes): "entry" | "below" | null {
  const holder = level?.holder ?? null;
  if (holder === null) return null;
  const path = inside(folder, name).slice(inside(holder.root, "").length);
  if (holder.tracked().hasFile(path)) return "entry";
  return holder.tracked().hasBelow(path) ? "below" : null;
}
