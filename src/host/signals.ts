// Ending by a signal: the first one asks the run to end in order, the second ends the process, after what must not stay.
import { EXIT_SIGNAL } from "../base/exit-codes.ts";

export type OnSignal = {
  /** The first signal: with the exit code that the run should end with. */
  stop: (exitCode: number) => void;
  /** The second one: whatever must not outlive the process, without waiting for anything. */
  leave: () => void;
};

/** The function it gives restores the default behaviour. */
export function onSignals({ stop, leave }: OnSignal): () => void {
  let isStopping = false;
  const handlers = Object.entries(EXIT_SIGNAL).map(([signal, code]) => {
    const handle = (): void => {
      if (isStopping) {
        leave();
        process.exit(code);
      }
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
