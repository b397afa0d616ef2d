// Runs one tool directly and prints its result, as text or with --json as one object.
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT_FAILED } from "../base/exit-codes.ts";
import { invalid, ok, sentence, type Result } from "../base/failure.ts";
import { newId } from "../base/ids.ts";
import { visible } from "../base/plain.ts";
import { isTerminal } from "../host/terminal.ts";
import type { Output, Tool } from "../tools/tool.ts";
import { readArguments } from "./arguments.ts";
import { print } from "./exit.ts";
import { argsFor, inputFromFlags, inputFromJson } from "./tool-input.ts";
import { directKit, type DirectKit } from "./tool-kit.ts";
import { commandSettingsFor, editingFor } from "./tool-settings.ts";
import { valuesOf } from "./values-of.ts";

export async function callTool(tool: Tool, argv: readonly string[]): Promise<Result<number>> {
  const defs = argsFor(tool);
  const read = readArguments(argv, defs, { words: Infinity });
  if (!read.ok) return read;
  const args: Record<string, unknown> = valuesOf(read.value.flags, defs);
  if (args["raw"] === true && args["json"] === true) {
    return invalid("--raw and --json contradict each other: give one of them");
  }
  const input =
    typeof args["args"] === "string"
      ? await inputFromJson(args["args"])
      : inputFromFlags(tool, { args, words: read.value.words });
  if (!input.ok) return input;
  const spillDir = join(tmpdir(), `burin-tool-${newId()}`);
  const settings = await commandSettingsFor(tool);
  if (!settings.ok) return settings;
  const editing = args["anchored"] === true ? ok("anchored" as const) : await editingFor(tool);
  if (!editing.ok) return editing;
  using direct = directKit(spillDir, settings.value, editing.value);
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
  const prepared = await tool.prepare(input, direct.kit);
  const result = prepared.ok ? await prepared.value.run(direct.kit) : prepared;
  const output = result.ok ? result.value : failureOutput(sentence(result.failure));
  await direct.kit.processes.endSurvivors();
  const durationMs = Math.round(performance.now() - began);
  const shown = isJson
    ? `${JSON.stringify(jsonOf(output, durationMs))}\n`
    : await shownText(output);
  const printed = print(shown);
  // A spilled output is named in the result: it stays for whoever reads that.
  if (output.truncated?.file === undefined)
    await rm(direct.kit.spillDir, { recursive: true, force: true });
  return direct.exit() ?? (printed === 0 && output.isError ? EXIT_FAILED : printed);
}

/** A file can hold what steers a terminal; in a pipe it stays as it is. */
async function shownText(output: Output): Promise<string> {
  const text = textOf(output);
  return (await isTerminal(1)) ? visible(text, "\n\t") : text;
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
