// Where a program lies that burin starts by itself: never in a folder that a checkout could have filled.
import { isAbsolute } from "node:path";
import type { Environment } from "./env.ts";

/** Null when it is not installed. Entries of PATH that depend on the working folder are passed over. */
export function programPath(name: string, env: Environment): string | null {
  const folders = (env["PATH"] ?? "").split(":").filter(isAbsolute);
  return Bun.which(name, { PATH: folders.join(":") });
}
