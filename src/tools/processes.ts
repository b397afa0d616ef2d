// The door through which tools run commands, and the books of all commands this burin has started.
import { ok, type Result } from "../base/failure.ts";
import { childEnvironment, type Environment } from "../host/env.ts";
import { endFamily, endFamilyNow } from "../host/end.ts";
import { type OpenPipe, pipeOpener } from "../host/pipe.ts";
import { type Command, type Ended, type Finished, runCommand } from "../host/process.ts";
import { startWatcher, type WatchCommand, type Watcher } from "../host/watch.ts";

export type Processes = {
  run(command: Command): Promise<Result<Ended>>;
  /** Ends what finished commands left running; called when the turn ends. */
  endSurvivors(): Promise<void>;
  /** Ends everything this burin started, blocking at most about 2.5 s: for exit and signal handlers. */
  endAll(): void;
};

export type ProcessOptions = {
  environment: Environment;
  /** Names of variables, besides the known credentials, that no command may see. */
  withheld: readonly string[];
  /** Null: nobody watches over burin's own death (tests, `burin tool`). */
  watcher: WatchCommand | null;
};

type Books = {
  count: number;
  opener: Promise<Result<OpenPipe>> | null;
  watcher: Watcher | null;
};

/** Runs commands on this machine. */
export function localProcesses(options: ProcessOptions): Processes {
  const runId = crypto.randomUUID();
  const running = new Map<string, number>();
  const leaving = new Map<string, Finished>();
  const books: Books = { count: 0, opener: null, watcher: null };

  const onStart = (marker: string, pid: number): void => {
    running.set(marker, pid);
    // The first command is on its way already: the watcher does not delay it.
    if (options.watcher !== null) books.watcher ??= startWatcher(options.watcher, `${runId}.`);
  };

  return {
    async run(command) {
      books.count += 1;
      // The closing dot keeps `1` from being the beginning of `10`.
      const marker = `${runId}.${books.count}.`;
      books.opener ??= pipeOpener();
      const opener = await books.opener;
      if (!opener.ok) return opener;
      const finished = await runCommand(command, {
        openPipe: opener.value,
        env: childEnvironment(options.environment, options.withheld, marker),
        marker,
        onStart: (pid) => onStart(marker, pid),
      }).finally(() => running.delete(marker));
      if (!finished.ok) return finished;
      const { end, durationMs, survivors, left } = finished.value;
      if (left.length > 0) leaving.set(marker, finished.value);
      return ok({ end, durationMs, survivors });
    },
    async endSurvivors() {
      const ending = [...leaving].map(async ([marker, finished]) => {
        await endFamily({ leaders: [], marker, known: finished.left });
        finished.release();
        leaving.delete(marker);
      });
      await Promise.all(ending);
    },
    endAll() {
      if (books.count === 0) return;
      const known = [...leaving.values()].flatMap((finished) => finished.left);
      endFamilyNow({ leaders: [...running.values()], marker: `${runId}.`, known });
    },
  };
}
