// A command: the definition of its flags, what citty's form cannot say of them, its help, and what it does.
import type { ArgsDef } from "citty";
import { ok, type Result } from "../base/failure.ts";
import { readArguments, type Extras } from "./arguments.ts";
import { helpText, type HelpOptions } from "./help.ts";
import { valuesOf, type Values } from "./values-of.ts";

export type Given<T extends ArgsDef> = {
  args: Values<T>;
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
      const { flags, lists, words } = read.value;
      return ok(await spec.run({ args: valuesOf(flags, spec.args), lists, words }));
    },
  };
}
