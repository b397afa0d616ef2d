// `burin tool NAME`: one tool run directly, by the same code as in a turn, without session and permissions.
import { invalid } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { toolNamed, toolNames } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import type { Command } from "./command.ts";
import { helpText } from "./help.ts";
import { formOf } from "./tool-form.ts";
import { argsFor, COMMON_FLAGS } from "./tool-input.ts";
import { callTool } from "./tool-run.ts";

export const toolCommand: Command = {
  help: ([name = ""]) => help(toolNamed(name)),
  call: async ([name, ...argv]) => {
    const tool = name === undefined ? null : toolNamed(name);
    if (tool === null) return invalid(unknownTool(name));
    return callTool(tool, argv);
  },
};

const EXAMPLES = [
  "burin tool read README.md --limit 20",
  "burin tool grep TODO src",
  "burin tool bash -- ls -la",
];

function unknownTool(name: string | undefined): string {
  const known = toolNames().join(", ");
  if (name === undefined) return `burin tool needs a tool: one of ${known}`;
  const close = nearest(name, toolNames());
  return `there is no tool ${name}${close === null ? "" : `; did you mean ${close}?`} (known: ${known})`;
}

function help(tool: Tool | null): string {
  return helpText({
    name: `burin tool ${tool?.name ?? ""}`.trim(),
    summary: tool?.summary ?? "run one tool directly, by the code a turn uses",
    usage:
      tool === null
        ? ["burin tool NAME [FLAGS] [WORDS]", "burin tool NAME --args JSON"]
        : [
            `burin tool ${tool.name} [FLAGS] ${formOf(tool.name).usage}`,
            `burin tool ${tool.name} --args JSON`,
          ],
    args: tool === null ? COMMON_FLAGS : argsFor(tool),
    sections: tool === null ? [{ title: "Tools", rows: toolRows() }] : [],
    examples: tool === null ? EXAMPLES : formOf(tool.name).examples,
  });
}

function toolRows(): (readonly [string, string])[] {
  return toolNames().map((name) => [name, toolNamed(name)?.summary ?? ""] as const);
}
