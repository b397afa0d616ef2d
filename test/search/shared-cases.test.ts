// The shared cases for ignore rules, where they lie beside this checkout: answers measured from git.
import { expect } from "bun:test";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromBytes } from "../../src/search/bytes.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { GIT_SCOPE, hasGit, walked } from "./git-tree.ts";
import { unless } from "../support/unless.ts";

const CASES = join(import.meta.dir, "..", "..", "..", "shared", "cases", "ignore-and-grep");

type Content = string | { link?: string; dir?: true; b64?: string };
type Case = {
  id: string;
  files: Record<string, Content>;
  tracked?: string[];
  gone?: string[];
  exclude?: string;
  global?: string;
  cwd?: string;
  nogit?: boolean;
};
type Module = { default: Case[] };
type Answers = Record<string, { git?: string[] }>;

const isThere = hasGit && existsSync(join(CASES, "ignore-cases.mjs"));

unless(!isThere && "the shared cases are not beside this checkout")(
  "the shared ignore cases are answered as git does",
  async () => {
    const cases: Module = await import(join(CASES, "ignore-cases.mjs"));
    const answers: Answers = await Bun.file(join(CASES, "ignore-expected.json")).json();
    for (const each of cases.default) {
      const expected = answers[each.id]?.git;
      if (expected === undefined) continue;
      using home = tempTree(each.global === undefined ? {} : { "git/ignore": each.global });
      process.env["XDG_CONFIG_HOME"] = home.root;
      using tree = tempTree();
      build(tree, each);
      const found = await walked(join(tree.root, each.cwd ?? ""), GIT_SCOPE);
      delete process.env["XDG_CONFIG_HOME"];
      const names = found.map(fromBytes).toSorted();
      expect({ id: each.id, names }).toEqual({ id: each.id, names: expected });
    }
  },
);

function build(tree: TempTree, { files, tracked = [], gone = [], exclude }: Case): void {
  const git = (...args: string[]): void => void Bun.spawnSync(["git", ...args], { cwd: tree.root });
  git("init", "-q", ".");
  if (exclude !== undefined) writeFileSync(tree.path(".git/info/exclude"), exclude);
  for (const [name, content] of Object.entries(files)) put(tree.path(name), content);
  for (const name of tracked) git("add", "-f", "--", name);
  for (const name of gone) rmSync(tree.path(name));
}

function put(path: string, content: Content): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === "string") writeFileSync(path, content);
  else if (content.link !== undefined) symlinkSync(content.link, path);
  else if (content.dir === true) mkdirSync(path, { recursive: true });
  else writeFileSync(path, Buffer.from(content.b64 ?? "", "base64"));
}
