// The sessions that a command speaks of: this folder's, or those in --session-dir.
import { resolve } from "node:path";
import type { ArgsDef } from "citty";
import { environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import { shelfOf, type Shelf } from "../session/folder.ts";

export const SHELF_FLAGS = {
  "session-dir": {
    type: "string",
    valueHint: "DIR",
    description: "Look in this folder (default: the user's data folder)",
  },
  cwd: {
    type: "string",
    alias: "C",
    valueHint: "DIR",
    description: "The folder whose sessions are meant (default: the present one)",
  },
} as const satisfies ArgsDef;

export function shelfFor(args: {
  cwd?: string | undefined;
  "session-dir"?: string | undefined;
}): Shelf {
  const { data } = places(environment());
  return shelfOf({ data, cwd: resolve(args.cwd ?? "."), sessionDir: args["session-dir"] ?? null });
}
