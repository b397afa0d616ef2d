// A place: one open session in one folder with its model, as the front ends (chat, headless) use it.
import type { TurnEvent } from "../agent/event.ts";
import type { Confirm, Inbox } from "../agent/confirm.ts";
import type { Result } from "../base/failure.ts";
import type { SessionEvent } from "../session/event.ts";
import type { Inquire } from "../tools/inquiry.ts";
import type { Totals } from "../session/usage.ts";

export type Place = {
  readonly cwd: string;
  readonly branch: string | null;
  readonly model: { provider: string; id: string; auth: string };
  readonly mode: string;
  /** `path` is null when nothing is recorded. */
  session(): { id: string; name: string; path: string | null };
  /** Everything on the live branch so far, for the transcript, the history and the counters. */
  events(): readonly SessionEvent[];
  totals(): Totals;
  /** Files that went into the pinned context (AGENTS.md …), for the start card. */
  readonly contextFiles: readonly string[];
  /** Sentences said once at the start: recording is off, a file was cut. */
  readonly notices: readonly string[];
  /** A prompt is being written: opens the connection that it will take. */
  preconnect(): void;
  /** The only way to run a turn. The last event is always `end`; never throws for an expected failure. */
  ask(prompt: string, asking: Asking): AsyncGenerator<TurnEvent>;
  /** Ends what still runs, releases the lock. */
  close(): Promise<void>;
};

export type Asking = {
  signal: AbortSignal;
  confirm: Confirm;
  inquire: Inquire;
  inbox: Inbox;
  /** Waits before a request is sent again, where the person may cut that short; left out: as long as it takes. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Choice =
  | { kind: "new"; name: string | null }
  | { kind: "resume"; ref: string }
  | { kind: "continue" };

/** Opens a session of this folder; `chat` calls it again for /new and /resume. */
export type OpenPlace = (choice: Choice) => Promise<Result<Place>>;
