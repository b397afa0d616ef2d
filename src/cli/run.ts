// A run: chat, or with -p one headless answer.
import { err } from "../host/out.ts";
import { refuse, refuseText } from "./exit.ts";
import type { RunArgs } from "./run-args.ts";
import { settle } from "./settle.ts";

export async function run(given: RunArgs): Promise<number> {
  const conflict = conflictIn(given);
  if (conflict !== null) return refuseText(conflict);
  const settled = await settle(given);
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
function conflictIn(given: RunArgs): string | null {
  const conflicts = [...conflictsOf(given), ...needlessIn(given)];
  return conflicts.find(([isConflict]) => isConflict)?.[1] ?? null;
}

function conflictsOf({ args }: RunArgs): [boolean, string][] {
  const isOld = args.continue === true || args.resume !== undefined;
  return [
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
      args["system-prompt"] !== undefined && args["system-prompt-file"] !== undefined,
      "give one of --system-prompt and --system-prompt-file: both are the prompt",
    ],
    [
      args.print === true && args.resume === "",
      "-p cannot show a picker: give --resume an id or a name (burin sessions lists them)",
    ],
    [isOld && args.name !== undefined, "--name is for a new session: leave it out here"],
  ];
}

/** Flags that say how `-p` reads and prints: the chat would pass over them. */
function needlessIn({ args }: RunArgs): [boolean, string][] {
  const given: [boolean, string][] = [
    [args.json === true, "--json"],
    [args.output !== undefined, "--output"],
    [args.stdin === true, "--stdin"],
    [args.stdin === false, "--no-stdin"],
    [args.quiet === true, "--quiet"],
  ];
  return given.map(([isGiven, flag]) => [
    isGiven && args.print !== true,
    `${flag} is for a run with -p: add -p, or leave it out in the chat`,
  ]);
}
