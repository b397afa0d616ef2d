// Runs one command: own session, one bounded stream of output, back when the direct child ends, nothing left by accident.
import { closeSync, statSync } from "node:fs";
import { broken, messageOf, missing, ok, type Result } from "../base/failure.ts";
import type { Brand, Brands } from "./brand.ts";
import { endFamily } from "./end.ts";
import type { OpenPipe } from "./pipe.ts";
import { type Family, listProcesses, membersOf, type ProcessEntry } from "./process-list.ts";

export type Command = {
  argv: readonly string[];
  cwd: string;
  /** Null: as long as it likes. */
  timeoutMs: number | null;
  /** How long it may be silent. */
  idleMs: number | null;
  /** Stdout and stderr as they came; never called after `run` has returned. */
  onChunk: (bytes: Uint8Array) => void;
  /** Called once it runs, with its pid. */
  onStart?: (pid: number) => void;
  /** Programs that wait for keys for ever where there is no terminal: they are not waited for. */
  askers?: ReadonlySet<string>;
  signal: AbortSignal;
};

export type End =
  | { kind: "exit"; code: number }
  | { kind: "signal"; signal: string }
  /** These were ended by burin, with all their processes. */
  | { kind: "timeout" | "idle"; afterMs: number }
  | { kind: "asking"; program: string }
  | { kind: "aborted" };

export type Ended = { end: End; durationMs: number; survivors: Survivor[] };
export type Survivor = { pid: number; name: string };

/** What a run needs from whoever keeps the books of all commands. */
export type Ground = {
  openPipe: OpenPipe;
  env: Record<string, string>;
  marker: string;
  brands: Brands | null;
  /** Called once the child runs. */
  onStart: (started: Started) => void;
};

/** The pid is also that of its group and session. */
export type Started = { pid: number; brand: Brand | null };

/** A run that has ended; what it left behind may still write, and `release` stops listening to that. */
export type Finished = Ended & { left: Family; release: () => void };

/** The pipe may still hold what the child wrote last; its own children can keep it open for ever. */
const DRAIN_MS = 100;
const SETTLE_MS = 20;
/** How often a silent command is looked at for programs that wait for keys. */
const ASKER_MS = 3000;
/** In so short a time pids cannot start over and pass a command's own. */
const SHORT_MS = 1000;

export async function runCommand(command: Command, ground: Ground): Promise<Result<Finished>> {
  const began = performance.now();
  if (command.signal.aborted) return ok(neverStarted());
  if (!isFolder(command.cwd))
    return missing(`the working directory ${command.cwd} is not a folder; nothing was run`);
  const pipe = ground.openPipe();
  if (!pipe.ok) return pipe;
  const child = start(command, ground, pipe.value.write);
  closeSync(pipe.value.write);
  if (!child.ok) {
    closeSync(pipe.value.read);
    return child;
  }
  const { running, brand } = child.value;
  const { pid } = running;
  ground.onStart({ pid, brand });
  const output = listen(pipe.value.read, command.onChunk);
  const isBranded = (other: Brand): boolean => other === brand;
  const family = { leaders: [pid], marker: ground.marker, isBranded, known: [] };
  const end = await firstEnd({ child: running, command, output, family });
  const isOurDoing = end.kind !== "exit" && end.kind !== "signal";
  if (isOurDoing) await endFamily(family);
  await Promise.race([output.done, Bun.sleep(DRAIN_MS)]);
  output.mute();
  const isShort = performance.now() - began < SHORT_MS;
  const left = isOurDoing ? [] : await findLeft(family, isShort ? pid : null);
  if (left.length === 0) output.release();
  return ok({
    end,
    durationMs: performance.now() - began,
    survivors: left.map((entry) => ({ pid: entry.pid, name: entry.name })),
    left: { ...family, leaders: [], known: left },
    release: output.release,
  });
}

/** Twice, because the members of a pipeline may be on their last instructions when the shell has gone. */
async function findLeft(family: Family, younger: number | null): Promise<ProcessEntry[]> {
  if (membersOf(listProcesses(younger), family).length === 0) return [];
  await Bun.sleep(SETTLE_MS);
  return membersOf(listProcesses(younger), family);
}

function neverStarted(): Finished {
  const left = { leaders: [], marker: "", isBranded: () => false, known: [] };
  return { end: { kind: "aborted" }, durationMs: 0, survivors: [], left, release: () => {} };
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

type Child = Bun.Subprocess<"ignore", number, number>;

function start(
  { argv, cwd }: Command,
  { env, brands }: Ground,
  output: number,
): Result<{ running: Child; brand: Brand | null }> {
  try {
    // `detached` makes the child the leader of its own session: no terminal to read from, one group to signal.
    const stdio = ["ignore", output, output] satisfies ["ignore", number, number];
    const spawn = (): Child => Bun.spawn([...argv], { cwd, env, detached: true, stdio });
    if (brands === null) return ok({ running: spawn(), brand: null });
    const { brand, started } = brands.during(spawn);
    return ok({ running: started, brand });
  } catch (error) {
    return notStarted(argv, error);
  }
}

export function notStarted(argv: readonly string[], error: unknown): Result<never> {
  const reason = messageOf(error);
  if (/E2BIG|too long/i.test(reason))
    return broken(
      "the command is longer than the system takes (128 KB); write it to a file and run that. Nothing was run",
    );
  return broken(`${argv[0] ?? "the command"} could not be started: ${reason}`);
}

type Output = {
  done: Promise<void>;
  /** When something came last, as `performance.now()`. */
  last: () => number;
  /** From here on what comes is read and dropped: a server in the background must not die of a closed pipe. */
  mute: () => void;
  release: () => void;
};

function listen(fd: number, onChunk: (bytes: Uint8Array) => void): Output {
  const state = { last: performance.now(), muted: false, released: false };
  const reader = Bun.file(fd).stream().getReader();
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      state.last = performance.now();
      if (!state.muted) onChunk(value);
    }
  };
  return {
    done: pump().catch(() => {}),
    last: () => state.last,
    mute: () => {
      state.muted = true;
    },
    release: () => {
      if (state.released) return;
      state.released = true;
      // Closing waits for the reader, which still knows the number of the descriptor.
      void reader
        .cancel()
        .catch(() => {})
        .then(() => closeSync(fd));
    },
  };
}

type Running = { child: Child; command: Command; output: Output; family: Family };

/** Whatever comes first: the child's own end, too long, too silent, or the person's stop. */
function firstEnd({ child, command, output, family }: Running): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  const timers = new Set<Timer>();
  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  const watchSilence = (idleMs: number): void => {
    const silence = performance.now() - output.last();
    if (silence >= idleMs) resolve({ kind: "idle", afterMs: idleMs });
    else later(idleMs - silence, () => watchSilence(idleMs));
  };
  const watchAskers = (askers: ReadonlySet<string>): void => {
    const isSilent = performance.now() - output.last() >= ASKER_MS;
    const program = isSilent ? askerIn(family, askers) : null;
    if (program !== null) resolve({ kind: "asking", program });
    else later(ASKER_MS, () => watchAskers(askers));
  };
  const onAbort = (): void => resolve({ kind: "aborted" });
  command.signal.addEventListener("abort", onAbort, { once: true });
  const { timeoutMs, idleMs } = command;
  if (timeoutMs !== null) later(timeoutMs, () => resolve({ kind: "timeout", afterMs: timeoutMs }));
  if (idleMs !== null) later(idleMs, () => watchSilence(idleMs));
  const { askers } = command;
  if (askers !== undefined) later(ASKER_MS, () => watchAskers(askers));
  void child.exited.then(() => resolve(ownEnd(child)));
  return promise.finally(() => {
    command.signal.removeEventListener("abort", onAbort);
    for (const timer of timers) clearTimeout(timer);
  });
}

/** It sleeps and waits for nothing that it started itself. */
function askerIn(family: Family, askers: ReadonlySet<string>): string | null {
  const entries = membersOf(listProcesses(), family);
  const parents = new Set(entries.map(({ parent }) => parent));
  const asker = entries.find(
    ({ pid, name, state }) => askers.has(name) && state === "S" && !parents.has(pid),
  );
  return asker?.name ?? null;
}

export function ownEnd(child: Pick<Child, "signalCode" | "exitCode">): End {
  if (child.signalCode !== null) return { kind: "signal", signal: String(child.signalCode) };
  return { kind: "exit", code: child.exitCode ?? 0 };
}
