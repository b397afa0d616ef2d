// Builds the binary, runs every gate and every test against it, and prints `N passed, N failed` last.
import { Glob } from "bun";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runGates } from "./gates.ts";

type Tally = { passed: number; failed: number };

// Many tests start the compiled binary, and all share the machine: the default of 5 s is a trap on a busy one.
const TEST_TIMEOUT_MS = 30_000;

const root = join(import.meta.dir, "..");

async function bun(args: string[]): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, BURIN_BIN: join(root, "dist", "burin") },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  return child.exited;
}

function attribute(report: string, name: string): number {
  return Number(new RegExp(`<testsuites[^>]*\\b${name}="(\\d+)"`).exec(report)?.[1] ?? 0);
}

async function runTests(only: string, seed: string): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "burin-junit-"));
  try {
    const junit = join(folder, "junit.xml");
    const code = await bun([
      "test",
      "--parallel",
      "--randomize",
      `--seed=${seed}`,
      `--timeout=${TEST_TIMEOUT_MS}`,
      "--only-failures",
      "--reporter=junit",
      `--reporter-outfile=${junit}`,
      only === "" ? "./test/" : only,
    ]);
    const file = Bun.file(junit);
    return tally((await file.exists()) ? await file.text() : "", code, only);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tally(report: string, code: number, only: string): Tally {
  const failures = attribute(report, "failures");
  const skipped = attribute(report, "skipped");
  if (skipped > 0) console.log(`${skipped} skipped`);
  const passed = attribute(report, "tests") - failures - skipped;
  if (code === 0) return { passed, failed: failures };
  // A file that does not load fails the run, and the report does not know it.
  const files = [...new Glob("test/**/*.test.ts").scanSync(root)];
  const unheard = files.filter((file) => file.includes(only) && !report.includes(`file="${file}"`));
  return { passed, failed: Math.max(1, failures + unheard.length) };
}

function finish({ passed, failed }: Tally): never {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

const { values } = parseArgs({
  options: { only: { type: "string" }, seed: { type: "string" } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 1e6));

if ((await bun(["scripts/build.ts"])) !== 0) finish({ passed: 0, failed: 1 });
const gates = values.only === undefined ? await runGates() : [];
const tests = await runTests(values.only ?? "", seed);
if (tests.failed > 0)
  console.log(`seed ${seed}; the same order again: ./scripts/test --seed ${seed}`);
finish({
  passed: gates.filter((gate) => gate.passed).length + tests.passed,
  failed: gates.filter((gate) => !gate.passed).length + tests.failed,
});
