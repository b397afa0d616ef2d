// Runs one tool directly and prints its result, as text or with --json as one object.
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT_FAILED } from "../base/exit-codes.ts";
import { invalid, ok, sentence, type Result } from "../base/failure.ts";
import { newId } from "../base/ids.ts";
import { environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import type { Output, Tool } from "../tools/tool.ts";
import { readArguments } from "./arguments.ts";
import { print } from "./exit.ts";
import { argsFor, inputFromFlags, inputFromJson } from "./tool-input.ts";
import { directKit, type DirectKit } from "./tool-kit.ts";
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
  const withheld = await keyVariablesFor(tool);
  if (!withheld.ok) return withheld;
  using direct = directKit(spillDir, withheld.value);
  if (args["raw"] === true) {
    const { printRaw } = await import("./tool-raw.ts");
    return printRaw(tool.name, input.value, { kit: direct.kit, isNull: args["null"] === true });
  }
  return ok(await runDirect(tool, input.value, direct, args["json"] === true));
}

/** Only a tool that runs commands can give a key away: for the others no settings are loaded. */
async function keyVariablesFor({ name }: Tool): Promise<Result<string[]>> {
  if (name !== "bash") return ok([]);
  const { keyVariablesOf, settingsOf } = await import("./settings-of.ts");
  const env = environment();
  const loaded = settingsOf({ config: places(env).config, env });
  return loaded.ok ? ok(keyVariablesOf(loaded.value.settings)) : loaded;
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
  const printed = print(
    isJson ? `${JSON.stringify(jsonOf(output, durationMs))}\n` : textOf(output),
  );
  // A spilled output is named in the result: it stays for whoever reads that.
  if (output.truncated?.file === undefined)
    await rm(direct.kit.spillDir, { recursive: true, force: true });
  return direct.exit() ?? (printed === 0 && output.isError ? EXIT_FAILED : printed);
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
