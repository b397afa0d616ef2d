// What a tool gets when it runs directly: no session, no earlier reads, no limits but its own.
import { environment } from "../host/env.ts";
import { onSignals } from "../host/signals.ts";
import { watchCommand } from "../host/watch.ts";
import { EVERYTHING } from "../model/accepts.ts";
import { NOBODY } from "../tools/inquiry.ts";
import { localProcesses } from "../tools/processes.ts";
import type { ShellSettings } from "../tools/shell.ts";
import { type Editing, keepNothing, type Kit } from "../tools/tool.ts";

export type DirectKit = {
  kit: Kit;
  /** The exit code of the signal that stopped the run; null when none did. */
  exit: () => number | null;
} & Disposable;

/** For tools that run commands: `withheld` names variables that they must not see, `added` gives them further ones. */
export type CommandSettings = {
  withheld: readonly string[];
  added: Readonly<Record<string, string>>;
  shell?: ShellSettings;
};

export function directKit(
  spillDir: string,
  settings: CommandSettings,
  editing: Editing,
): DirectKit {
  const stop = new AbortController();
  const state: { exit: number | null } = { exit: null };
  const { shell, ...forCommands } = settings;
  const processes = localProcesses({
    environment: environment(),
    ...forCommands,
    watcher: watchCommand(),
  });
  const forgetSignals = onSignals({
    stop: (code) => {
      state.exit = code;
      stop.abort();
    },
    leave: () => processes.endAll(),
  });
  return {
    kit: {
      cwd: process.cwd(),
      ...(shell === undefined ? {} : { shell }),
      signal: stop.signal,
      live: () => undefined,
      seen: null,
      processes,
      spillDir,
      mayRead: () => true,
      media: { accepts: () => Promise.resolve(EVERYTHING), held: () => 0 },
      inquire: NOBODY,
      unlimited: true,
      editing,
      keeper: () => Promise.resolve(keepNothing),
    },
    exit: () => state.exit,
    [Symbol.dispose]: () => {
      processes.endAll();
      forgetSignals();
    },
  };
}
