// A command: citty's definition of its flags, what citty cannot say of them, its help, and what it does.
import { defineCommand, runCommand, type ArgsDef, type ParsedArgs } from "citty";
import { ok, type Result } from "../base/failure.ts";
import { readArguments, type Extras } from "./arguments.ts";
import { helpText, type HelpOptions } from "./help.ts";

export type Given<T extends ArgsDef> = {
  args: ParsedArgs<T>;
  /** Values of flags that may be repeated. */
  lists: Readonly<Record<string, string[]>>;
  /** Plain words, in order. */
  words: readonly string[];
};

export type CommandSpec<T extends ArgsDef> = Omit<HelpOptions, "negatable" | "args"> & {
  args: T;
  extras: Extras;
  /** Gives the exit code. */
  run: (given: Given<T>) => Promise<number>;
};

export type Command = {
  /** For the given arguments: a command of commands may tell of one of them. */
  help: (argv: readonly string[]) => string;
  /** Reads the arguments and runs; fails where they are wrong. */
  call: (argv: readonly string[]) => Promise<Result<number>>;
};

export function command<const T extends ArgsDef>(spec: CommandSpec<T>): Command {
  return {
    help: () => helpText({ ...spec, negatable: spec.extras.negatable ?? [] }),
    call: async (argv) => {
      const read = readArguments(argv, spec.args, spec.extras);
      if (!read.ok) return read;
      const { args: rawArgs, lists, words } = read.value;
      const def = defineCommand<T>({
        args: spec.args,
        run: ({ args }) => spec.run({ args, lists, words }),
      });
      const { result } = await runCommand(def, { rawArgs });
      return ok(typeof result === "number" ? result : 0);
    },
  };
}
