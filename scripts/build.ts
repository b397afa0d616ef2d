// Builds dist/burin for this machine, with `--target NAME` for another one, with `--all` for every one.
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { devDependencies, version } from "../package.json";
import { compile } from "./compile.ts";

const TARGETS = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
];

const root = join(import.meta.dir, "..");

// Runtimes of other targets come through the package registry; they stay in the checkout, too.
process.env["BUN_INSTALL_CACHE_DIR"] ??= join(root, ".tools", "cache", "bun");

async function build(target: string | null): Promise<boolean> {
  const suffix = target?.startsWith("windows") === true ? ".exe" : "";
  const name = target === null ? "burin" : `burin-${target}${suffix}`;
  const outfile = join(root, "dist", name);
  const started = performance.now();
  const result = await compile({
    entries: ["src/main.ts"],
    outfile,
    version,
    target,
  });
  if (!result.ok) {
    console.error(`${result.output.trim()}\nbuild: dist/${name} was not built`);
    return false;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const size = (statSync(outfile).size / 1e6).toFixed(1);
  console.error(`built dist/${name}: ${size} MB in ${seconds} s`);
  return true;
}

function wanted(): (string | null)[] {
  const { values } = parseArgs({
    options: { target: { type: "string" }, all: { type: "boolean" } },
  });
  if (values.all === true) return TARGETS;
  if (values.target === undefined) return [null];
  if (TARGETS.includes(values.target)) return [values.target];
  console.error(`build: no target "${values.target}"; there are ${TARGETS.join(", ")}`);
  process.exit(2);
}

if (Bun.version !== devDependencies.bun) {
  console.error(
    `build: this is Bun ${Bun.version}, package.json pins ${devDependencies.bun}; run ./scripts/burin --version, which finds or installs it`,
  );
  process.exit(2);
}
let failed = false;
for (const target of wanted()) failed = !(await build(target)) || failed;
process.exit(failed ? 1 : 0);
