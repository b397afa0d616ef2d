// What flags name on the disk: folders to work in, and the file of a system prompt.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { broken, invalid, missing, ok, type Result } from "../base/failure.ts";
import type { RunArgs } from "./run-args.ts";

/** A folder that exists, by its real path. */
export function folder(path: string): Result<string> {
  try {
    const real = realpathSync(resolve(path));
    if (statSync(real).isDirectory()) return ok(real);
    return invalid(`${path} is not a folder`);
  } catch {
    return missing(`the folder ${path} does not exist or cannot be entered`);
  }
}

/** The prompt that is to stand in the place of the built-in one; null where there is none. */
export function systemPrompt({ args }: RunArgs): Result<string | null> {
  const file = args["system-prompt-file"];
  if (file === undefined) return ok(args["system-prompt"] ?? null);
  try {
    return ok(readFileSync(file, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const what = `--system-prompt-file ${file} cannot be read (${why})`;
    return existsSync(file) ? broken(what) : missing(what);
  }
}
