// burin as its source runs it: for what only shows in a whole process, in a HOME inside the test's own tree.
import { join } from "node:path";
import { environment } from "../../src/host/env.ts";
import type { TempTree } from "../support/temp-tree.ts";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");

export type Ran = { code: number; out: string; err: string };

/** Works in `project/` of the tree; a variable that is undefined is not set. */
export function burin(
  tree: TempTree,
  args: string[],
  how: { env?: Record<string, string | undefined>; stdin?: string } = {},
): Ran {
  const env = { HOME: tree.path("home"), PATH: environment()["PATH"], TERM: "dumb", ...how.env };
  const ran = Bun.spawnSync([process.execPath, MAIN, ...args], {
    cwd: tree.path("project"),
    env,
    stdin: Buffer.from(how.stdin ?? ""),
  });
  return { code: ran.exitCode, out: ran.stdout.toString(), err: ran.stderr.toString() };
}
