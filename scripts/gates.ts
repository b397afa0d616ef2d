// The gates: everything a change must pass besides the tests, run side by side.
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const FOLDERS = ["src", "test", "scripts", "bench"];

// `--bun` gives a tool that asks for node Bun instead: a machine with only Bun must do.
const TOOL = ["run", "--silent", "--bun"];

const GATES: Record<string, string[]> = {
  format: [...TOOL, "oxfmt", "--check", ...FOLDERS],
  lint: [...TOOL, "oxlint", "--deny-warnings", ...FOLDERS],
  types: [...TOOL, "tsc", "-p", "."],
  floors: ["scripts/floors.ts"],
  "dead code": [...TOOL, "knip"],
  map: ["scripts/map.ts", "--check"],
  docs: ["scripts/docs.ts", "--check"],
  "tracked files": ["scripts/tracked-files.ts"],
  "commit messages": ["scripts/commit-message.ts"],
};

export type Outcome = { name: string; passed: boolean };

/** Runs every gate and prints a line for each, and the output of those that failed. */
export async function runGates(): Promise<Outcome[]> {
  return Promise.all(Object.entries(GATES).map(async ([name, command]) => run(name, command)));
}

async function run(name: string, command: string[]): Promise<Outcome> {
  const started = performance.now();
  const gate = Bun.spawn([process.execPath, ...command], {
    cwd: root,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([gate.stdout.text(), gate.stderr.text(), gate.exited]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name.padEnd(16)} ${seconds} s`);
  if (code !== 0) console.log(`${out}${err}`.trim());
  return { name, passed: code === 0 };
}
