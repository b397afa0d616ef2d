// The scripts that set up a checkout, as far as they go without a network: real sh, a scratch checkout, stand-ins for Bun.
import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, readlinkSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { devDependencies } from "../../package.json";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const SCRIPTS = join(import.meta.dir, "../../scripts");
const VERSION = "9.9.9";

// A burin that says how it was called.
const BURIN = '#!/bin/sh\nprintf "burin in %s:" "$PWD"\nprintf " [%s]" "$@"\necho\n';

/** A Bun that only has a version, installs nothing and builds BURIN. */
function fakeBun(version: string, built: string): string {
  return [
    "#!/bin/sh",
    `case $1 in --version) echo ${version}; exit ;; esac`,
    'for last; do :; done; echo "bun $*" >>"$CALLS"',
    'case $1 in install) mkdir -p "$last/node_modules"; exit ;; esac',
    `root=$(dirname "$(dirname "$1")"); mkdir -p "$root/dist"; cp "${built}" "$root/dist/burin"`,
    "",
  ].join("\n");
}

type Checkout = TempTree & { sh(command: string, env?: Record<string, string>): Ran };
type Ran = { code: number | null; out: string; err: string };

/** A checkout in a folder with a space in its name, and a `bin` with a Bun of the pinned version. */
function checkout(files: Record<string, string> = {}): Checkout {
  const tree = tempTree({
    "a checkout/package.json": `{\n  "devDependencies": {\n    "bun": "${VERSION}",\n    "bun-types": "1.0.0"\n  }\n}\n`,
    "a checkout/bun.lock": "",
    "a checkout/src/main.ts": "// A program.\n",
    "a checkout/scripts/build.ts": "",
    "a checkout/scripts/compile.ts": "",
    "burin.sh": BURIN,
    "home/": "",
    "elsewhere/": "",
    calls: "",
    ...files,
  });
  for (const name of ["burin", "bootstrap.sh"])
    copyFileSync(join(SCRIPTS, name), tree.path(`a checkout/scripts/${name}`));
  chmodSync(tree.path("burin.sh"), 0o755);
  program(tree, "bin/bun", fakeBun(VERSION, tree.path("burin.sh")));
  const sh = (command: string, env: Record<string, string> = {}): Ran => {
    const run = Bun.spawnSync(["sh", "-c", command], {
      cwd: tree.path("elsewhere"),
      env: {
        HOME: tree.path("home"),
        PATH: `${tree.path("bin")}:/usr/bin:/bin`,
        CALLS: tree.path("calls"),
        ...env,
      },
    });
    return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() };
  };
  return { ...tree, sh };
}

function program(tree: TempTree, name: string, text: string): void {
  const path = tree.path(name);
  mkdirSync(join(path, ".."), { recursive: true });
  Bun.spawnSync(["sh", "-c", 'cat >"$1" && chmod 755 "$1"', "sh", path], {
    stdin: new TextEncoder().encode(text),
  });
}

function setAge(path: string, secondsAgo: number): void {
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(path, time, time);
}

async function calls(tree: TempTree): Promise<string[]> {
  const text = await Bun.file(tree.path("calls")).text();
  return text.split("\n").filter((line) => line !== "");
}

/** Runs a line of shell with bootstrap.sh loaded. */
function withBootstrap(tree: Checkout, line: string): Ran {
  return tree.sh(
    `self='${tree.path("a checkout/scripts/burin")}'; . "$(dirname "$self")/bootstrap.sh"; ${line}`,
  );
}

const RUN = '"../a checkout/scripts/burin"';

test("the pinned version is devDependencies.bun of package.json", () => {
  using tree = checkout();
  expect(withBootstrap(tree, "pinned_bun").out).toBe(`${VERSION}\n`);
});

test("the pin is read from the real package.json, too", async () => {
  using tree = checkout();
  copyFileSync(join(SCRIPTS, "../package.json"), tree.path("a checkout/package.json"));
  expect(withBootstrap(tree, "pinned_bun").out).toBe(`${devDependencies.bun}\n`);
});

test("the first start installs, builds and runs with the arguments as given", async () => {
  using tree = checkout();
  const run = tree.sh(`${RUN} -p "two  words" ''`);
  expect(run).toEqual({
    code: 0,
    out: `burin in ${tree.path("elsewhere")}: [-p] [two  words] []\n`,
    err: "burin: installing packages\n",
  });
  expect(await calls(tree)).toEqual([
    `bun install --frozen-lockfile --cwd ${tree.path("a checkout")}`,
    `bun ${tree.path("a checkout/scripts/build.ts")}`,
  ]);
});

test("the second start does nothing but run", async () => {
  using tree = checkout();
  tree.sh(RUN);
  const before = await calls(tree);
  expect(tree.sh(`${RUN} x`)).toEqual({
    code: 0,
    out: `burin in ${tree.path("elsewhere")}: [x]\n`,
    err: "",
  });
  expect(await calls(tree)).toEqual(before);
});

test("a fresh binary runs without any Bun", () => {
  using tree = checkout();
  tree.sh(RUN);
  expect(tree.sh(RUN, { PATH: "/usr/bin:/bin" }).code).toBe(0);
});

test.each([
  ["a changed source", "a checkout/src/main.ts"],
  ["a removed source", "a checkout/src"],
  ["another build script", "a checkout/scripts/build.ts"],
  ["other packages", "a checkout/bun.lock"],
])("%s makes the binary stale", (_, name) => {
  using tree = checkout();
  tree.sh(RUN);
  expect(withBootstrap(tree, "is_built; echo $?").out).toBe("0\n");
  setAge(tree.path(name), -60);
  expect(withBootstrap(tree, "is_built; echo $?").out).toBe("1\n");
});

test("a changed lock file makes the packages stale, a changed source does not", () => {
  using tree = checkout();
  tree.sh(RUN);
  setAge(tree.path("a checkout/src/main.ts"), -60);
  expect(withBootstrap(tree, "has_packages; echo $?").out).toBe("0\n");
  setAge(tree.path("a checkout/bun.lock"), -60);
  expect(withBootstrap(tree, "has_packages; echo $?").out).toBe("1\n");
});

test("a Bun of another version on PATH is passed over for the checkout's own", () => {
  using tree = checkout();
  program(tree, "bin/bun", fakeBun("1.0.0", tree.path("burin.sh")));
  program(tree, "a checkout/node_modules/.bin/bun", fakeBun(VERSION, tree.path("burin.sh")));
  expect(withBootstrap(tree, 'find_bun && echo "$bun"').out).toBe(
    `${tree.path("a checkout/node_modules/.bin/bun")}\n`,
  );
});

test("where npm left a Bun that does not run, the one in the platform's package is found", () => {
  using tree = checkout();
  program(tree, "bin/bun", "#!/bin/sh\nexit 1\n");
  const hidden = "a checkout/.tools/node_modules/@oven/bun-some-platform/bin/bun";
  program(tree, hidden, fakeBun(VERSION, tree.path("burin.sh")));
  expect(withBootstrap(tree, 'find_bun && echo "$bun"').out).toBe(`${tree.path(hidden)}\n`);
});

test("with neither npm nor Bun one sentence says what to install", () => {
  using tree = checkout();
  const tools = ["sh", "dirname", "sed", "find", "head", "mkdir", "cat", "rm"];
  for (const tool of tools) linkTool(tree, tool);
  expect(tree.sh(RUN, { PATH: tree.path("few") })).toEqual({
    code: 2,
    out: "",
    err: "burin: needs npm or Bun to set itself up and found neither; install one of them, then run this again\n",
  });
});

function linkTool(tree: TempTree, tool: string): void {
  mkdirSync(tree.path("few"), { recursive: true });
  const target = Bun.which(tool, { PATH: "/usr/bin:/bin" });
  if (target !== null) symlinkSync(target, tree.path(`few/${tool}`));
}

test("a build that fails ends the start with 2 and leaves no lock", async () => {
  using tree = checkout();
  program(tree, "bin/bun", fakeBun(VERSION, "/nowhere"));
  const run = tree.sh(RUN);
  expect({ code: run.code, out: run.out }).toEqual({ code: 2, out: "" });
  expect(run.err).toEndWith("burin: the build failed; its output is above\n");
  expect(withBootstrap(tree, '[ -e "$lock" ]; echo $?').out).toBe("1\n");
});

test("it starts through a chain of symbolic links", () => {
  using tree = checkout();
  symlinkSync("a checkout/scripts/burin", tree.path("link"));
  symlinkSync(tree.path("link"), tree.path("elsewhere/link of a link"));
  expect(readlinkSync(tree.path("link"))).toBe("a checkout/scripts/burin");
  expect(tree.sh('"./link of a link" x').out).toBe(`burin in ${tree.path("elsewhere")}: [x]\n`);
});

test("two starts at once set up once", async () => {
  using tree = checkout();
  const run = tree.sh(`${RUN} a & ${RUN} b & wait`);
  expect(run.out.split("\n").toSorted()).toEqual([
    "",
    `burin in ${tree.path("elsewhere")}: [a]`,
    `burin in ${tree.path("elsewhere")}: [b]`,
  ]);
  expect(await calls(tree)).toHaveLength(2);
});

test("a lock whose owner is gone is taken over", () => {
  using tree = checkout();
  const dead = tree.sh("echo $$").out.trim();
  mkdirSync(tree.path("a checkout/.tools/lock"), { recursive: true });
  tree.sh(`echo ${dead} >"../a checkout/.tools/lock/pid"`);
  expect(tree.sh(`${RUN} x`).out).toBe(`burin in ${tree.path("elsewhere")}: [x]\n`);
});

test("setting up writes nothing to HOME", () => {
  using tree = checkout();
  tree.sh(RUN);
  expect(tree.sh("ls -A ../home").out).toBe("");
});
