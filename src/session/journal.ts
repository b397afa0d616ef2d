// The running reply, kept beside the log: what `kill -9` would otherwise take with it.
import { rmSync } from "node:fs";
import { writeWhole } from "../host/whole.ts";
import type { StoredAssistantPart } from "./event.ts";

/** What may be lost of a reply: the text of this time. */
const WRITE_EVERY_MS = 500;

export type Journal = {
  /** Cheap enough for every delta: the content is asked for only when it is time to write. */
  note(content: () => StoredAssistantPart[]): void;
  /** The reply has its final event: the file goes. */
  forget(): void;
  /** Nothing more is written; what is there stays for the next to open the log. */
  stop(): void;
  /** What the running reply holds so far; null between replies. */
  running(): StoredAssistantPart[] | null;
};

export function openJournal(path: string, leaf: () => string | null): Journal {
  let latest: (() => StoredAssistantPart[]) | null = null;
  let timer: Timer | null = null;
  let isWritten = false;

  function write(): void {
    timer = null;
    if (latest === null) return;
    // A failure is not told here: the log tells it when the reply itself cannot be stored.
    const failure = writeWhole(path, JSON.stringify({ v: 1, after: leaf(), content: latest() }));
    isWritten ||= failure === null;
  }

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    latest = null;
  }

  return {
    stop,
    note(content) {
      latest = content;
      timer ??= setTimeout(write, WRITE_EVERY_MS).unref();
    },
    forget() {
      stop();
      if (isWritten) removeJournal(path);
      isWritten = false;
    },
    running: () => latest?.() ?? null,
  };
}

export function removeJournal(path: string): void {
  rmSync(path, { force: true });
}
