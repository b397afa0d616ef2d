// Where the sessions of a project lie: a place to look, of which nothing is read yet.
import { join, resolve } from "node:path";
import { projectSlug } from "../host/places.ts";

export type Shelf = {
  /** Where the logs of this project are. */
  folder: string;
  cwd: string;
  /** The folder of all projects' folders; null where sessions have a folder of their own. */
  all: string | null;
};

/** `sessionDir` is the folder of `--session-dir` or of the settings, instead of the user's data folder. */
export function shelfOf(where: { data: string; cwd: string; sessionDir: string | null }): Shelf {
  const { data, cwd, sessionDir } = where;
  if (sessionDir !== null) return { folder: resolve(cwd, sessionDir), cwd, all: null };
  const all = join(data, "sessions");
  return { folder: join(all, projectSlug(cwd)), cwd, all };
}

export function sessionPath(shelf: Shelf, id: string): string {
  return join(shelf.folder, `${id}.jsonl`);
}
