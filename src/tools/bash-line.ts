// What a call of bash runs: its arguments checked, its command as the shell gets it, and for how long.
import * as v from "valibot";
import { ok, type Result } from "../base/failure.ts";
import { defineArguments, failureOf } from "./arguments.ts";
import { namedPath } from "./named-path.ts";
import { needsTerminal } from "./no-terminal.ts";
import { bashWords } from "./other-words.ts";
import { rewrite } from "./rtk.ts";
import { SHELL_DEFAULTS, shellArgv, type ShellSettings } from "./shell.ts";
import type { CallPlace } from "./tool.ts";

const args = defineArguments(
  "bash",
  v.strictObject({
    command: v.string(),
    timeout: v.optional(v.pipe(v.number(), v.minValue(0))),
    cwd: v.optional(v.string()),
    background: v.optional(v.boolean()),
    keep: v.optional(v.boolean()),
  }),
);

export const BASH_PARAMETERS = args.parameters;

export type Line = {
  /** As the model wrote it. */
  asked: string;
  /** What runs: the same, or what rtk made of it. */
  command: string;
  argv: string[];
  cwd: string;
  seconds: number;
  way: "front" | "background" | "kept";
  /** For the result. */
  notes: string[];
};

export async function bashLine(input: unknown, place: CallPlace): Promise<Result<Line>> {
  const parsed = args.parse(bashWords(input));
  if (!parsed.ok) return parsed;
  const { command: asked, timeout = 0, background = false, keep = false } = parsed.value;
  const unfit = whyUnfit(asked);
  if (unfit !== null) return failureOf("bash", unfit);
  const { shell = SHELL_DEFAULTS } = place;
  const cwd = namedPath(parsed.value.cwd ?? ".", place.cwd);
  const { command, note } = await rewrite(asked, cwd, shell.rtk);
  return ok({
    asked,
    command,
    argv: shellArgv(shell, command),
    cwd,
    seconds: secondsOf(timeout, shell),
    way: wayOf(background, keep),
    notes: note === null ? [] : [`[${note}]`],
  });
}

function whyUnfit(command: string): string | null {
  if (command.trim() === "") return "command is empty";
  return command.includes("\0") ? "command holds a NUL byte" : needsTerminal(command);
}

const MS = 1000;

/** Other tools count milliseconds: above the most that can be asked for, 5000 is five seconds and not more than an hour. */
function secondsOf(timeout: number, { timeout: usual, maxTimeout }: ShellSettings): number {
  const isMs = timeout >= MS && timeout > maxTimeout;
  return Math.min((isMs ? timeout / MS : timeout) || usual, maxTimeout);
}

function wayOf(isBehind: boolean, isKept: boolean): Line["way"] {
  if (isKept) return "kept";
  return isBehind ? "background" : "front";
}
