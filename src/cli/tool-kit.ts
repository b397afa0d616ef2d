// What a tool gets when it runs directly: no session, no earlier reads, no limits but its own.
import { environment } from "../host/env.ts";
import { onSignals } from "../host/signals.ts";
import { watchCommand } from "../host/watch.ts";
import { localProcesses } from "../tools/processes.ts";
import type { Kit } from "../tools/tool.ts";

export type DirectKit = {
  kit: Kit;
  /** The exit code of the signal that stopped the run; null when none did. */
  exit: () => number | null;
} & Disposable;

/** `withheld` names variables that commands must not see. */
export function directKit(spillDir: string, withheld: readonly string[]): DirectKit {
  const stop = new AbortController();
  const state: { exit: number | null } = { exit: null };
  const processes = localProcesses({
    environment: environment(),
    withheld,
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
      signal: stop.signal,
      live: () => undefined,
      seen: null,
      processes,
      spillDir,
      mayRead: () => true,
      unlimited: true,
    },
    exit: () => state.exit,
    [Symbol.dispose]: () => {
      processes.endAll();
      forgetSignals();
    },
  };
}
