// Standard input that is no pipe and no terminal. Pipes and files are tried end to end with the binary.
import { expect, test } from "bun:test";
import { openSync } from "node:fs";
import { join } from "node:path";
import { tempTree } from "../support/temp-tree.ts";

const INPUT = join(import.meta.dir, "..", "..", "src", "headless", "input.ts");

async function readPrompt(stdin: string, argument: string | null): Promise<unknown> {
  using tree = tempTree({
    "run.ts": `import { readPrompt } from ${JSON.stringify(INPUT)};
      console.log(JSON.stringify(await readPrompt({ argument: ${JSON.stringify(argument)}, forced: null })));`,
    "prompt.txt": "from a file",
    "folder/": "",
  });
  const child = Bun.spawn([process.execPath, tree.path("run.ts")], {
    stdin: openSync(tree.path(stdin), "r"),
    stdout: "pipe",
    stderr: "ignore",
  });
  return JSON.parse(await child.stdout.text());
}

test("a folder as standard input is refused with a sentence", async () => {
  expect(await readPrompt("folder", null)).toEqual({
    ok: false,
    failure: {
      kind: "broken",
      what: expect.stringMatching(
        /^standard input cannot be read \(.+\): give the prompt as an argument$/,
      ),
    },
  });
});

test("beside an argument a folder is left alone", async () => {
  expect(await readPrompt("folder", "do it")).toEqual({
    ok: true,
    value: { prompt: "do it", note: null },
  });
});

test("a file is the prompt", async () => {
  expect(await readPrompt("prompt.txt", null)).toEqual({
    ok: true,
    value: { prompt: "from a file", note: null },
  });
});
