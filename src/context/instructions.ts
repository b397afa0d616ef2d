// Instruction files: the user's own AGENTS.md, then AGENTS.md (or CLAUDE.md) from the git root down to the folder.
import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSecret } from "../policy/paths.ts";

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

function add(found: Instructions, path: string, root: string): void {
  if (!isFile(path)) return;
  const stray = strayLink(path, root);
  if (stray !== null) {
    found.notices.push(`${path} is a link ${stray} and was left out`);
    return;
  }
  const read = readStart(path);
  if (read === null) {
    found.notices.push(`${path} could not be read and was left out`);
    return;
  }
  const isCut = read.size > MAX_FILE_BYTES;
  if (isCut) {
    found.notices.push(
      `${path} has ${read.size} bytes: only the first ${MAX_FILE_BYTES} are given to the model`,
    );
  }
  // As a stream: a character that the cut divides is left out.
  const text = new TextDecoder().decode(read.bytes, { stream: isCut }).trim();
  if (text === "") return;
  found.paths.push(path);
  found.blocks.push(`# Project instructions from ${path}\n\n${text}${isCut ? "\n[cut here]" : ""}`);
}

/** Where a link must not lead: by it a repository could have the user's own files or keys sent to the model. */
function strayLink(path: string, root: string): string | null {
  const real = realpathSync(path);
  if (root !== "/" && !real.startsWith(`${realpathSync(root)}/`)) return "out of the project";
  return isSecret(real) ? "to a file that may hold credentials" : null;
}

/** False as well for what may not be looked at, and for links in a circle. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The first bytes alone: the file may be of any size. */
function readStart(path: string): { bytes: Uint8Array; size: number } | null {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      const bytes = new Uint8Array(Math.min(size, MAX_FILE_BYTES));
      return { bytes: bytes.subarray(0, readSync(file, bytes)), size };
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
