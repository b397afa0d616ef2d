// What the screen sees of a running command: its newest output a few times a second, however much there is.
import { stripEscapes } from "../base/plain.ts";

/** More often than this nobody reads. */
const SHOW_EVERY_MS = 50;
/** More than this no screen shows at once; decoding all of a flood would fill the memory with garbage. */
const MAX_PENDING_BYTES = 8 * 1024;

export type LiveView = {
  add(chunk: Uint8Array): void;
  /** Shows what is still waiting, and nothing after it. */
  close(): void;
};

export function liveView(show: (text: string) => void): LiveView {
  const decoder = new TextDecoder();
  let pending: Uint8Array[] = [];
  let size = 0;
  let timer: Timer | null = null;

  function flush(): void {
    timer = null;
    const newest = Buffer.concat(pending).subarray(-MAX_PENDING_BYTES);
    pending = [];
    size = 0;
    if (newest.length > 0) show(stripEscapes(decoder.decode(newest, { stream: true })));
  }

  return {
    add(chunk) {
      // The reader may use its buffer again: what waits is a copy, and only of what can be shown.
      pending.push(new Uint8Array(chunk.subarray(-MAX_PENDING_BYTES)));
      size += Math.min(chunk.length, MAX_PENDING_BYTES);
      while (size - (pending[0]?.length ?? 0) >= MAX_PENDING_BYTES)
        size -= pending.shift()?.length ?? 0;
      timer ??= setTimeout(flush, SHOW_EVERY_MS);
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      flush();
    },
  };
}
