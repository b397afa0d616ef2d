// What the settings say of commands: shell and time limits, and the programs without which burin shall not start.
import { missing, ok, type Result } from "../base/failure.ts";
import type { Settings } from "../settings/schema.ts";
import { SHELL_DEFAULTS, type ShellSettings } from "../tools/shell.ts";

export function shellOf({ tools }: Settings): ShellSettings {
  const { shell = null, timeout_s, max_timeout_s, rtk } = tools?.bash ?? {};
  const maxTimeout = max_timeout_s ?? Math.max(SHELL_DEFAULTS.maxTimeout, timeout_s ?? 0);
  return {
    shell,
    timeout: Math.min(timeout_s ?? SHELL_DEFAULTS.timeout, maxTimeout),
    maxTimeout,
    rtk: rtk ?? SHELL_DEFAULTS.rtk,
  };
}

export function commandEnvOf({ tools }: Settings): Readonly<Record<string, string>> {
  return tools?.bash?.env ?? {};
}

/** `[tools] require`, and the shell that the settings name: without them the first command would fail, not the start. */
export function requirePrograms({ tools }: Settings): Result<void> {
  const wanted = new Map((tools?.require ?? []).map((name) => [name, "[tools] require"]));
  const program = tools?.bash?.shell?.trim().split(/\s/)[0];
  if (program !== undefined) wanted.set(program, "[tools.bash] shell");
  for (const [name, key] of wanted) {
    if (Bun.which(name) === null)
      return missing(
        `${name} was not found on PATH, and the setting ${key} names it: install ${name}, or take it out of the setting`,
      );
  }
  return ok(undefined);
}
