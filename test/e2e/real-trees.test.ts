// Real trees of thousands of files, made of npm packages with ignore files of their own: burin lists what git and ripgrep list.
import { expect } from "bun:test";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { home } from "../support/binary.ts";
import { random } from "../support/random.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";
import { unless } from "../support/unless.ts";

const PACKAGES = join(import.meta.dir, "..", "..", "node_modules");
const MIN_FILES = 5_000;

const hasPeers = Bun.which("git") !== null && Bun.which("rg") !== null;

const Manifest = v.object({ files: v.optional(v.array(v.string()), []) });

/** A package as its repository would hold it: what npm was told to publish or to leave out is its .gitignore. */
function addPackage(tree: TempTree, name: string, to: string): void {
  const folder = tree.path(to);
  cpSync(join(PACKAGES, name), folder, { recursive: true, dereference: true });
  const npmIgnore = join(folder, ".npmignore");
  if (existsSync(npmIgnore)) writeFileSync(join(folder, ".gitignore"), readFileSync(npmIgnore));
  const { files } = v.parse(
    Manifest,
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  if (files.length > 0) appendFileSync(join(folder, ".gitignore"), publishRules(files));
}

/** Everything at the top is ignored but what `files` names; `!` in it leaves out again. */
function publishRules(files: readonly string[]): string {
  const rules = files.map((file) => {
    const path = file.replace(/^!?(\.?\/)?/, "").replace(/\/\*\*?$|\/$/, "");
    return file.startsWith("!") ? path : `!/${path}`;
  });
  return ["/*", "!/package.json", "!/*.md", ...rules, ""].join("\n");
}

const OFTEN = ["highlight.js", "yaml", "yargs", "require-directory", "any-promise", "marked"];

type Make = (tree: TempTree) => void;

/** Ignore files as projects have them: nested, negated, anchored, with folders and with wildcards. */
const TREES: Record<string, Make> = {
  "a workspace of packages": (tree) => {
    for (let copy = 1; copy <= 5; copy += 1)
      for (const name of ["zod", ...OFTEN]) addPackage(tree, name, `packages/${name}-${copy}`);
    writeFileSync(
      tree.path(".gitignore"),
      "# build\n*.map\ncoverage/\n/packages/*-3/v3\n*.cjs\n!index.cjs\n.cache\nnode_modules\n",
    );
    writeFileSync(tree.path("packages/zod-2/.gitignore"), "/v4/*\n!/v4/core\nsrc/**/tests\n");
    writeFileSync(tree.path("packages/zod-4/src/.gitignore"), "*\n!*/\n!**/*.ts\nlocales/\n");
    writeFileSync(tree.path(".git/info/exclude"), "LICENSE\n/packages/yaml-1/\n");
  },
  "a project with its dependencies in it": (tree) => {
    cpSync(PACKAGES, tree.path("third_party"), {
      recursive: true,
      dereference: true,
      // Programs: nothing to search, and large.
      filter: (path) =>
        !/\/(bun|@oxlint|@oxfmt|oxlint-tsgolint|typescript|@typescript|@oven)$|\.node$|\/\.bin$|-x64/.test(
          path,
        ),
    });
    for (const name of OFTEN) addPackage(tree, name, `src/${name}`);
    for (const name of ["zod", "knip"]) addPackage(tree, name, `src/lib/${name}`);
    writeFileSync(
      tree.path(".gitignore"),
      "third_party/*/dist/\n!third_party/knip/dist/\n**/types/*.d.ts\n/src/*/build\n*.[mc]ts\nfoo?bar\n",
    );
    writeFileSync(tree.path("third_party/.gitignore"), "*.md\n!README.md\n/zod/**/locales\n");
  },
  "a tree with ignore files all over": (tree) => {
    for (let copy = 1; copy <= 2; copy += 1) {
      for (const name of ["bun-types", "knip", "zod"]) addPackage(tree, name, `${copy}/${name}`);
    }
    scatter(tree, 7);
  },
};

const LINES = [
  "*.md",
  "!README.md",
  "/dist",
  "docs/",
  "*.d.ts",
  "!index.d.ts",
  "util*",
  "**/tests/**",
  "/*/v3/",
  "[a-c]*.js",
  "src/*.ts",
  "!src/index.ts",
  "plugins/**/index.js",
  "*.json ",
  "\\!odd",
  "# words",
];

/** Puts ignore files with some of the lines into one folder of ten. */
function scatter(tree: TempTree, seed: number): void {
  const chance = random(seed);
  const folders = readdirSync(tree.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.parentPath.includes("/.git"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/.git"))
    .toSorted();
  for (const folder of folders) {
    if (!chance.chance(0.1)) continue;
    const lines = Array.from({ length: 1 + chance.int(4) }, () => chance.pick(LINES));
    writeFileSync(join(folder, ".gitignore"), lines.join(chance.chance(0.2) ? "\r\n" : "\n"));
  }
}

for (const [what, make] of Object.entries(TREES)) {
  unless(!hasPeers && "git or rg is not installed")(
    `${what} is listed as by git and ripgrep`,
    async () => {
      using user = home();
      using tree = tempTree();
      const run = (command: string[]): string[] => {
        const ran = Bun.spawnSync(command, { cwd: tree.root, env: user.env });
        const names = ran.stdout.toString("latin1").split("\0");
        return [...new Set(names.filter((name) => name !== ""))].toSorted();
      };
      run(["git", "init", "-q", "."]);
      mkdirSync(tree.path(".git/info"), { recursive: true });
      make(tree);
      const git = run(["git", "ls-files", "-co", "--exclude-standard", "-z"]);
      const rg = run(["rg", "--no-config", "--files", "--hidden", "--null", "--glob=!.git"]);
      const all = readdirSync(tree.root, { recursive: true, withFileTypes: true });
      const files = all.filter((entry) => entry.isFile() && !entry.parentPath.includes("/.git"));
      expect(files.length).toBeGreaterThan(MIN_FILES);
      expect(git.length).toBeLessThan(files.length);
      const line = `cd "$TREE" && "$BURIN" tool find '**' --type file --limit 0 --raw -0 >"$HOME/found"`;
      const ran = await user.shell(line, { TREE: tree.root });
      expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
      const found = readFileSync(join(user.path, "found"), "latin1").split("\0").slice(0, -1);
      expect(found.toSorted()).toEqual(git);
      expect(found.toSorted()).toEqual(rg);
    },
    60_000,
  );
}
