// The contract of a tool: a name, a schema, and `prepare`, which says what a call would touch before anything runs.
import type { Result } from "../base/failure.ts";
import type { PlanItem } from "../base/plan.ts";
import type { Tier } from "../base/tier.ts";
import type { Accepts } from "../model/accepts.ts";
import type { JsonSchema, UserPart } from "../model/request.ts";
import type { Touch } from "../policy/touch.ts";
import type { Inquire } from "./inquiry.ts";
import type { Processes } from "./processes.ts";
import type { Seen } from "./seen.ts";
import type { ShellSettings } from "./shell.ts";

export type Tool = {
  name: string;
  /** One telegraphic line for the model. */
  summary: string;
  parameters: JsonSchema;
  tier: Tier;
  /** Validates the input (aliases accepted) and declares the touches; changes nothing. May have to load the tool first. */
  prepare(input: unknown, place: CallPlace): Result<Prepared> | Promise<Result<Prepared>>;
};

/** Where a call is made. */
export type CallPlace = { cwd: string; shell?: ShellSettings };

export type Prepared = {
  touches: Touch[];
  /** A few words for the one-line display: `grep TODO src`. No line breaks. */
  title: string;
  /**
   * What the call would change, for the permission question: a unified diff, null where nothing can be shown. Fails
   * where the call itself would: then there is nothing to ask about.
   */
  preview?: (kit: Pick<Kit, "seen" | "editing">) => Promise<Result<string | null>>;
  run(kit: Kit): Promise<Result<Output>>;
};

/** What a running call is given. */
export type Kit = CallPlace & {
  signal: AbortSignal;
  /** Live output for the screen; dropping it loses nothing. */
  live(chunk: string): void;
  /** What this session has read, for read-before-write; null when a tool runs directly, without a session. */
  seen: Seen | null;
  processes: Processes;
  /** Folder for full outputs that did not fit (created on demand, 0700). */
  spillDir: string;
  /** Whether a search may look into a file it comes across: not where a rule denies it or it may hold credentials. */
  mayRead: (path: string) => boolean;
  /** Pictures and documents: what the model takes, and how many bytes of them the conversation holds already. */
  media: { accepts(): Promise<Accepts>; held(): number };
  /** Asks the person, if there is one. */
  inquire: Inquire;
  /** Lets direct runs lift limits: `limit: 0` means no limit only when true. */
  unlimited: boolean;
  editing: Editing;
  /** What keeps files as they are before a change, for undo; loaded by the first tool that writes. */
  keeper(): Promise<Keep>;
};

/** How places to edit are named: quoted to the letter, or nearly so, or by the anchors that `read` then shows. */
export type Editing = "exact" | "fuzzy" | "anchored";

/** Called just before the file is changed; `before` null: there is none yet. */
export type Keep = (path: string, before: Uint8Array | null, after: Uint8Array) => Kept;
/** The stored checkpoint, null where nothing is recorded; and what a person should know of it. */
export type Kept = { checkpoint: string | null; remark: string | null };

/** Without a session nothing is kept. */
export function keepNothing(): Kept {
  return { checkpoint: null, remark: null };
}

export type Output = {
  parts: UserPart[];
  /** A non-zero exit or a refusal that the model must see as an error. */
  isError: boolean;
  /** For the one-line display: `14 hits`, `exit 1`, `+3 -1`. */
  summary: string;
  /** Unified diff of what changed on disk, read back from disk. */
  diff?: string;
  /** The event that keeps what the changed file held before. */
  checkpoint?: string;
  /** What was left out: how many bytes (null: not counted) and lines, and the file with everything. */
  truncated?: { bytes: number | null; lines: number; file: string | null };
  /** The plan of the session from now on. */
  plan?: PlanItem[];
};
