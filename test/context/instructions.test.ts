// Instruction files: which are found, and what a repository must not be able to send along.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { instructions, type Instructions } from "../../src/context/instructions.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

/** Of the project in `p`, from its folder `p/a/b`; the scratch folder as ROOT. */
function found(tree: TempTree, cwd = "p/a/b"): Instructions {
  mkdirSync(tree.path(cwd), { recursive: true });
  const all = instructions({ cwd: tree.path(cwd), root: tree.path("p"), home: tree.path("home") });
  const plain = (texts: string[]): string[] =>
    texts.map((text) => text.replaceAll(tree.root, "ROOT"));
  return { blocks: plain(all.blocks), paths: plain(all.paths), notices: plain(all.notices) };
}

const NOTHING: Instructions = { blocks: [], paths: [], notices: [] };

test("the user's own come first, then from the root down, AGENTS.md before CLAUDE.md", () => {
  using tree = tempTree({
    "home/AGENTS.md": "mine",
    "AGENTS.md": "above the root",
    "p/AGENTS.md": "root\n",
    "p/CLAUDE.md": "not this",
    "p/a/CLAUDE.md": "a",
    "p/a/b/AGENTS.md": " \n",
  });
  expect(found(tree)).toEqual({
    blocks: [
      "# Project instructions from ROOT/home/AGENTS.md\n\nmine",
      "# Project instructions from ROOT/p/AGENTS.md\n\nroot",
      "# Project instructions from ROOT/p/a/CLAUDE.md\n\na",
    ],
    paths: ["ROOT/home/AGENTS.md", "ROOT/p/AGENTS.md", "ROOT/p/a/CLAUDE.md"],
    notices: [],
  });
});

test("a link out of the project is left out, one within it is followed", () => {
  using tree = tempTree({ "secret.txt": "key", "p/real.md": "inside", "px/b.md": "beside" });
  mkdirSync(tree.path("p/a/b"), { recursive: true });
  symlinkSync("../secret.txt", tree.path("p/AGENTS.md"));
  symlinkSync("../../px/b.md", tree.path("p/a/AGENTS.md"));
  symlinkSync("../../real.md", tree.path("p/a/b/AGENTS.md"));
  expect(found(tree)).toEqual({
    blocks: ["# Project instructions from ROOT/p/a/b/AGENTS.md\n\ninside"],
    paths: ["ROOT/p/a/b/AGENTS.md"],
    notices: [
      "ROOT/p/AGENTS.md is a link out of the project and was left out",
      "ROOT/p/a/AGENTS.md is a link out of the project and was left out",
    ],
  });
});

test("a link to a file with credentials is left out, though it is in the project", () => {
  using tree = tempTree({ "p/.env": "KEY=1" });
  symlinkSync(".env", tree.path("p/AGENTS.md"));
  expect(found(tree)).toEqual({
    ...NOTHING,
    notices: ["ROOT/p/AGENTS.md is a link to a file that may hold credentials and was left out"],
  });
});

test("pipes, folders, broken and circular links are passed over", () => {
  using tree = tempTree({ "p/a/AGENTS.md/": "", "p/a/b/x": "" });
  Bun.spawnSync(["mkfifo", tree.path("p/AGENTS.md")]);
  symlinkSync("CLAUDE.md", tree.path("p/a/b/AGENTS.md"));
  symlinkSync("AGENTS.md", tree.path("p/a/b/CLAUDE.md"));
  symlinkSync("nowhere", tree.path("p/CLAUDE.md"));
  expect(found(tree)).toEqual(NOTHING);
});

test("a huge file is cut without being read, and not within a character", () => {
  using tree = tempTree({ "p/AGENTS.md": `${"x".repeat(64 * 1024 - 1)}é` });
  truncateSync(tree.path("p/AGENTS.md"), 50 * 2 ** 30);
  const { blocks, notices } = found(tree);
  expect(notices).toEqual([
    "ROOT/p/AGENTS.md has 53687091200 bytes: only the first 65536 are given to the model",
  ]);
  expect(blocks).toEqual([
    `# Project instructions from ROOT/p/AGENTS.md\n\n${"x".repeat(64 * 1024 - 1)}\n[cut here]`,
  ]);
});

unless(process.getuid?.() === 0 && "root may read every file")(
  "what cannot be read is told",
  () => {
    using tree = tempTree({ "p/AGENTS.md": "x" });
    chmodSync(tree.path("p/AGENTS.md"), 0);
    expect(found(tree)).toEqual({
      ...NOTHING,
      notices: ["ROOT/p/AGENTS.md could not be read and was left out"],
    });
  },
);

test("an empty file and a file that is no text do no harm", () => {
  using tree = tempTree({ "p/AGENTS.md": "" });
  writeFileSync(tree.path("p/CLAUDE.md"), new Uint8Array([255, 254, 0]));
  expect(found(tree, "p")).toEqual(NOTHING);
});
