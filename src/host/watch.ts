// The watcher: a second burin that outlives the first by a moment and ends whatever the first one had started.
import type { Brand } from "./brand.ts";
import { endFamilyNow } from "./end.ts";
import { environment } from "./env.ts";

/** The command line of the watcher without its last arguments, marker and brand. */
export type WatchCommand = readonly string[];

/** src/main.ts, which may import nothing, knows it by the same letters. */
const WATCH_ARGUMENT = "__watch";

/** The same program again: the executable, or Bun with the source file that was started. */
export function watchCommand(): WatchCommand {
  if (Bun.isStandaloneExecutable) return [process.execPath, WATCH_ARGUMENT];
  return [process.execPath, Bun.main, WATCH_ARGUMENT];
}

/** Who asked for the commands is gone, and nobody waits for their good end. */
const TERM_GRACE_MS = 1000;

/** Alive as long as it is referenced: a collected handle would close the pipe, and the watcher would take that for our end. */
export type Watcher = { readonly pid: number };

/**
 * Starts the watcher of this burin. It reads from a pipe whose other end closes with burin, however burin ends. Its own
 * session keeps it out of a Ctrl+C, an environment without marker out of the sweep of this and of an outer burin. `base`
 * is that of the brands of this process.
 */
export function startWatcher(command: WatchCommand, marker: string, base: Brand | null): Watcher {
  const watcher = Bun.spawn([...command, marker, String(base ?? 0n)], {
    cwd: "/",
    env: { PATH: environment()["PATH"] ?? "" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.unref();
  return watcher;
}

/** `burin __watch MARKER BASE`: waits for the end of its standard input, then ends everything that bears marker or brand. */
export async function watch(args: readonly string[]): Promise<number> {
  const [marker, base = "0"] = args;
  if (marker === undefined || marker.length < 8 || !/^\d+$/.test(base)) return 2;
  // It ends by itself as soon as burin does; a signal to all burins must not leave the children unwatched.
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => {});
  const { isOfProcess } = await import("./brand.ts");
  await endOfInput();
  const isBranded = (brand: Brand): boolean => isOfProcess(brand, BigInt(base));
  endFamilyNow({ leaders: [], marker, isBranded, known: [] }, TERM_GRACE_MS);
  return 0;
}

async function endOfInput(): Promise<void> {
  for await (const _ of Bun.stdin.stream());
}
