// Where find and grep look: the paths of a call made absolute, with how results below them are shown.
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { missing, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { deadLink } from "../host/files.ts";
import { fromBytes, toBytes, type Bytes } from "../search/bytes.ts";
import type { Root } from "../search/grep.ts";
import { namedPath } from "./named-path.ts";
import { oneLine } from "./names.ts";

/** Folders that hold other people's code or caches, or what the kernel makes up; left out unless git tracks something in them. */
export const SKIPPED: ReadonlySet<Bytes> = new Set([
  "node_modules",
  "vendor",
  "__pycache__",
  ".venv",
  ".hg",
  ".svn",
  ".jj",
  "/dev",
  "/proc",
  "/sys",
]);

/** Folders as they are, for a direct run that lifts every limit. */
export const NOTHING_SKIPPED: ReadonlySet<Bytes> = new Set();

export function rootOf(path: string, cwd: string): Result<Root> {
  const full = namedPath(path, cwd);
  let stat;
  try {
    stat = statSync(full);
  } catch {
    const link = deadLink(full);
    const what = link === null ? `there is no ${path}${near(full, cwd)}` : `${path} ${link}`;
    return missing(`${what}; nothing was searched`);
  }
  if (!stat.isDirectory() && !stat.isFile()) {
    return missing(`${path} is neither a file nor a folder; nothing was searched`);
  }
  const kind = stat.isFile() ? "file" : "folder";
  const shown = shownFrom(full, cwd);
  const slash = kind === "folder" && shown !== "" && shown !== "/" ? "/" : "";
  return ok({ path: toBytes(full), shown: toBytes(shown + slash), kind });
}

/** Relative below the working folder, elsewhere absolute. */
function shownFrom(full: string, cwd: string): string {
  const below = relative(cwd, full);
  return below === ".." || below.startsWith("../") ? full : below;
}

function near(full: string, cwd: string): string {
  const folder = dirname(full);
  try {
    const best = nearest(basename(full), readdirSync(folder));
    return best === null
      ? ""
      : `; did you mean ${shownFrom(`${folder === "/" ? "" : folder}/${best}`, cwd)}?`;
  } catch {
    return `, nor its folder ${shownFrom(folder, cwd)}`;
  }
}

export function pathText(path: Bytes): string {
  return oneLine(fromBytes(path));
}

/** `a, b, c and 4 more`. */
export function listText(paths: readonly Bytes[], shown = 5): string {
  const names = paths.slice(0, shown).map(pathText).join(", ");
  return paths.length > shown ? `${names} and ${paths.length - shown} more` : names;
}
