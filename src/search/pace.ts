// Keeps long work from holding the event loop: cancel, keys and the screen get their turn every few milliseconds.

const WORK_MS = 10;

export type Pace = {
  /** Whether the work has held the loop long enough. */
  isDue(): boolean;
  /** Lets everything that waits run once. */
  rest(): Promise<void>;
};

export function pace(): Pace {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= WORK_MS,
    async rest() {
      await new Promise<void>((resume) => void setImmediate(resume));
      since = performance.now();
    },
  };
}
