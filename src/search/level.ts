// The rules that hold in a folder: its own ignore files over those of the folders above, up to the repository's root.
import type { Bytes } from "./bytes.ts";
import { inside } from "./folder.ts";
import { decide, parseRules, type Decision, type Rules } from "./ignore.ts";
import { readBytes } from "./read-bytes.ts";
import { repositoryAt, type Repository } from "./repository.ts";

export type Level = {
  above: Level | null;
  gitignore: Rules | null;
  dotIgnore: Rules | null;
  /** Set where a repository begins: rules from above end here. */
  begins: Repository | null;
  /** The repository this folder belongs to. */
  holder: Repository | null;
};

/** `git` knows what git reads; `search` also `.ignore`, by which a project keeps files out of searches only. */
export type Scope = "git" | "search";

/** The level of a folder whose content has these names; the one above when the folder adds nothing. */
export function levelOf(
  folder: Bytes,
  above: Level | null,
  scope: Scope,
  has: (name: Bytes) => boolean,
): Level | null {
  const begins = has(".git") ? repositoryAt(folder) : null;
  const holder = begins ?? above?.holder ?? null;
  const read = (name: Bytes, links: "follow" | "refuse"): Rules | null => {
    const content = has(name) ? readBytes(inside(folder, name), links) : null;
    return content === null ? null : parseRules(content, folder, holder?.fold === true);
  };
  // git refuses a .gitignore that is a link.
  const gitignore = holder === null ? null : read(".gitignore", "refuse");
  const dotIgnore = scope === "git" ? null : read(".ignore", "follow");
  if (begins === null && gitignore === null && dotIgnore === null) return above;
  return { above, gitignore, dotIgnore, begins, holder };
}

export type Start = { level: Level | null; isIgnored: boolean };

/** The level of the folder a walk starts in, from all folders above it, and whether their rules ignore it. */
export function startLevel(root: Bytes, scope: Scope): Start {
  let level: Level | null = null;
  let isIgnored = false;
  const parts = root.split("/").filter((part) => part !== "");
  let folder = "/";
  for (const name of ["", ...parts]) {
    const next = name === "" ? "/" : inside(folder, name);
    // A repository that begins here starts anew; rules above it say nothing about its content.
    const above: Level | null = level;
    level = levelOf(next, above, scope, () => true);
    if (level !== null && level !== above && level.begins !== null) isIgnored = false;
    else if (name !== "" && isLeftOut(above, folder, name)) isIgnored = true;
    folder = next;
  }
  return { level, isIgnored };
}

function isLeftOut(level: Level | null, folder: Bytes, name: Bytes): boolean {
  return (
    (dotDecision(level, folder, name, true) ?? gitDecision(level, folder, name, true)) === "ignore"
  );
}

/** The same folder as if nothing above it had rules: for a search that was asked for by name. */
export function freshLevel(root: Bytes, start: Level | null, scope: Scope): Level | null {
  const holder = start?.holder ?? null;
  const bare: Level | null =
    holder === null
      ? null
      : { above: null, gitignore: null, dotIgnore: null, begins: { ...holder, rules: [] }, holder };
  return levelOf(root, bare, scope, (name) => name !== ".git");
}

export function gitDecision(
  level: Level | null,
  folder: Bytes,
  name: Bytes,
  isFolder: boolean,
): Decision | null {
  for (let at = level; at !== null; at = at.above) {
    const found = at.gitignore === null ? null : decide(at.gitignore, folder, name, isFolder);
    if (found !== null) return found;
    if (at.begins === null) continue;
    for (const rules of at.begins.rules) {
      const outer = decide(rules, folder, name, isFolder);
      if (outer !== null) return outer;
    }
    return null;
  }
  return null;
}

export function dotDecision(
  level: Level | null,
  folder: Bytes,
  name: Bytes,
  isFolder: boolean,
): Decision | null {
  for (let at = level; at !== null; at = at.above) {
    const found = at.dotIgnore === null ? null : decide(at.dotIgnore, folder, name, isFolder);
    if (found !== null) return found;
  }
  return null;
}
