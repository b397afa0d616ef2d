// The compiled binary as a user starts it: in a HOME of its own, with nothing of the developer's environment.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const BURIN = process.env["BURIN_BIN"] ?? join(import.meta.dir, "..", "..", "dist", "burin");

export type Ran = { code: number; out: string; err: string };
export type How = {
  cwd?: string;
  env?: Record<string, string>;
  /** Left out: /dev/null. */
  stdin?: string | Uint8Array;
};

export type Home = Disposable & {
  path: string;
  env: Record<string, string>;
  run(args: string[], how?: How): Promise<Ran>;
  /** Starts without waiting; standard input is /dev/null, output is read by the caller. */
  start(args: string[], how?: Omit<How, "stdin">): ReturnType<typeof spawn>;
  /** A line of bash with `$BURIN` as the binary. */
  shell(line: string, env?: Record<string, string>): Promise<Ran>;
};

/** For `-p`: a request that fails is not sent again. */
export const ONCE: readonly string[] = ["--setting", "models.retry.tries=0"];
/** For `-p`: a request that fails is sent again without a pause worth the name. */
export const AGAIN: readonly string[] = ["--setting", "models.retry.base_ms=1"];

/** A home folder for some runs, gone when its `using` scope ends. */
export function home(): Home {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "burin-home-")));
  const env = { HOME: path, PATH: process.env["PATH"] ?? "/usr/bin:/bin", TERM: "xterm-256color" };
  return {
    path,
    env,
    run: (args, how = {}) =>
      finished([BURIN, ...args], { cwd: path, ...how, env: { ...env, ...how.env } }),
    start: (args, how = {}) => spawn(args, { cwd: path, ...how, env: { ...env, ...how.env } }),
    shell: (line, more = {}) =>
      finished(["bash", "-c", line], { cwd: path, env: { ...env, BURIN, ...more } }),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

function spawn(args: string[], how: { cwd: string; env: Record<string, string> }) {
  return Bun.spawn([BURIN, ...args], { ...how, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

async function finished(
  argv: string[],
  how: How & { cwd: string; env: Record<string, string> },
): Promise<Ran> {
  const { stdin, cwd, env } = how;
  const child = Bun.spawn(argv, {
    cwd,
    env,
    stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { code, out, err };
}
