// The contract of a tool: a name, a schema, and `prepare`, which says what a call would touch before anything runs.
import type { Result } from "../base/failure.ts";
import type { Tier } from "../base/tier.ts";
import type { JsonSchema, UserPart } from "../model/request.ts";
import type { Touch } from "../policy/touch.ts";
import type { Processes } from "./processes.ts";
import type { Seen } from "./seen.ts";

export type Tool = {
  name: string;
  /** One telegraphic line for the model. */
  summary: string;
  parameters: JsonSchema;
  tier: Tier;
  /** Validates the input (aliases accepted) and declares the touches; changes nothing. May have to load the tool first. */
  prepare(input: unknown, place: { cwd: string }): Result<Prepared> | Promise<Result<Prepared>>;
};

export type Prepared = {
  touches: Touch[];
  /** A few words for the one-line display: `grep TODO src`. No line breaks. */
  title: string;
  /** A preview of the change for the permission question (unified diff), where the call would write. */
  preview?: () => Promise<string | null>;
  run(kit: Kit): Promise<Result<Output>>;
};

/** What a running call is given. */
export type Kit = {
  cwd: string;
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
  /** Lets direct runs lift limits: `limit: 0` means no limit only when true. */
  unlimited: boolean;
};

export type Output = {
  parts: UserPart[];
  /** A non-zero exit or a refusal that the model must see as an error. */
  isError: boolean;
  /** For the one-line display: `14 hits`, `exit 1`, `+3 -1`. */
  summary: string;
  /** Unified diff of what changed on disk, read back from disk. */
  diff?: string;
  /** What was left out: how many bytes (null: not counted) and lines, and the file with everything. */
  truncated?: { bytes: number | null; lines: number; file: string | null };
};
