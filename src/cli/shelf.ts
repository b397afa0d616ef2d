// Where the sessions of a folder lie: the same answer for the run that writes them and the commands that read them.
import { resolve } from "node:path";
import type { ArgsDef } from "citty";
import { ok, type Result } from "../base/failure.ts";
import { environment } from "../host/env.ts";
import { err } from "../host/out.ts";
import { absolutePath, realPath } from "../host/paths.ts";
import { places } from "../host/places.ts";
import { shelfOf, type Shelf } from "../session/folder.ts";
import type { Settings } from "../settings/schema.ts";
import { settingsOf } from "./settings-of.ts";

export const SHELF_FLAGS = {
  "session-dir": {
    type: "string",
    valueHint: "DIR",
    description: "Look in this folder (default: the settings', else the user's data folder)",
  },
  cwd: {
    type: "string",
    alias: "C",
    valueHint: "DIR",
    description: "The folder whose sessions are meant (default: the present one)",
  },
} as const satisfies ArgsDef;

/** `cwd` is a real path; `flag` is the value of `--session-dir`. */
export function shelfIn(
  cwd: string,
  { data, flag, settings }: { data: string; flag: string | undefined; settings: Settings },
): Shelf {
  const named = flag ?? settings.session?.dir;
  const sessionDir = named === undefined ? null : absolutePath(named, cwd);
  return shelfOf({ data, cwd, sessionDir });
}

/** For commands that only look; the folder itself need not be there any more. */
export async function shelfFor(args: {
  cwd?: string | undefined;
  "session-dir"?: string | undefined;
}): Promise<Result<Shelf>> {
  const env = environment();
  const { config, data } = places(env);
  const cwd = realPath(resolve(args.cwd ?? "."));
  if (!cwd.ok) return cwd;
  const loaded = await settingsOf({ config, env, needed: "session" });
  if (!loaded.ok) return loaded;
  const { settings, warnings } = loaded.value;
  for (const warning of warnings) err(`burin: ${warning}\n`);
  return ok(shelfIn(cwd.value, { data, flag: args["session-dir"], settings }));
}
