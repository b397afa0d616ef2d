// The arguments of `burin tool NAME`: flags made from the tool's own schema, or the JSON a model would write.
import type { ArgDef, ArgsDef } from "citty";
import { invalid, ok, type Result } from "../base/failure.ts";
import { isRecord } from "../base/schema.ts";
import type { Tool } from "../tools/tool.ts";

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

type Property = { name: string; type: "boolean" | "number" | "json" | "text"; isRequired: boolean };

export function propertiesOf(tool: Tool): Property[] {
  const { properties, required } = tool.parameters;
  if (!isRecord(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: kindOf(isRecord(schema) ? schema["type"] : undefined),
    isRequired: needed.includes(name),
  }));
}

function kindOf(type: unknown): Property["type"] {
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  return type === "string" ? "text" : "json";
}

/** `ignoreCase` becomes `--ignore-case`. */
export function flagName(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagsFor(tool: Tool): Record<string, ArgDef> {
  const own = propertiesOf(tool).map(({ name, type, isRequired }): [string, ArgDef] => {
    const description = isRequired ? "Required" : "";
    if (type === "boolean") return [flagName(name), { type, description }];
    return [flagName(name), { type: "string", valueHint: HINTS[type], description }];
  });
  return Object.fromEntries(own);
}

const HINTS = { number: "N", json: "JSON", text: "TEXT" } as const;

/** Everything `burin tool NAME` takes: the tool's own arguments, and what all tools take. */
export function argsFor(tool: Tool): ArgsDef {
  return { ...flagsFor(tool), ...COMMON_FLAGS, ...OWN_FLAGS[tool.name] };
}

/** From flags and plain words: the first required argument may stand without its flag. */
export function inputFromFlags(
  tool: Tool,
  given: { args: Readonly<Record<string, unknown>>; words: readonly string[] },
): Result<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  if (given.args["anchors"] !== undefined) input["anchors"] = jsonOrText(given.args["anchors"]);
  for (const { name, type } of propertiesOf(tool)) {
    const value = given.args[flagName(name)];
    if (value === undefined) continue;
    const read = type === "json" ? jsonOrText(value) : value;
    input[name] = type === "number" ? Number(value) : read;
  }
  if (given.words.length === 0) return ok(input);
  const first = propertiesOf(tool).find(({ isRequired }) => isRequired) ?? propertiesOf(tool)[0];
  if (first === undefined || input[first.name] !== undefined) {
    return invalid(
      `unexpected argument ${JSON.stringify(given.words[0])}: see burin tool ${tool.name} --help`,
    );
  }
  return ok({ ...input, [first.name]: given.words.join(" ") });
}

function jsonOrText(value: unknown): unknown {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export async function inputFromJson(text: string): Promise<Result<unknown>> {
  const json = text === "-" ? await Bun.stdin.text() : text;
  try {
    const value: unknown = JSON.parse(json);
    return ok(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return invalid(`--args is not valid JSON (${why}): nothing was run`);
  }
}
