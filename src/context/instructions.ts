// Instruction files: the user's own AGENTS.md, then AGENTS.md (or CLAUDE.md) from the git root down to the folder.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export type Instructions = {
  /** One block per file, in order. */
  blocks: string[];
  paths: string[];
  /** Sentences about files that were cut or could not be read. */
  notices: string[];
};

/** Of one file; what is longer is cut there, and the cut is said. */
const MAX_FILE_BYTES = 64 * 1024;
const NAMES = ["AGENTS.md", "CLAUDE.md"] as const;

/** `root` is the git root, or the folder itself; `home` the folder of the user's own configuration. */
export function instructions(where: { cwd: string; root: string; home: string }): Instructions {
  const found: Instructions = { blocks: [], paths: [], notices: [] };
  add(found, join(where.home, "AGENTS.md"), "/");
  for (const folder of foldersBetween(where.root, where.cwd)) {
    const name = NAMES.find((each) => isFile(join(folder, each)));
    if (name !== undefined) add(found, join(folder, name), where.root);
  }
  return found;
}

/** From the root down to the folder, both included. */
function foldersBetween(root: string, cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === root || dirname(folder) === folder) return folders;
  }
}

/** A link that leads out of `root` is not followed: a repository could have the user's own files sent to the model. */
function add(found: Instructions, path: string, root: string): void {
  if (!isFile(path)) return;
  if (root !== "/" && !realpathSync(path).startsWith(`${realpathSync(root)}/`)) {
    found.notices.push(`${path} is a link out of the project and was left out`);
    return;
  }
  const bytes = readOrNull(path);
  if (bytes === null) {
    found.notices.push(`${path} could not be read and was left out`);
    return;
  }
  const isCut = bytes.length > MAX_FILE_BYTES;
  if (isCut) {
    found.notices.push(
      `${path} has ${bytes.length} bytes: only the first ${MAX_FILE_BYTES} are given to the model`,
    );
  }
  const text = bytes.subarray(0, MAX_FILE_BYTES).toString("utf8").trim();
  if (text === "") return;
  found.paths.push(path);
  found.blocks.push(`# Project instructions from ${path}\n\n${text}${isCut ? "\n[cut here]" : ""}`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
