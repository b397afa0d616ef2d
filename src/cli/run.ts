// A run: chat, or with -p one headless answer.
import { err } from "../host/out.ts";
import { refuse, refuseText } from "./exit.ts";
import type { RunArgs } from "./run-args.ts";
import { settle } from "./settle.ts";

export async function run(given: RunArgs): Promise<number> {
  const conflict = conflictIn(given);
  if (conflict !== null) return refuseText(conflict);
  const settled = settle(given);
  if (!settled.ok) return refuse(settled.failure);
  if (!given.args.quiet) {
    for (const warning of settled.value.warnings) err(`burin: ${warning}\n`);
  }
  if (given.args.print) {
    return (await import("./run-headless.ts")).runHeadlessly(given, settled.value);
  }
  return (await import("./run-chat.ts")).runInChat(given, settled.value);
}

/** The first two flags that cannot both be meant; null when all go together. */
function conflictIn({ args }: RunArgs): string | null {
  const isOld = args.continue === true || args.resume !== undefined;
  const conflicts: [boolean, string][] = [
    [
      args.continue === true && args.resume !== undefined,
      "give one of --continue and --resume: both name the session",
    ],
    [
      args.json === true && !["json", undefined].includes(args.output),
      `--json and --output ${args.output} contradict each other: give one of them`,
    ],
    [
      args["read-only"] === true && !["readonly", undefined].includes(args.mode),
      `--read-only and --mode ${args.mode} contradict each other: give one of them`,
    ],
    [
      args.print === true && args.resume === "",
      "-p cannot show a picker: give --resume an id or a name (burin sessions lists them)",
    ],
    [isOld && args.name !== undefined, "--name is for a new session: leave it out here"],
  ];
  return conflicts.find(([isConflict]) => isConflict)?.[1] ?? null;
}
