// Finds the command that is meant and runs it behind the last wall against bugs.
import { EXIT_FAILED } from "../base/exit-codes.ts";
import { nearest } from "../base/nearest.ts";
import { err } from "../host/out.ts";
import { readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { print, refuse, refuseText } from "./exit.ts";
import { RUN_EXTRAS, RUN_FLAGS } from "./flags.ts";
import { rootCommand } from "./root.ts";

/** Loaded only when they are called. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  auth: async () => (await import("./auth.ts")).authCommand,
  debug: async () => (await import("./debug.ts")).debugCommand,
  demo: async () => (await import("./demo.ts")).demoCommand,
  models: async () => (await import("./models.ts")).modelsCommand,
  resume: async () => (await import("./resume.ts")).resumeCommand,
  sessions: async () => (await import("./sessions.ts")).sessionsCommand,
  show: async () => (await import("./show.ts")).showCommand,
  tool: async () => (await import("./tool.ts")).toolCommand,
  usage: async () => (await import("./usage.ts")).usageCommand,
  version: async () => (await import("./version-command.ts")).versionCommand,
};

/** The exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (error) {
    return crash(error, argv);
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const [first = "", second = ""] = argv;
  const load = commandNamed(first);
  if (load) return runOne(await load(), argv.slice(1));
  const asked = HELP.has(first) ? commandNamed(second) : undefined;
  if (asked) return print((await asked()).help(argv.slice(2)));
  const mistake = mistypedCommand(argv) ?? lateCommand(argv);
  return mistake === null ? runOne(rootCommand, argv) : refuseText(mistake);
}

const HELP: ReadonlySet<string> = new Set(["--help", "-h", "help"]);

function commandNamed(name: string): (() => Promise<Command>) | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** A command after flags would be taken for a prompt. After `-p`, and after `--`, it is one. */
function lateCommand(argv: readonly string[]): string | null {
  if (!(argv[0] ?? "").startsWith("-") || argv.includes("--")) return null;
  const read = readArguments(argv, RUN_FLAGS, { ...RUN_EXTRAS, words: Infinity });
  if (!read.ok || read.value.flags.includes("--print")) return null;
  const [word = ""] = read.value.words;
  if (!commandNamed(word)) return null;
  const at = argv.indexOf(word);
  const right = ["burin", word, ...argv.slice(at + 1), ...argv.slice(0, at)].join(" ");
  return `the command comes first: ${right} (as a prompt: burin ${argv.slice(0, at).join(" ")} -- ${word})`;
}

/** A single word that is almost a command is taken for one; a prompt of one such word can follow `--`. */
function mistypedCommand(argv: readonly string[]): string | null {
  const [first = ""] = argv;
  if (argv.length > 2 || !/^[a-z]{3,}$/.test(first)) return null;
  const close = nearest(first, Object.keys(COMMANDS));
  if (close === null) return null;
  return `unknown command ${first}; did you mean ${close}? (as a prompt: burin -- ${first})`;
}

async function runOne(command: Command, argv: readonly string[]): Promise<number> {
  const end = argv.indexOf("--");
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.includes("--help") || flags.includes("-h")) {
    return print(command.help(argv));
  }
  const called = await command.call(argv);
  return called.ok ? called.value : refuse(called.failure);
}

/** The last wall: a bug says so in one sentence; the stack only for those who asked for it. */
function crash(error: unknown, argv: readonly string[]): number {
  const what = error instanceof Error ? error.message : String(error);
  err(`burin: this is a bug in burin: ${what} (--log-level debug shows where)\n`);
  const wantsStack = argv.some((word, at) => word === "debug" && argv[at - 1] === "--log-level");
  if (wantsStack && error instanceof Error) err(`${error.stack ?? ""}\n`);
  return EXIT_FAILED;
}
