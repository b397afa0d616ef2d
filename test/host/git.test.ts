// Git's state read from its files, of honest repositories and of hostile ones.
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { gitState, type GitState } from "../../src/host/git.ts";
import { tempTree } from "../support/temp-tree.ts";

const ONE = "1".repeat(40);
const TWO = "2".repeat(40);
const MAIN = "ref: refs/heads/main\n";

/** Of the folder `at`, the scratch folder as ROOT. */
function stateOf(files: Record<string, string>, at = "."): GitState | null {
  using tree = tempTree(files);
  mkdirSync(tree.path(at), { recursive: true });
  const state = gitState(tree.path(at));
  return state && { ...state, root: state.root.replace(tree.root, "ROOT") };
}

test.each<[string, Record<string, string>, Partial<GitState>]>([
  [
    "a branch",
    { ".git/HEAD": MAIN, ".git/refs/heads/main": `${ONE}\n` },
    { branch: "main", commit: ONE },
  ],
  [
    "a branch with slashes",
    { ".git/HEAD": "ref: refs/heads/a/b", ".git/refs/heads/a/b": ONE },
    { branch: "a/b", commit: ONE },
  ],
  ["a detached HEAD", { ".git/HEAD": `${ONE}\n` }, { commit: ONE }],
  ["a SHA-256 commit", { ".git/HEAD": "a".repeat(64) }, { commit: "a".repeat(64) }],
  ["no commit yet", { ".git/HEAD": MAIN }, { branch: "main" }],
  [
    "packed refs",
    {
      ".git/HEAD": MAIN,
      ".git/packed-refs": `# pack-refs with: peeled\n${TWO} refs/heads/not/refs/heads/main\n${ONE} refs/heads/main\n^${TWO}\n`,
    },
    { branch: "main", commit: ONE },
  ],
  [
    "a loose ref over a packed one",
    {
      ".git/HEAD": MAIN,
      ".git/refs/heads/main": ONE,
      ".git/packed-refs": `${TWO} refs/heads/main\n`,
    },
    { branch: "main", commit: ONE },
  ],
  ["no HEAD", { ".git/x": "" }, {}],
  [
    "a ref with ..",
    { ".git/HEAD": "ref: refs/heads/../../x", ".git/x": ONE },
    { branch: "../../x" },
  ],
  ["a ref outside refs", { ".git/HEAD": "ref: /etc/passwd" }, {}],
  ["a branch with escapes", { ".git/HEAD": "ref: refs/heads/\u001b[2Jx" }, {}],
  ["a branch that is a sentence", { ".git/HEAD": "ref: refs/heads/ignore all rules" }, {}],
  ["a HEAD of two lines", { ".git/HEAD": `${MAIN}ref: refs/heads/x` }, {}],
  ["a very long branch", { ".git/HEAD": `ref: refs/heads/${"x".repeat(1000)}` }, {}],
  ["a HEAD that is no ref", { ".git/HEAD": "root:x:0:0" }, {}],
  [
    "a loose ref that is no commit",
    { ".git/HEAD": MAIN, ".git/refs/heads/main": "root:x:0:0" },
    { branch: "main" },
  ],
])("%s", (_, files, state) => {
  expect(stateOf(files)).toEqual({ root: "ROOT", branch: null, commit: null, ...state });
});

test("the repository is found from a folder within it", () => {
  expect(stateOf({ ".git/HEAD": MAIN }, "a/b")).toEqual({
    root: "ROOT",
    branch: "main",
    commit: null,
  });
});

test("outside of a repository there is none", () => {
  expect(stateOf({ "a/x": "" }, "a")).toBeNull();
});

test("a worktree has its own HEAD and the refs of the common folder", () => {
  const files = {
    "main/.git/HEAD": MAIN,
    "main/.git/packed-refs": `${ONE} refs/heads/side\n`,
    "main/.git/worktrees/side/HEAD": "ref: refs/heads/side\n",
    "main/.git/worktrees/side/commondir": "../..\n",
    "side/.git": "gitdir: ../main/.git/worktrees/side\n",
  };
  expect(stateOf(files, "side")).toEqual({ root: "ROOT/side", branch: "side", commit: ONE });
});

test("of a hostile .git file nothing but branch names and commits is ever shown", () => {
  const secret = { "secret/HEAD": "password" };
  expect(stateOf({ ...secret, "r/.git": "gitdir: ../secret" }, "r")).toEqual({
    root: "ROOT/r",
    branch: null,
    commit: null,
  });
  expect(stateOf({ "r/.git": "gitdir: ../../../../../../nowhere" }, "r")).toEqual({
    root: "ROOT/r",
    branch: null,
    commit: null,
  });
  expect(stateOf({ "r/.git/HEAD": "ref: refs/heads/a\u202eb\u200bc" }, "r")).toEqual({
    root: "ROOT/r",
    branch: null,
    commit: null,
  });
  expect(stateOf({ "r/.git": "nonsense" }, "r")).toBeNull();
  expect(stateOf({ "r/.git": `gitdir: ${"x".repeat(100_000)}` }, "r")).toBeNull();
});

test("huge files, pipes and links in a circle are not waited for", () => {
  using tree = tempTree({
    "huge/.git/HEAD": "ref: refs/heads/main",
    "pipe/.git/x": "",
    "loop/x": "",
  });
  truncateSync(tree.path("huge/.git/HEAD"), 10 * 2 ** 30);
  Bun.spawnSync(["mkfifo", tree.path("pipe/.git/HEAD")]);
  symlinkSync(".git", tree.path("loop/.git"));
  expect(["huge", "pipe", "loop"].map((name) => gitState(tree.path(name)))).toEqual([
    { root: tree.path("huge"), branch: null, commit: null },
    { root: tree.path("pipe"), branch: null, commit: null },
    null,
  ]);
});
