// The settings of a command: from the user's own file, the file named by flag or variable, and single values.
import { existsSync, readFileSync } from "node:fs";
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
  /** See `Sources`. */
  needed?: string | undefined;
};

/** Where there is none of the three, nothing is loaded to read them: the schema alone takes a twentieth of a start. */
export async function settingsOf(wanted: Named): Promise<Result<Loaded>> {
  const pairs = wanted.pairs ?? [];
  const { userFile, namedFile } = filesOf(wanted);
  if (userFile === null && namedFile === null && pairs.length === 0) {
    return ok({ settings: {}, warnings: [] });
  }
  const { loadSettings } = await import("../settings/load.ts");
  return loadSettings({ userFile, namedFile, pairs, needed: wanted.needed });
}

/** `FILE:12: ` of the first line that holds `text`, for what is wrong with it; empty where no file has it. */
export function lineWith(text: string, wanted: Named): string {
  const { userFile, namedFile } = filesOf(wanted);
  for (const file of [userFile, namedFile].filter((each) => each !== null)) {
    const lines = readFileSync(file, "utf8").split("\n");
    const at = lines.findIndex(
      (line) => line.includes(text) || line.includes(JSON.stringify(text).slice(1, -1)),
    );
    if (at >= 0) return `${file}:${at + 1}: `;
  }
  return "";
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
