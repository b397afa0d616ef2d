// Checks every tracked file: no path of one machine, no host of a package registry, no two modules with the same first line.
import { join } from "node:path";

const root = join(import.meta.dir, "..");

// The brackets keep the patterns from finding themselves.
const PATTERNS = ["/(work|root)/", "registry[.](npm|yarn)", "deb[.]debian"];

function git(args: string[]): string {
  return Bun.spawnSync(["git", ...args], { cwd: root }).stdout.toString();
}

function found(pattern: string, where: string[], why: string): string[] {
  const lines = git(["grep", "-nIE", "-e", pattern, "--", ...where]).split("\n");
  return lines.filter((line) => line !== "").map((line) => `${why}: ${line.slice(0, 160)}`);
}

async function twins(): Promise<string[]> {
  const files = git(["ls-files", "-z", "--", "*.ts"]).split("\0");
  const byHeader = new Map<string, string>();
  const faults: string[] = [];
  for (const file of files.filter((name) => name !== "")) {
    const source = Bun.file(join(root, file));
    if (!(await source.exists())) continue;
    const [header = ""] = (await source.text()).split("\n", 1);
    if (!header.startsWith("// ")) {
      faults.push(`${file}: the first line must say what the module is for`);
      continue;
    }
    const twin = byHeader.get(header);
    if (twin !== undefined) faults.push(`${file}: has the same first line as ${twin}`);
    byHeader.set(header, file);
  }
  return faults;
}

const escaped = root.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const faults = [
  ...[...PATTERNS, `${escaped}/`].flatMap((pattern) =>
    found(pattern, [".", ":!bun.lock"], "names a machine or a registry"),
  ),
  ...found("https?://", ["bun.lock"], "the lock file must name no host"),
  ...(await twins()),
];
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
