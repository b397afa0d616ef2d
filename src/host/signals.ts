// Ending by a signal: the first one asks the run to end in order, the second ends the process at once.
import { EXIT_SIGNAL } from "../base/exit-codes.ts";

/** Calls `stop` with the exit code on the first signal; the function it gives restores the default behaviour. */
export function onSignals(stop: (exitCode: number) => void): () => void {
  let isStopping = false;
  const handlers = Object.entries(EXIT_SIGNAL).map(([signal, code]) => {
    const handle = (): void => {
      if (isStopping) process.exit(code);
      isStopping = true;
      stop(code);
    };
    process.on(signal, handle);
    return { signal, handle };
  });
  return () => {
    for (const { signal, handle } of handlers) process.off(signal, handle);
  };
}
