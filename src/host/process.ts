// Runs one command: own session, one bounded stream of output, back when the direct child ends, nothing left by accident.
import { closeSync, statSync } from "node:fs";
import { broken, messageOf, missing, ok, type Result } from "../base/failure.ts";
import { endFamily } from "./end.ts";
import type { OpenPipe } from "./pipe.ts";
import { type Family, listProcesses, membersOf, type ProcessEntry } from "./process-list.ts";

export type Command = {
  argv: readonly string[];
  cwd: string;
  timeoutMs: number;
  /** How long a command may be silent. */
  idleMs: number;
  /** Stdout and stderr as they came; never called after `run` has returned. */
  onChunk: (bytes: Uint8Array) => void;
  signal: AbortSignal;
};

export type End =
  | { kind: "exit"; code: number }
  | { kind: "signal"; signal: string }
  /** These three were ended by burin, with all their processes. */
  | { kind: "timeout" | "idle"; afterMs: number }
  | { kind: "aborted" };

export type Ended = { end: End; durationMs: number; survivors: Survivor[] };
export type Survivor = { pid: number; name: string };

/** What a run needs from whoever keeps the books of all commands. */
export type Ground = {
  openPipe: OpenPipe;
  env: Record<string, string>;
  marker: string;
  /** Called once the child runs, with its pid, which is also its group and session. */
  onStart: (pid: number) => void;
};

/** A run that has ended; processes it left behind may still write, and `release` stops listening to them. */
export type Finished = Ended & { left: ProcessEntry[]; release: () => void };

/** The pipe may still hold what the child wrote last; its own children can keep it open for ever. */
const DRAIN_MS = 100;
const SETTLE_MS = 20;
/** In so short a time pids cannot start over and pass a command's own. */
const SHORT_MS = 1000;

export async function runCommand(command: Command, ground: Ground): Promise<Result<Finished>> {
  const began = performance.now();
  if (command.signal.aborted) return ok(neverStarted());
  if (!isFolder(command.cwd))
    return missing(`the working directory ${command.cwd} is not a folder; nothing was run`);
  const pipe = ground.openPipe();
  if (!pipe.ok) return pipe;
  const child = start(command, ground.env, pipe.value.write);
  closeSync(pipe.value.write);
  if (!child.ok) {
    closeSync(pipe.value.read);
    return child;
  }
  ground.onStart(child.value.pid);
  const output = listen(pipe.value.read, command.onChunk);
  const end = await firstEnd(child.value, command, output);
  const family = { leaders: [child.value.pid], marker: ground.marker, known: [] };
  const isOurDoing = end.kind !== "exit" && end.kind !== "signal";
  if (isOurDoing) await endFamily(family);
  await Promise.race([output.done, Bun.sleep(DRAIN_MS)]);
  output.mute();
  const isShort = performance.now() - began < SHORT_MS;
  const left = isOurDoing ? [] : await findLeft(family, isShort ? child.value.pid : null);
  if (left.length === 0) output.release();
  return ok({
    end,
    durationMs: performance.now() - began,
    survivors: left.map(({ pid, name }) => ({ pid, name })),
    left,
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
  return { end: { kind: "aborted" }, durationMs: 0, survivors: [], left: [], release: () => {} };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

type Child = Bun.Subprocess<"ignore", number, number>;

function start(command: Command, env: Record<string, string>, output: number): Result<Child> {
  const { argv, cwd } = command;
  try {
    // `detached` makes the child the leader of its own session: no terminal to read from, one group to signal.
    const stdio = ["ignore", output, output] satisfies ["ignore", number, number];
    return ok(Bun.spawn([...argv], { cwd, env, detached: true, stdio }));
  } catch (error) {
    const reason = messageOf(error);
    if (/E2BIG|too long/i.test(reason))
      return broken(
        "the command is longer than the system takes (128 KB); write it to a file and run that. Nothing was run",
      );
    return broken(`${argv[0] ?? "the command"} could not be started: ${reason}`);
  }
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

/** Whatever comes first: the child's own end, too long, too silent, or the person's stop. */
function firstEnd(child: Child, command: Command, output: Output): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  const timers = new Set<Timer>();
  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  const watchSilence = (): void => {
    const silence = performance.now() - output.last();
    if (silence >= command.idleMs) resolve({ kind: "idle", afterMs: command.idleMs });
    else later(command.idleMs - silence, watchSilence);
  };
  const onAbort = (): void => resolve({ kind: "aborted" });
  command.signal.addEventListener("abort", onAbort, { once: true });
  later(command.timeoutMs, () => resolve({ kind: "timeout", afterMs: command.timeoutMs }));
  later(command.idleMs, watchSilence);
  void child.exited.then(() => resolve(ownEnd(child)));
  return promise.finally(() => {
    command.signal.removeEventListener("abort", onAbort);
    for (const timer of timers) clearTimeout(timer);
  });
}

function ownEnd(child: Child): End {
  if (child.signalCode !== null) return { kind: "signal", signal: String(child.signalCode) };
  return { kind: "exit", code: child.exitCode ?? 0 };
}
