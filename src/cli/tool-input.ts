// The arguments of `burin tool NAME`: flags made from the tool's own schema, or the JSON a model would write.
import type { ArgDef, ArgsDef } from "citty";
import { invalid, ok, type Result } from "../base/failure.ts";
import { isRecord } from "../base/schema.ts";
import type { JsonSchema } from "../model/request.ts";
import type { Tool } from "../tools/tool.ts";
import { formOf, inputFromWords } from "./tool-form.ts";

/** Flags that every tool has beside its own arguments. */
export const COMMON_FLAGS = {
  args: {
    type: "string",
    valueHint: "JSON|-",
    description: "The arguments as the model would give them; - reads standard input",
  },
  json: { type: "boolean", description: "Print {content, isError, truncated, diff, durationMs}" },
} as const satisfies ArgsDef;

const RAW_FLAGS = {
  raw: { type: "boolean", description: "One result a line, no notices" },
  null: {
    type: "boolean",
    alias: "0",
    description: "With --raw: a zero byte after each result instead of a line break",
  },
} as const satisfies ArgsDef;

const ANCHORED_FLAGS = {
  anchored: { type: "boolean", description: "Lines with the anchors that edit --anchors takes" },
} as const satisfies ArgsDef;

const ANCHORS_FLAGS = {
  anchors: {
    type: "string",
    valueHint: "JSON",
    description: "Instead of --edits: [{from, to, newText}] or [{after, newText}] by anchors",
  },
} as const satisfies ArgsDef;

/** Flags of single tools beside the arguments that a model is told of. */
const OWN_FLAGS: Readonly<Record<string, ArgsDef>> = {
  find: RAW_FLAGS,
  grep: RAW_FLAGS,
  read: ANCHORED_FLAGS,
  edit: ANCHORS_FLAGS,
};

type Property = {
  name: string;
  /** `list`: of texts, one of which may stand alone. */
  type: "boolean" | "number" | "list" | "json" | "text";
  isRequired: boolean;
};

export function propertiesOf(tool: Tool): Property[] {
  const { properties, required } = tool.parameters;
  if (!isRecord(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: kindOf(isRecord(schema) ? schema : {}),
    isRequired: needed.includes(name),
  }));
}

function kindOf({ type, items }: JsonSchema): Property["type"] {
  if (type === "array" && isRecord(items) && items["type"] === "string") return "list";
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  return type === "string" ? "text" : "json";
}

/** `ignoreCase` becomes `--ignore-case`. */
export function flagName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagsFor(tool: Tool): Record<string, ArgDef> {
  const { flags: told } = formOf(tool.name);
  const own = propertiesOf(tool).map(({ name, type, isRequired }): [string, ArgDef] => {
    const flag = flagName(name);
    const description = `${told[flag] ?? ""}${isRequired ? " (required)" : ""}`.trim();
    if (type === "boolean") return [flag, { type, description }];
    return [flag, { type: "string", valueHint: HINTS[type], description }];
  });
  return Object.fromEntries(own);
}

const HINTS = { number: "N", list: "TEXT|JSON", json: "JSON", text: "TEXT" } as const;

/** Everything `burin tool NAME` takes: the tool's own arguments, and what all tools take. */
export function argsFor(tool: Tool): ArgsDef {
  return { ...flagsFor(tool), ...COMMON_FLAGS, ...OWN_FLAGS[tool.name] };
}

/** From flags and plain words. */
export function inputFromFlags(
  tool: Tool,
  given: { args: Readonly<Record<string, unknown>>; words: readonly string[] },
): Result<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  const anchors = { name: "anchors", type: "json", isRequired: false } as const;
  for (const { name, type } of [...propertiesOf(tool), anchors]) {
    const flag = flagName(name);
    const value = given.args[flag];
    if (value === undefined) continue;
    const read = typeof value === "string" ? valueOf(`--${flag}`, type, value) : ok(value);
    if (!read.ok) return read;
    input[name] = read.value;
  }
  const spoken = inputFromWords(tool.name, given.words, input);
  return spoken.ok ? ok({ ...input, ...spoken.value }) : spoken;
}

function valueOf(flag: string, type: Property["type"], text: string): Result<unknown> {
  switch (type) {
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text)
        ? ok(Number(text))
        : invalid(`${flag} must be a number, not ${JSON.stringify(text)}`);
    case "list":
      return text.startsWith("[") ? jsonValue(flag, text) : ok(text);
    case "json":
      return jsonValue(flag, text);
    case "boolean":
    case "text":
      return ok(text);
  }
}

function jsonValue(flag: string, text: string): Result<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return ok(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return invalid(`${flag} is not valid JSON (${why}): nothing was run`);
  }
}

export async function inputFromJson(text: string): Promise<Result<unknown>> {
  return jsonValue("--args", text === "-" ? await Bun.stdin.text() : text);
}
