// The settings of a command: from the user's own file, the file named by flag or variable, and single values.
import type { Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import { loadSettings, type Loaded } from "../settings/load.ts";
import type { Settings } from "../settings/schema.ts";

type Named = {
  /** The folder of the user's configuration. */
  config: string;
  env: Environment;
  /** `--config`, empty for `--no-config`. */
  file?: string | undefined;
  pairs?: readonly string[] | undefined;
};

export function settingsOf({ config, env, file, pairs = [] }: Named): Result<Loaded> {
  const isNone = file === "";
  const fromEnv = env["BURIN_CONFIG"] ?? "";
  const named = file ?? (fromEnv === "" ? null : fromEnv);
  return loadSettings({
    userFile: isNone ? null : `${config}/config.toml`,
    namedFile: isNone ? null : named,
    pairs,
  });
}

/** The variables that hold keys by the settings. */
export function keyVariablesOf({ providers = {} }: Settings): string[] {
  return Object.values(providers).flatMap(({ api_key_env: name }) => name ?? []);
}
