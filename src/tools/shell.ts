// How commands are run: the settings `[tools.bash]`, and the argument list that runs a line in a shell.
import { basename } from "node:path";
import { environment } from "../host/env.ts";
import { programPath } from "../host/programs.ts";

export type ShellSettings = {
  /** A program, or one with the arguments that come before the command: `bash --noprofile -c`; null: bash. */
  shell: string | null;
  /** Seconds. */
  timeout: number;
  maxTimeout: number;
  /** Whether rtk rewrites commands: with "auto" only where it is installed. */
  rtk: boolean | "auto";
};

export const SHELL_DEFAULTS: ShellSettings = {
  shell: null,
  timeout: 120,
  maxTimeout: 600,
  rtk: false,
};

/** These know no login shell that takes a command, or read nothing more in one. */
const PLAIN: ReadonlySet<string> = new Set(["sh", "dash", "ash"]);

/** A login shell, so that the programs the user has are found; arguments that the settings give are taken as they are. */
export function shellArgv({ shell }: ShellSettings, command: string): string[] {
  const [program = programPath("bash", environment()) ?? "/bin/sh", ...given] =
    shell?.trim().split(/\s+/) ?? [];
  if (given.length > 0) return [program, ...given, command];
  return [program, PLAIN.has(basename(program)) ? "-c" : "-lc", command];
}
