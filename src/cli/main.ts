// Finds the command that is meant and runs it behind the last wall against bugs.
import { EXIT_FAILED } from "../base/exit-codes.ts";
import { nearest } from "../base/nearest.ts";
import { err } from "../host/out.ts";
import type { Command } from "./command.ts";
import { print, refuse, refuseText } from "./exit.ts";
import { rootCommand } from "./root.ts";

/** Loaded only when they are called. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  debug: async () => (await import("./debug.ts")).debugCommand,
  demo: async () => (await import("./demo.ts")).demoCommand,
  resume: async () => (await import("./resume.ts")).resumeCommand,
  sessions: async () => (await import("./sessions.ts")).sessionsCommand,
  show: async () => (await import("./show.ts")).showCommand,
  tool: async () => (await import("./tool.ts")).toolCommand,
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
  const [first = ""] = argv;
  const load = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (load) return runOne(await load(), argv.slice(1));
  const mistyped = mistypedCommand(argv);
  return mistyped === null ? runOne(rootCommand, argv) : refuseText(mistyped);
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
