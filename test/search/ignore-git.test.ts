// The walker against the real git, on trees, rules and tracked files that chance made.
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { random, type Random } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { GIT_SCOPE, gitTree, hasGit, walked, type GitTree } from "./git-tree.ts";
import { unless } from "../support/unless.ts";

const TREES = 40;

const NAMES = ["a", "b", "ab", "foo", "foo.o", "b.log", "x y", "é", "a*b", "[x]", "src", "A", "c]"];
const ODD_NAMES = ["x-", "a ", "!n", "#h", "d\\e", ".h", "n\nl"];
const PLAIN = ["a", "b", "foo", "*", "**", "?", "/", "/", ".o", "*.o", "***", "src", "-", "A", "é"];
const CLASSES = [
  "[ab]",
  "[!a]",
  "[^b]",
  "[a-c]",
  "[[:alpha:]]",
  "[]a]",
  "[a",
  "[\\]]",
  "[a-]",
  "[!]]",
];
const ODD = ["\\*", "\\", "\\ ", "\t", " ", "[[:foo:]]", "[a/b]", "[b-a]", "x y"];
const ATOMS = [...PLAIN, ...PLAIN, ...CLASSES, ...ODD];

unless(!hasGit && "git is not installed")(
  "the walk finds what git lists, for any tree, rules, index and nested repository",
  async () => {
    for (let seed = 1; seed <= TREES; seed += 1) {
      using home = tempTree();
      process.env["XDG_CONFIG_HOME"] = home.root;
      using tree = gitTree(home.root);
      grow(tree, home.root, random(seed));
      const found = await walked(tree.root, GIT_SCOPE);
      expect({ seed, found: found.toSorted() }).toEqual({ seed, found: tree.listed() });
    }
    delete process.env["XDG_CONFIG_HOME"];
  },
  60_000,
);

function grow(tree: GitTree, home: string, chance: Random): void {
  const files = growFiles(tree, chance);
  const folders = ["", ...files.map((name) => name.split("/").slice(0, -1).join("/"))];
  for (let left = 1 + chance.int(3); left > 0; left -= 1) {
    tree.put(`${chance.pick(folders)}/.gitignore`, ignoreFile(chance));
  }
  if (chance.chance(0.3)) tree.put(".git/info/exclude", ignoreFile(chance));
  if (chance.chance(0.3)) {
    mkdirSync(`${home}/git`);
    writeFileSync(`${home}/git/ignore`, ignoreFile(chance));
  }
  track(tree, files, chance);
  const nested = chance.pick(folders);
  if (chance.chance(0.2) && nested !== "") tree.git("init", "-q", nested);
}

function growFiles(tree: GitTree, chance: Random): string[] {
  const files: string[] = [];
  for (let left = 4 + chance.int(18); left > 0; left -= 1) {
    const depth = 1 + chance.int(4);
    const parts = Array.from({ length: depth }, () => chance.pick([...NAMES, ...ODD_NAMES]));
    const content = chance.chance(0.1) ? { link: "a" } : "";
    if (tree.put(parts.join("/"), content)) files.push(parts.join("/"));
  }
  return files;
}

function track(tree: GitTree, files: readonly string[], chance: Random): void {
  for (const name of files) if (chance.chance(0.2)) tree.git("add", "-f", "--", name);
  if (chance.chance(0.2)) tree.git("update-index", "--index-version", "4");
  if (chance.chance(0.1)) tree.git("update-index", "--split-index");
  if (chance.chance(0.1)) tree.git("config", "core.ignorecase", "true");
}

function ignoreFile(chance: Random): string {
  const lines = Array.from({ length: 1 + chance.int(5) }, () => rule(chance));
  const mark = chance.chance(0.1) ? "\ufeff" : "";
  return `${mark}${lines.join("\n")}${chance.chance(0.7) ? "\n" : ""}`;
}

function rule(chance: Random): string {
  const body = Array.from({ length: 1 + chance.int(4) }, () => chance.pick(ATOMS)).join("");
  const head = `${chance.chance(0.2) ? "!" : ""}${chance.chance(0.2) ? "/" : ""}`;
  const tail = `${chance.chance(0.25) ? "/" : ""}${chance.chance(0.1) ? "  " : ""}`;
  return `${head}${body}${tail}${chance.chance(0.1) ? "\r" : ""}`;
}
