// Paths as people and models write them, made absolute; and the real path behind links, also of what does not exist yet.
import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, parse, resolve, sep } from "node:path";
import { fail, ok, type Result } from "../base/failure.ts";
import { environment } from "./env.ts";
import { homeFolder } from "./places.ts";

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** Absolute and lexically normalised, without a slash at the end; `~` is the home folder. */
export function absolutePath(path: string, cwd: string): string {
  const isHome = path === "~" || path.startsWith("~/");
  const full = isHome ? join(homeFolder(environment()), path.slice(1)) : path;
  return resolve(cwd, full);
}

/** Where the path really leads: every part resolved, one by one; parts that do not exist stay as they are. */
export function realPath(path: string): Result<string> {
  const { root } = parse(path);
  let pending = normalize(path).slice(root.length).split(sep).filter(Boolean);
  let real = root;
  for (let links = 0; pending.length > 0;) {
    const [part = "", ...rest] = pending;
    pending = rest;
    const next = part === ".." ? dirname(real) : join(real, part);
    const target = linkTarget(next);
    if (target === null) {
      real = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS)
      return fail({ kind: "invalid", what: `${path} leads through a circle of links` });
    if (isAbsolute(target)) real = parse(target).root;
    pending = [...target.split(sep).filter((name) => name !== "" && name !== "."), ...pending];
  }
  return ok(real);
}

function linkTarget(path: string): string | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isSymbolicLink() === true ? readlinkSync(path) : null;
  } catch {
    // A part that may not be looked at, or lies below a file: opening the path will say why.
    return null;
  }
}
