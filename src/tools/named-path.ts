// The path a call means: as written where that exists, else the one certain reading of how models write paths.
import { existsSync } from "node:fs";
import { dirname, sep } from "node:path";
import { absolutePath } from "../host/paths.ts";

/**
 * Absolute. A file may really be called `@x` or `a\b`: another reading is taken only where nothing is found under the
 * name as written, and something under the other one (its folder, for a file yet to be made).
 */
export function namedPath(written: string, cwd: string): string {
  const asWritten = absolutePath(written, cwd);
  if (existsSync(asWritten)) return asWritten;
  const bare = withoutWrapping(written);
  const other = readings(bare)
    .map((reading) => absolutePath(reading, cwd))
    .find((path) => existsSync(path) || isPlaced(path, asWritten));
  return other ?? absolutePath(bare, cwd);
}

/** What no path means to hold: quotes or backticks around it, space at its ends, `file://` before it. */
function withoutWrapping(written: string): string {
  const inner = /^\s*(["'`]?)(.+)\1\s*$/s.exec(written)?.[2]?.trim() ?? written;
  if (!inner.startsWith("file://")) return inner;
  try {
    return Bun.fileURLToPath(inner);
  } catch {
    return inner;
  }
}

/** `@src/a.ts` as a mention, `src\a.ts` as Windows writes it. */
function readings(path: string): string[] {
  const mentioned = path.replace(/^@/, "");
  const slashed = sep === "/" ? mentioned.replaceAll("\\", "/") : mentioned;
  return [path, mentioned, slashed].filter((each) => each !== "");
}

/** For a file that does not exist yet: its folder does, and it is not the one the name as written points into. */
function isPlaced(path: string, asWritten: string): boolean {
  const folder = dirname(path);
  return folder !== dirname(asWritten) && existsSync(folder);
}
