// A scratch repository made with the real git, and what that git lists in it: the oracle of the search tests.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { onDisk, type Bytes } from "../../src/search/bytes.ts";
import { collect } from "../support/collect.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { walk, type WalkOptions } from "../../src/search/walk.ts";

export const hasGit = Bun.which("git") !== null;

export type GitTree = TempTree & {
  git(...args: string[]): string;
  /** Adds a file; false when a folder is in its way. */
  put(name: string, content: string | { link: string }): boolean;
  /** What git lists: tracked, or untracked and not ignored; byte strings, sorted. */
  listed(): Bytes[];
};

/** Its user's configuration lies in `home`, which the code under test must see as well. */
export function gitTree(home: string): GitTree {
  const tree = tempTree();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const git = (...args: string[]): string =>
    Bun.spawnSync(["git", ...args], { cwd: tree.root, env }).stdout.toString("latin1");
  git("init", "-q", ".");
  return {
    ...tree,
    git,
    put(name, content) {
      try {
        mkdirSync(dirname(tree.path(name)), { recursive: true });
        if (typeof content === "string") writeFileSync(tree.path(name), content);
        else symlinkSync(content.link, tree.path(name));
        return true;
      } catch {
        return false;
      }
    },
    listed() {
      const list = git("ls-files", "-co", "--exclude-standard", "-z").split("\0");
      return [...new Set(list.filter((name) => name !== ""))].toSorted();
    },
  };
}

export const GIT_SCOPE: WalkOptions = {
  scope: "git",
  evenIgnored: false,
  skip: new Set(),
  globs: null,
};

export const SEARCH_SCOPE: WalkOptions = { ...GIT_SCOPE, scope: "search", evenIgnored: true };

/** What a walk finds, written as git would, in the order of the walk; folders left out. */
export async function walked(root: Bytes, options: WalkOptions): Promise<Bytes[]> {
  const batches = await collect(walk(root, options, new AbortController().signal));
  return batches
    .flat()
    .filter(({ kind }) => kind !== "folder")
    .map(({ kind, path }) => (kind === "repository" ? `${path}/` : path));
}

/** A file whose name is bytes, not text. */
export function writeBytes(path: Bytes, content: string): void {
  writeFileSync(onDisk(path), content);
}
