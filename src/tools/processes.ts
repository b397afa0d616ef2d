// The door through which tools run commands, and the books of all commands this burin has started.
import { ok, type Result } from "../base/failure.ts";
import type { Brand } from "../host/brand.ts";
import { childEnvironment, type Environment } from "../host/env.ts";
import { endFamily, endFamilyNow } from "../host/end.ts";
import {
  type Command,
  type Ended,
  type Finished,
  runCommand,
  type Started,
} from "../host/process.ts";
import type { Kept } from "../host/process-keep.ts";
import { startWatcher, type WatchCommand, type Watcher } from "../host/watch.ts";
import type { BackgroundRun } from "./background-run.ts";
import type { Grounds } from "./ground.ts";

export type Processes = {
  run(command: Command): Promise<Result<Ended>>;
  /** Starts what shall outlive burin, with its output in a file; `endAll` spares it. */
  keep(command: Pick<Command, "argv" | "cwd">, file: string): Promise<Result<Kept>>;
  /** What was started in the background, in that order; see background.ts. */
  readonly background: BackgroundRun[];
  /** What the model has not been told yet: background runs that ended. */
  news(): string[];
  /** Ends what finished commands left running; called when the turn ends. */
  endSurvivors(): Promise<void>;
  /** Ends everything this burin started, blocking at most about 2.5 s: for exit and signal handlers. */
  endAll(): void;
};

export type ProcessOptions = {
  environment: Environment;
  /** Names of variables, besides the known credentials, that no command may see. */
  withheld: readonly string[];
  /** Variables that every command gets, from `[tools.bash] env`. */
  added?: Readonly<Record<string, string>>;
  /** Null: nobody watches over burin's own death (tests). */
  watcher: WatchCommand | null;
};

type Books = { count: number; grounds: Grounds | null; watcher: Watcher | null };

/** Runs commands on this machine. */
export function localProcesses(options: ProcessOptions): Processes {
  const runId = crypto.randomUUID();
  const running = new Map<string, number>();
  const leaving = new Map<string, Finished>();
  const brands = new Set<Brand>();
  const background: BackgroundRun[] = [];
  const books: Books = { count: 0, grounds: null, watcher: null };

  const run = async (command: Command): Promise<Result<Ended>> => {
    books.count += 1;
    // The closing dot keeps `1` from being the beginning of `10`.
    const marker = `${runId}.${books.count}.`;
    const { groundsIn } = await import("./ground.ts");
    books.grounds ??= groundsIn(options.environment);
    const ground = await books.grounds.open();
    if (!ground.ok) return ground;
    const { own, ...tools } = ground.value;
    const onStart = ({ pid, brand }: Started): void => {
      running.set(marker, pid);
      if (brand !== null) brands.add(brand);
      command.onStart?.(pid);
      // The command is on its way already: the watcher does not delay it.
      if (options.watcher !== null)
        books.watcher ??= startWatcher(options.watcher, `${runId}.`, tools.brands?.base ?? null);
    };
    const env = environmentOf(options, marker, own());
    const finished = await runCommand(command, { ...tools, env, marker, onStart }).finally(() =>
      running.delete(marker),
    );
    if (!finished.ok) return finished;
    const { end, durationMs, survivors, left } = finished.value;
    if (left.known.length > 0) leaving.set(marker, finished.value);
    return ok({ end, durationMs, survivors });
  };

  return {
    run,
    background,
    news: () => background.flatMap((each) => each.takeNews() ?? []),
    keep: (command, file) => keep(command, file, options),
    async endSurvivors() {
      const ending = [...leaving].map(async ([marker, finished]) => {
        await endFamily(finished.left);
        finished.release();
        leaving.delete(marker);
      });
      await Promise.all(ending);
    },
    endAll() {
      if (books.count === 0) return;
      endFamilyNow({
        leaders: [...running.values()],
        marker: `${runId}.`,
        isBranded: (brand) => brands.has(brand),
        known: [...leaving.values()].flatMap(({ left }) => left.known),
      });
      books.grounds?.close();
    },
  };
}

/** With a marker that neither `endAll` nor the watcher looks for, and without a brand. */
async function keep(
  command: Pick<Command, "argv" | "cwd">,
  file: string,
  options: ProcessOptions,
): Promise<Result<Kept>> {
  const { keepCommand } = await import("../host/process-keep.ts");
  const marker = `${crypto.randomUUID()}.`;
  return keepCommand({ ...command, file, marker, env: environmentOf(options, marker, {}) });
}

function environmentOf(
  { environment, withheld, added }: ProcessOptions,
  marker: string,
  own: Record<string, string>,
): Record<string, string> {
  return { ...childEnvironment(environment, withheld, marker), ...own, ...added };
}
