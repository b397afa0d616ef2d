// Starts a command that outlives burin: its output goes into a file, nobody reads along and nobody watches over it.
import { closeSync, openSync } from "node:fs";
import { broken, missing, ok, type Result } from "../base/failure.ts";
import { endFamily } from "./end.ts";
import { fault } from "./fault.ts";
import { type End, isFolder, notStarted, ownEnd } from "./process.ts";

export type Keeping = {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Begins a marker that no other command of burin carries. */
  marker: string;
  /** Created for the user alone. */
  file: string;
};

export type Kept = { pid: number; ended: Promise<End>; stop: () => Promise<void> };

export function keepCommand({ argv, cwd, env, marker, file }: Keeping): Result<Kept> {
  if (!isFolder(cwd))
    return missing(`the working directory ${cwd} is not a folder; nothing was run`);
  const output = openOutput(file);
  if (!output.ok) return output;
  try {
    const stdio = ["ignore", output.value, output.value] satisfies ["ignore", number, number];
    const child = Bun.spawn([...argv], { cwd, env, detached: true, stdio });
    child.unref();
    const family = { leaders: [child.pid], marker, isBranded: () => false, known: [] };
    return ok({
      pid: child.pid,
      ended: child.exited.then(() => ownEnd(child)),
      stop: () => endFamily(family),
    });
  } catch (error) {
    return notStarted(argv, error);
  } finally {
    closeSync(output.value);
  }
}

function openOutput(file: string): Result<number> {
  try {
    return ok(openSync(file, "ax", 0o600));
  } catch (error) {
    return broken(`no file for the command's output (${fault(error)}); nothing was run`);
  }
}
