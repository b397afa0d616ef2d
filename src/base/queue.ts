// A queue between producers that must not wait and one consumer that reads it as an async iterable.

export type Queue<T> = {
  push(value: T): void;
  /** No more values: the iteration ends after those already in. */
  close(): void;
} & AsyncIterable<T>;

export function queue<T>(): Queue<T> {
  const waiting: T[] = [];
  const state = { isClosed: false, wake: (): void => undefined };
  async function* drain(): AsyncGenerator<T> {
    for (;;) {
      const batch = waiting.splice(0);
      yield* batch;
      if (waiting.length > 0) continue;
      if (state.isClosed) return;
      await new Promise<void>((resolve) => {
        state.wake = resolve;
      });
    }
  }
  return {
    push: (value) => {
      waiting.push(value);
      state.wake();
    },
    close: () => {
      state.isClosed = true;
      state.wake();
    },
    [Symbol.asyncIterator]: drain,
  };
}
