// `burin version`: the version, and with --json what it was built for.
import { command } from "./command.ts";
import { print } from "./exit.ts";
import { version } from "./version.ts";

export const versionCommand = command({
  name: "burin version",
  summary: "print the version",
  usage: ["burin version [--json]"],
  args: { json: { type: "boolean", description: "As JSON, with platform and Bun version" } },
  extras: {},
  examples: ["burin version"],
  run: ({ args }) => {
    const facts = {
      version: version(),
      platform: process.platform,
      arch: process.arch,
      bun: Bun.version,
    };
    return Promise.resolve(
      print(args.json ? `${JSON.stringify(facts)}\n` : `burin ${facts.version}\n`),
    );
  },
});
