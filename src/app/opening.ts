// What opening a place needs: settled options, so that nobody below reads a flag, a setting or a variable again.
import type { Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import type { Places } from "../host/places.ts";
import type { Accepts } from "../model/accepts.ts";
import type { Usage } from "../model/event.ts";
import type { Model } from "../model/provider.ts";
import type { Effort } from "../model/request.ts";
import type { Mode } from "../base/modes.ts";
import type { Rule } from "../policy/rules.ts";
import type { Shelf } from "../session/folder.ts";
import type { Settings } from "../settings/schema.ts";
import type { ShellSettings } from "../tools/shell.ts";
import type { Editing, Tool } from "../tools/tool.ts";

/** A model and what burin knows of it. `auth` says where the credential came from, never the credential itself. */
export type Chosen = {
  model: Model;
  auth: string;
  /** What a person should know about how it is reached. */
  notices: readonly string[];
  /** Opens the connection that the next request will take. */
  preconnect: () => void;
  /** How hard the model's name asks it to think; null where it does not say. */
  effort: Effort | null;
  price: (usage: Usage) => Promise<number | null>;
  /** Tokens of the context window; null where it is not known. */
  window: () => Promise<number | null>;
  /** What it takes beside text. */
  accepts: () => Promise<Accepts>;
};

/** The model that a resumed session was last used with. */
export type Stored = { provider: string; model: string };

export type Opening = {
  cwd: string;
  env: Environment;
  /** Variables that the settings name for keys: no command sees them, nor those of providers that are known. */
  keyVariables: readonly string[];
  places: Places;
  version: string;
  chooseModel: (stored: Stored | null) => Promise<Result<Chosen>>;
  /** The model of this name, as `-m` would have it. */
  chooseNamed: (name: string) => Promise<Result<Chosen>>;
  /** Models that stand by where the chosen one is down or out of quota, in order. */
  fallback: readonly string[];
  retry: NonNullable<NonNullable<Settings["models"]>["retry"]>;
  /** A person looks on, and can stop what takes too long. */
  isWatched: boolean;
  tools: readonly Tool[];
  /** How the model names the places it edits. */
  editing: (model: string) => Editing;
  shell: ShellSettings;
  /** Variables for commands, from the settings. */
  commandEnv: Readonly<Record<string, string>>;
  /** A flag goes before what a resumed session stored, and that before the settings. */
  mode: { flag: Mode | null; fallback: Mode };
  rules: readonly Rule[];
  /** Further folders to work in; absolute. */
  addDirs: readonly string[];
  shelf: Shelf;
  /** False writes nothing: `--no-session`. */
  isRecorded: boolean;
  limits: { maxRounds: number; maxCostUsd: number | null; maxTimeMs: number | null };
  request: { effort: Effort | null; maxOutputTokens: number | null; temperature: number | null };
  prompt: { system: string | null; appended: string | null };
};
