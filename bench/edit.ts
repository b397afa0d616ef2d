// One line edited in a file of 10 MB, by the tool as a user starts it: reading, finding, writing to disk, the diff.
import { join } from "node:path";
import * as v from "valibot";
import type { Lab } from "./lab.ts";
import { smallest } from "./measure.ts";

const FILE_BYTES = 10 * 1024 * 1024;
const RUNS = 10;

const Output = v.object({ isError: v.literal(false), durationMs: v.number() });

function lines(): string {
  const line = (number: number): string =>
    `const value${number} = compute(${number}, “typical”);\n`;
  let text = "";
  for (let number = 0; text.length < FILE_BYTES; number += 1) text += line(number);
  return text;
}

export async function edit(lab: Lab): Promise<[number]> {
  const path = join(lab.cwd, "edited.ts");
  await Bun.write(path, lines());
  let turn = 0;
  const time = await smallest(RUNS, async () => {
    const words = ["value120000 =", "other120000 ="];
    const [oldText, newText] = turn % 2 === 0 ? words : words.toReversed();
    turn += 1;
    const args = JSON.stringify({ path, edits: [{ oldText, newText }] });
    const child = Bun.spawn([lab.burin, "tool", "edit", "--json", "--args", args], {
      cwd: lab.cwd,
      env: lab.env,
      stdin: "ignore",
      stdout: "pipe",
    });
    const output: unknown = await child.stdout.json();
    return v.parse(Output, output).durationMs;
  });
  await Bun.file(path).delete();
  return [time];
}
