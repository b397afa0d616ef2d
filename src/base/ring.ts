// The last bytes of a stream of any length, in a fixed amount of memory.

export type Ring = {
  add(chunk: Uint8Array): void;
  /** In the order they came. */
  bytes(): Uint8Array;
};

export function createRing(capacity: number): Ring {
  const buffer = Buffer.allocUnsafe(capacity);
  let next = 0;
  let isFull = false;
  return {
    add(chunk) {
      const last = chunk.subarray(Math.max(0, chunk.length - capacity));
      const first = last.subarray(0, capacity - next);
      buffer.set(first, next);
      buffer.set(last.subarray(first.length), 0);
      isFull ||= next + last.length >= capacity;
      next = (next + last.length) % capacity;
    },
    bytes() {
      const newest = buffer.subarray(0, next);
      return isFull ? Buffer.concat([buffer.subarray(next), newest]) : newest;
    },
  };
}
