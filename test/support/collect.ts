// Gathers what an async stream gives, and cuts bytes into pieces to feed one.
import type { Random } from "./random.ts";

export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** The bytes in pieces of 1 to `largest`, as chance has it. */
export function pieces(bytes: Uint8Array, random: Random, largest: number): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const size = 1 + random.int(largest);
    cut.push(bytes.subarray(from, from + size));
    from += size;
  }
  return cut;
}

export async function* streamOf<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
