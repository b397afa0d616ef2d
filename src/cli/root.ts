// The command without a name: chat, or with -p one headless answer.
import { command } from "./command.ts";
import { RUN_EXTRAS, RUN_FLAGS } from "./flags.ts";
import { run } from "./run.ts";

export const rootCommand = command({
  name: "burin",
  summary: "a coding agent for the terminal",
  args: RUN_FLAGS,
  extras: RUN_EXTRAS,
  run,
  usage: [
    "burin [FLAGS] [PROMPT]          chat in this folder",
    "burin -p [FLAGS] [PROMPT]       answer and exit",
    "burin COMMAND [FLAGS] …",
  ],
  sections: [
    {
      title: "Commands",
      rows: [
        ["demo", "See it work on a scratch repository: no key, no network"],
        ["resume REF", "Go on with a session, by id, unique prefix or name"],
        ["sessions", "List the sessions of this folder"],
        ["show REF", "Print a session as a plain transcript"],
        ["tool NAME", "Run one tool directly"],
        ["models", "List models with windows and prices, local servers' too"],
        ["usage", "Add up what all sessions took and cost"],
        ["auth login PROVIDER", "Sign in, or keep a key; auth status, auth logout"],
        ["debug decode", "Turn a provider's recorded bytes into events"],
        ["version", "Print the version"],
      ],
    },
    {
      title: "Exit codes",
      rows: [
        ["0", "the model finished"],
        ["1", "the run failed"],
        ["2", "it could not start: flag, settings, key, session"],
        ["3", "a limit stopped it"],
        ["4", "policy stopped it"],
        ["130, 143, 129, 141", "a signal, or standard output was closed"],
      ],
    },
  ],
  examples: [
    "burin demo",
    'burin -p "What does this project do?" -m openai/MODEL',
    "git diff | burin -p 'Review this change' --base-url http://127.0.0.1:8080/v1 -m MODEL",
    "burin -c",
  ],
});
