// Compiles one executable: the flags, in one place, that burin and the benchmark's hello world are both built with.
import { mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export type Compilation = {
  /** Relative to the checkout. The program first; then files that only a Worker loads, which the bundler cannot see. */
  entries: [string, ...string[]];
  outfile: string;
  version: string;
  /** `linux-x64`, `darwin-arm64`, …; null for this machine. */
  target: string | null;
};

const root = join(import.meta.dir, "..");

// Splitting keeps what stands behind `await import()` out of the start; without the two autoload flags a hostile
// repository's bunfig.toml would run code in our process. No top-level await in modules that are imported lazily.
const FLAGS = [
  "--compile",
  "--production",
  "--minify",
  "--bytecode",
  "--format=esm",
  "--splitting",
  "--reject-unresolved",
  // Costs 0.2 MB and no time at start; without it a stack trace is one minified line.
  "--sourcemap",
  // A start is over before compiled code pays for its compilation: tiers that come sixteen times later save 2 ms of `-p`
  // and a quarter of the CPU of a long stream; loops that run for long still get there.
  "--compile-jit-policy=16",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  `--define=process.env.NODE_ENV="production"`,
];

/** Builds beside the result and renames, so that a running binary lives on and no half-written one is ever started. */
export async function compile(compilation: Compilation): Promise<{ ok: boolean; output: string }> {
  const { entries, outfile, version, target } = compilation;
  const scratch = join(dirname(outfile), `.build-${process.pid}-${basename(outfile)}`);
  mkdirSync(scratch, { recursive: true });
  const built = join(scratch, basename(outfile));
  const started = new Date();
  try {
    const args = [...FLAGS, `--define=BUILD_VERSION=${JSON.stringify(version)}`];
    if (target !== null) args.push(`--target=bun-${target}`);
    const build = Bun.spawn([process.execPath, "build", ...args, ...entries, "--outfile", built], {
      cwd: root,
      // Spelled out: without it the build would not see what this process has set.
      env: process.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([
      build.stdout.text(),
      build.stderr.text(),
      build.exited,
    ]);
    if (code === 0) {
      // As old as what it was made from: a source saved meanwhile must count as newer.
      utimesSync(built, started, started);
      renameSync(built, outfile);
    }
    return { ok: code === 0, output: out + err };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
