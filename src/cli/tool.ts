// `burin tool NAME`: one tool run directly, by the same code as in a turn, without session and permissions.
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, type ArgsDef } from "citty";
import { invalid, ok, sentence, type Result } from "../base/failure.ts";
import { newId } from "../base/ids.ts";
import { nearest } from "../base/nearest.ts";
import { out } from "../host/out.ts";
import { toolNamed, toolNames } from "../tools/registry.ts";
import type { Output, Tool } from "../tools/tool.ts";
import { readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { EXIT_FAILED } from "./exit.ts";
import { helpText } from "./help.ts";
import { directKit, type DirectKit } from "./tool-kit.ts";
import { COMMON_FLAGS, flagsFor, inputFromFlags, inputFromJson, RAW_FLAGS } from "./tool-input.ts";

export const toolCommand: Command = {
  help: ([name = ""]) => help(toolNamed(name)),
  call: async ([name, ...argv]) => {
    const tool = name === undefined ? null : toolNamed(name);
    if (tool === null) return invalid(unknownTool(name));
    return callTool(tool, argv);
  },
};

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
    usage: [`burin tool ${tool?.name ?? "NAME"} [FLAGS] [ARGUMENT]`, "burin tool NAME --args JSON"],
    args: tool === null ? COMMON_FLAGS : argsFor(tool),
    sections: tool === null ? [{ title: "Tools", rows: toolRows() }] : [],
    examples: [
      "burin tool read README.md --limit 20",
      "burin tool grep TODO --path src",
      "burin tool bash -- ls -la",
    ],
  });
}

function toolRows(): (readonly [string, string])[] {
  return toolNames().map((name) => [name, toolNamed(name)?.summary ?? ""] as const);
}

function argsFor(tool: Tool): ArgsDef {
  const raw = tool.name === "find" || tool.name === "grep" ? RAW_FLAGS : {};
  return { ...flagsFor(tool), ...COMMON_FLAGS, ...raw };
}

async function callTool(tool: Tool, argv: readonly string[]): Promise<Result<number>> {
  const defs = argsFor(tool);
  const read = readArguments(argv, defs, { words: Infinity });
  if (!read.ok) return read;
  const args: Record<string, unknown> = { ...parseArgs(read.value.args, defs) };
  const input =
    typeof args["args"] === "string"
      ? await inputFromJson(args["args"])
      : inputFromFlags(tool, { args, words: read.value.words });
  if (!input.ok) return input;
  const spillDir = join(tmpdir(), `burin-tool-${newId()}`);
  using direct = directKit(spillDir);
  if (args["raw"] === true) {
    const { printRaw } = await import("./tool-raw.ts");
    return printRaw(tool.name, input.value, { kit: direct.kit, isNull: args["null"] === true });
  }
  return ok(await runDirect(tool, input.value, direct, args["json"] === true));
}

async function runDirect(
  tool: Tool,
  input: unknown,
  direct: DirectKit,
  isJson: boolean,
): Promise<number> {
  const began = performance.now();
  const prepared = await tool.prepare(input, { cwd: direct.kit.cwd });
  const result = prepared.ok ? await prepared.value.run(direct.kit) : prepared;
  const output = result.ok ? result.value : failureOutput(sentence(result.failure));
  await direct.kit.processes.endSurvivors();
  const durationMs = Math.round(performance.now() - began);
  out(isJson ? `${JSON.stringify(jsonOf(output, durationMs))}\n` : textOf(output));
  // A spilled output is named in the result: it stays for whoever reads that.
  if (output.truncated?.file === undefined)
    await rm(direct.kit.spillDir, { recursive: true, force: true });
  return direct.exit() ?? (output.isError ? EXIT_FAILED : 0);
}

function failureOutput(text: string): Output {
  return { parts: [{ type: "text", text }], isError: true, summary: "failed" };
}

function textOf({ parts }: Output): string {
  const text = parts
    .map((part) =>
      part.type === "text" ? part.text : `[${part.type} ${part.mediaType} ${part.name}]`,
    )
    .join("\n");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function jsonOf({ parts, isError, truncated, diff }: Output, durationMs: number): object {
  return { content: parts, isError, truncated: truncated ?? null, diff: diff ?? null, durationMs };
}
