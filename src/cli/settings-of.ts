// The settings of a command: from the user's own file, the file named by flag or variable, and single values.
import { existsSync } from "node:fs";
import { ok, type Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import type { Loaded } from "../settings/load.ts";
import type { Settings } from "../settings/schema.ts";

type Named = {
  /** The folder of the user's configuration. */
  config: string;
  env: Environment;
  /** `--config`, empty for `--no-config`. */
  file?: string | undefined;
  pairs?: readonly string[] | undefined;
};

/** Where there is none of the three, nothing is loaded to read them: the schema alone takes a twentieth of a start. */
export async function settingsOf(wanted: Named): Promise<Result<Loaded>> {
  const pairs = wanted.pairs ?? [];
  const { userFile, namedFile } = filesOf(wanted);
  if (userFile === null && namedFile === null && pairs.length === 0) {
    return ok({ settings: {}, warnings: [] });
  }
  const { loadSettings } = await import("../settings/load.ts");
  return loadSettings({ userFile, namedFile, pairs });
}

function filesOf({ config, env, file }: Named): {
  userFile: string | null;
  namedFile: string | null;
} {
  if (file === "") return { userFile: null, namedFile: null };
  const own = `${config}/config.toml`;
  const named = file ?? env["BURIN_CONFIG"] ?? "";
  return { userFile: existsSync(own) ? own : null, namedFile: named === "" ? null : named };
}

/** The variables that hold keys by the settings. */
export function keyVariablesOf({ providers = {} }: Settings): string[] {
  return Object.values(providers).flatMap(({ api_key_env: name }) => name ?? []);
}
