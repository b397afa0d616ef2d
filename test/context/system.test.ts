// The pinned prefix: what stands in it and in which order.
import { expect, test } from "bun:test";
import { pinned, type Surroundings } from "../../src/context/system.ts";
import { tempTree } from "../support/temp-tree.ts";

function around(root: string, wish: Partial<Surroundings> = {}): Surroundings {
  return {
    cwd: root,
    root,
    home: `${root}/home`,
    branch: null,
    platform: "linux",
    date: "2026-11-30",
    systemPrompt: null,
    appended: null,
    ...wish,
  };
}

test("prompt, addition, instructions and environment stand in this order", () => {
  using tree = tempTree({ "AGENTS.md": "rules", "a/": "" });
  const wish = {
    cwd: tree.path("a"),
    branch: "main",
    systemPrompt: "be brief",
    appended: "and kind",
  };
  expect(pinned(around(tree.root, wish))).toEqual({
    system: [
      "be brief",
      "and kind",
      `# Project instructions from ${tree.path("AGENTS.md")}\n\nrules`,
      `# Environment\n\nWorking folder: ${tree.path("a")}\nGit root: ${tree.root}\nGit branch at the start: main\nPlatform: linux\nDate: 2026-11-30`,
    ],
    files: [tree.path("AGENTS.md")],
    notices: [],
  });
});

test("without wishes it is the built-in prompt and the environment", () => {
  using tree = tempTree();
  const { system } = pinned(around(tree.root, { appended: "" }));
  expect(system).toHaveLength(2);
  expect(system[1]).toBe(
    `# Environment\n\nWorking folder: ${tree.root}\nPlatform: linux\nDate: 2026-11-30`,
  );
});
