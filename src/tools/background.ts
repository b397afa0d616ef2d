// A command in the background: its output collects in a file and a tail in memory, its end is news for the model.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invalid, ok, type Result } from "../base/failure.ts";
import type { Ended } from "../host/process.ts";
import type { BackgroundRun } from "./background-run.ts";
import { endText } from "./command-report.ts";
import { type Capture, type Captured, createCapture } from "./output.ts";
import { createSpill, type Spill } from "./spill.ts";
import type { Kit } from "./tool.ts";

export type BackgroundCommand = { command: string; argv: readonly string[]; cwd: string };

const MAX_RUNNING = 16;
/** It could not be watched to its end. */
const GONE: Ended = { end: { kind: "aborted" }, durationMs: 0, survivors: [] };
/** Of the output in a piece of news. */
const NEWS_CHARS = 2000;
const READ_BYTES = 64 * 1024;

/** `isKept`: it goes on when burin ends. */
export async function startBackground(
  command: BackgroundCommand,
  isKept: boolean,
  kit: Kit,
): Promise<Result<BackgroundRun>> {
  const { background } = kit.processes;
  const running = background.filter((run) => run.end() === null);
  if (running.length >= MAX_RUNNING)
    return invalid(
      `bash: ${running.length} background commands run already: stop one first (${running.map(({ id }) => id).join(", ")}). Nothing was done`,
    );
  const started = isKept ? await startKept(command, kit) : await startOwn(command, kit);
  if (!started.ok) return started;
  const run = runOf(`bg${background.length + 1}`, command.command, started.value, isKept);
  background.push(run);
  return ok(run);
}

/** What both kinds have in common once they run. */
type Started = {
  pid: number;
  file: string;
  ended: Promise<Ended>;
  look: () => Captured;
  stop: () => void;
};

function runOf(id: string, command: string, started: Started, isKept: boolean): BackgroundRun {
  const began = performance.now();
  const state: { end: Ended | null; isTold: boolean } = { end: null, isTold: false };
  const watch = async (): Promise<void> => {
    state.end = await started.ended;
  };
  const ended = watch();
  const seconds = (): number => (state.end?.durationMs ?? performance.now() - began) / 1000;
  const look = (): Captured => {
    state.isTold ||= state.end !== null;
    return started.look();
  };
  return {
    ...started,
    id,
    command,
    isKept,
    end: () => state.end,
    seconds,
    ended,
    look,
    async stop() {
      started.stop();
      await ended;
    },
    takeNews() {
      if (state.end === null || state.isTold) return null;
      const { text } = look();
      const last = text.length > NEWS_CHARS ? `…${text.slice(-NEWS_CHARS)}` : text;
      return [
        `[burin: the background command ${id} ended: ${endText(state.end.end)} after ${seconds().toFixed(1)} s; its whole output: ${started.file}]`,
        `$ ${command}`,
        last.trimEnd(),
      ]
        .join("\n")
        .trimEnd();
    },
  };
}

/** Read through the pipe as any command, so that a flood fills neither memory nor disk; ends with burin. */
async function startOwn({ argv, cwd }: BackgroundCommand, kit: Kit): Promise<Result<Started>> {
  const spill = createSpill(kit.spillDir, "background");
  // The file is named in the result: it must be there before the first output is.
  spill.write(new Uint8Array());
  const stop = new AbortController();
  const state: { capture: Capture | null } = { capture: null };
  const launched = Promise.withResolvers<number>();
  const run = kit.processes.run({
    argv,
    cwd,
    timeoutMs: null,
    idleMs: null,
    signal: stop.signal,
    onStart: launched.resolve,
    onChunk(bytes) {
      spill.write(bytes);
      state.capture ??= createCapture(keptBy(spill));
      state.capture.add(bytes);
    },
  });
  const first = await Promise.race([launched.promise, run]);
  if (typeof first !== "number") return first.ok ? invalid("bash: it was stopped") : first;
  return ok({
    pid: first,
    file: spill.path,
    ended: run.then((ended) => {
      spill.close();
      return ended.ok ? ended.value : GONE;
    }),
    look() {
      const capture = state.capture ?? createCapture(keptBy(spill));
      state.capture = null;
      return capture.finish();
    },
    stop: () => stop.abort(),
  });
}

/** A capture's view of a file that others write. */
function keptBy(spill: Spill): Spill {
  return { ...spill, write: () => undefined, close: () => undefined, discard: () => undefined };
}

/** It writes straight into a file, for nobody may be there to read a pipe. */
async function startKept({ argv, cwd }: BackgroundCommand, kit: Kit): Promise<Result<Started>> {
  // Not in the session's own folder, which may go with the session.
  const file = join(tmpdir(), `burin-kept-${crypto.randomUUID().slice(0, 8)}.txt`);
  const kept = await kit.processes.keep({ argv, cwd }, file);
  if (!kept.ok) return kept;
  const { pid, stop } = kept.value;
  const began = performance.now();
  let seen = 0;
  return ok({
    pid,
    file,
    ended: kept.value.ended.then((end) => ({
      end,
      durationMs: performance.now() - began,
      survivors: [],
    })),
    look() {
      const capture = createCapture({
        path: file,
        write: () => undefined,
        where: () => ({ kind: "kept", path: file, isCut: false }),
        close: () => undefined,
        discard: () => undefined,
      });
      seen = readOn(file, seen, (bytes) => capture.add(bytes));
      return capture.finish();
    },
    stop: () => void stop(),
  });
}

/** Gives the position up to which it has read. */
function readOn(file: string, from: number, take: (bytes: Uint8Array) => void): number {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let at = from;
  try {
    // Commands can put a pipe or a link in its place, which would hold burin up or lead it elsewhere.
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      for (let got = fstatSync(fd).isFile() ? -1 : 0; got !== 0; at += got) {
        got = readSync(fd, buffer, 0, READ_BYTES, at);
        take(buffer.subarray(0, got));
      }
    } finally {
      closeSync(fd);
    }
  } catch {
    // Somebody removed the file: there is no more to see.
  }
  return at;
}
