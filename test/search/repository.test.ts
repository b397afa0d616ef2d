// What a repository says of its files: index, configuration, worktrees, nested ones.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseIndex } from "../../src/search/git-index.ts";
import { gitSettings } from "../../src/search/git-config.ts";
import { repositoryAt } from "../../src/search/repository.ts";
import { random } from "../support/random.ts";
import { tempTree } from "../support/temp-tree.ts";
import { GIT_SCOPE, gitTree, hasGit, walked } from "./git-tree.ts";
import { unless } from "../support/unless.ts";

const withGit = unless(!hasGit && "git is not installed");

withGit("tracked files are read from the index in every version git writes", () => {
  for (const version of ["2", "3", "4"]) {
    using home = tempTree();
    using tree = gitTree(home.root);
    for (const name of ["a/b/c", "a/bc", "a/b d", "z", "é"]) tree.put(name, "");
    tree.git("add", ".");
    tree.git("update-index", "--index-version", version);
    // Version 3 is written only when an entry needs more flags.
    if (version === "3") tree.git("update-index", "--skip-worktree", "z");
    const index = parseIndex(readFileSync(tree.path(".git/index")), 20);
    expect(index).toEqual({ paths: ["a/b d", "a/b/c", "a/bc", "z", "Ã©"], shared: null });
  }
});

withGit("questions about files and folders are answered from a split index too", () => {
  using home = tempTree();
  using tree = gitTree(home.root);
  tree.put("a/b", "");
  tree.git("add", ".");
  tree.git("update-index", "--split-index");
  tree.put("c", "");
  tree.git("add", "c");
  const tracked = repositoryAt(tree.root)?.tracked();
  const asked = [tracked?.hasFile("a/b"), tracked?.hasFile("a"), tracked?.hasFile("c")];
  expect([...asked, tracked?.hasBelow("a"), tracked?.hasBelow("a/b")]).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
});

withGit("a damaged index never throws and never hangs", () => {
  using home = tempTree();
  using tree = gitTree(home.root);
  for (let at = 0; at < 20; at += 1) tree.put(`folder/file-${at}`, "");
  tree.git("add", ".");
  const whole = readFileSync(tree.path(".git/index"));
  for (let seed = 1; seed <= 200; seed += 1) {
    const chance = random(seed);
    const broken = Buffer.from(whole.subarray(0, chance.int(whole.length)));
    for (let left = chance.int(8); left > 0 && broken.length > 0; left -= 1) {
      broken[chance.int(broken.length)] = chance.int(256);
    }
    writeFileSync(tree.path(".git/index"), broken);
    expect(repositoryAt(tree.root)?.tracked().hasFile("no such file")).toBe(false);
  }
});

withGit("a linked worktree takes its exclude file from the repository it belongs to", async () => {
  using home = tempTree();
  using tree = gitTree(home.root);
  tree.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "m");
  tree.put(".git/info/exclude", "*.log\n");
  tree.git("worktree", "add", "-q", "linked");
  tree.put("linked/a.log", "");
  tree.put("linked/a.txt", "");
  expect(await walked(tree.path("linked"), GIT_SCOPE)).toEqual(["a.txt"]);
});

test("the user's and the repository's settings are read as git reads them", () => {
  using tree = tempTree({
    "home/.gitconfig": '[core]\n\texcludesFile = "~/my ignores" ; said at home\n',
    "home/more": "[Core]\n  ignoreCase\n",
    config:
      '[include]\n path = home/more\n[core "sub"]\nexcludesFile = /wrong\n[extensions] objectFormat=sha256\n',
  });
  const env = { HOME: tree.path("home"), GIT_CONFIG_NOSYSTEM: "1" };
  expect(gitSettings([tree.path("config")], tree.root, env)).toEqual({
    excludesFile: tree.path("home/my ignores"),
    fold: true,
    hashBytes: 32,
  });
});

test("a later value wins, also over one given without a value", () => {
  using tree = tempTree({
    one: "[core]\nignoreCase\n",
    two: "[core]\nignorecase = no\nexcludesfile =\n",
  });
  const env = { GIT_CONFIG_NOSYSTEM: "1" };
  const files = [tree.path("one"), tree.path("two"), tree.path("missing")];
  expect(gitSettings(files, tree.root, env)).toEqual({
    excludesFile: null,
    fold: false,
    hashBytes: 20,
  });
});

test("a folder named .git that holds no repository is none", () => {
  using tree = tempTree({ ".git/config": "" });
  mkdirSync(tree.path("sub"));
  expect(repositoryAt(tree.root)).toBeNull();
});
