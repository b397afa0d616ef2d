// A real repository to work on: the source of an npm package, with a test of its own that two edits make pass.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempTree, type TempTree } from "./temp-tree.ts";
import type { ReplayTurn } from "./replay-server.ts";

const SOURCE = join(import.meta.dir, "..", "..", "node_modules", "zod", "src");

/** Runs with the test's own Bun, named in RUNTIME. */
const CHECK = `import { readFileSync } from "node:fs";
for (const file of ["index.ts", "v4/core/util.ts"]) {
  if (!readFileSync(new URL(file, import.meta.url), "utf8").startsWith("// checked\\n")) {
    console.log("not ok " + file);
    process.exit(1);
  }
}
console.log("all ok");
`;

export type RealRepository = TempTree & {
  files: number;
  /** What the two files hold once the job is done. */
  wanted: Record<string, string>;
  /** The model's part: grep, three reads at once, two edits, the test, an answer. */
  turns: ReplayTurn[];
};

export function realRepository(): RealRepository {
  const tree = tempTree({});
  cpSync(SOURCE, tree.root, { recursive: true });
  writeFileSync(tree.path("check.mjs"), CHECK);
  const edited = ["index.ts", "v4/core/util.ts"].map((path) => {
    const before = readFileSync(tree.path(path), "utf8");
    const line = uniqueLine(before);
    return { path, line, after: before.replace(line, () => `// checked\n${line}`) };
  });
  return {
    ...tree,
    files: [...new Bun.Glob("**/*").scanSync(tree.root)].length,
    wanted: Object.fromEntries(edited.map(({ path, after }) => [path, after])),
    turns: [
      turn("I look around.", [
        ["g1", "grep", { pattern: "export", path: "v4/core", filesOnly: true }],
      ]),
      turn("Three files at once.", [
        ["r1", "read", { path: "index.ts" }],
        ["r2", "read", { path: "v4/core/util.ts" }],
        ["r3", "read", { path: "v4/core/errors.ts", limit: 50 }],
      ]),
      turn(
        "Two edits.",
        edited.map(({ path, line }, at) => [
          `e${at + 1}`,
          "edit",
          { path, edits: [{ oldText: line, newText: `// checked\n${line}` }] },
        ]),
      ),
      turn("Now the test.", [["b1", "bash", { command: '"$RUNTIME" check.mjs' }]]),
      {
        steps: [{ text: "Both files are **checked**." }],
        usage: { prompt_tokens: 900, completion_tokens: 9 },
      },
    ],
  };
}

/** The first line, which the test looks at; where it stands again, with what follows it. */
function uniqueLine(text: string): string {
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) {
    const start = text.slice(0, end);
    if (start.trim() !== "" && text.indexOf(start, 1) === -1) return start;
  }
  return text;
}

function turn(text: string, calls: [string, string, object][]): ReplayTurn {
  return {
    steps: [
      { text },
      ...calls.map(([id, name, args]) => ({
        call: { id, name, arguments: JSON.stringify(args) },
        fragments: 3,
      })),
    ],
    usage: { prompt_tokens: 500, completion_tokens: 20 },
  };
}
