// `burin resume REF`: the chat of an old session; the same as `burin --resume REF`.
import { invalid } from "../base/failure.ts";
import type { Command } from "./command.ts";
import { RUN_EXTRAS, RUN_FLAGS } from "./flags.ts";
import { helpText } from "./help.ts";
import { rootCommand } from "./root.ts";

export const resumeCommand: Command = {
  help: () =>
    helpText({
      name: "burin resume",
      summary: "go on with a session in the chat (with -p: headless)",
      usage: ["burin resume REF [FLAGS] [PROMPT]"],
      args: RUN_FLAGS,
      negatable: RUN_EXTRAS.negatable ?? [],
      examples: [
        "burin resume 01K2",
        "burin resume parser-work",
        'burin resume 01K2 -p "and now the tests"',
      ],
    }),
  call: async ([ref, ...argv]) => {
    if (ref === undefined || ref.startsWith("-")) {
      return invalid(
        "burin resume needs an id, a unique prefix or a name first (burin sessions lists them)",
      );
    }
    return rootCommand.call([`--resume=${ref}`, ...argv]);
  },
};
