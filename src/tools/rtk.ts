// rtk, where it is installed and wanted: it may put its own short-spoken command in the place of one. Whatever fails, the command stays.
import { environment } from "../host/env.ts";
import { askProgram } from "../host/process-ask.ts";
import { programPath } from "../host/programs.ts";

/** `note` says what was done, or why nothing could be; null where the command simply stays. */
export type Rewriting = { command: string; note: string | null };

const TIMEOUT_MS = 5000;
/** `rtk rewrite` gives 0 for a rewritten command and 3 for one that it would ask about: burin does its own asking. */
const REWRITTEN: ReadonlySet<number> = new Set([0, 3]);
/** All it needs: it finds programs and its own configuration. */
const VARIABLES = ["PATH", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] as const;

export async function rewrite(
  command: string,
  cwd: string,
  rtk: boolean | "auto",
): Promise<Rewriting> {
  if (rtk === false) return { command, note: null };
  const all = environment();
  const program = programPath("rtk", all);
  if (program === null)
    return { command, note: rtk === true ? "rtk is not on PATH: run as written" : null };
  const env = Object.fromEntries(VARIABLES.map((name) => [name, all[name] ?? ""]));
  const answer = await askProgram([program, "rewrite", command], {
    cwd,
    env,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer === null) return { command, note: "rtk gave no answer: run as written" };
  const text = answer.text.trim();
  if (!REWRITTEN.has(answer.code) || !isCommand(text) || text === command.trim())
    return { command, note: null };
  return { command: text, note: `rtk made this of it: ${text}` };
}

/** What holds control characters is no command that a person could judge. */
function isCommand(text: string): boolean {
  return text !== "" && !/(?![\t\n])\p{Cc}/u.test(text);
}
