// Ending by a signal: the first one asks the run to end in order, the second ends the process at once.

/** 128 + the signal's number. */
const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Calls `stop` with the exit code on the first signal; the function it gives restores the default behaviour. */
export function onSignals(stop: (exitCode: number) => void): () => void {
  let isStopping = false;
  const handlers = Object.entries(CODES).map(([signal, code]) => {
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
