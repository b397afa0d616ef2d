// From what a model wrote to a tool's arguments: other names and loose types accepted, mistakes named with the way out.
import { type GenericSchema, getDotPath, type InferOutput, safeParse } from "valibot";
import { type Failure, invalid, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { isRecord, jsonSchema } from "../base/schema.ts";
import type { JsonSchema } from "../model/request.ts";

/** Names that models know from other tools, tried only where the right one is missing. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  path: ["file_path", "filePath", "filepath", "file", "filename", "target_file", "notebook_path"],
  paths: ["directories", "folders"],
  files: ["paths", "file_paths"],
  background: ["run_in_background", "runInBackground", "is_background"],
  cwd: ["workdir", "working_directory", "workingDirectory"],
  command: ["cmd", "script"],
  timeout: ["timeout_seconds", "timeoutSeconds"],
  content: ["contents", "text", "file_text", "fileText"],
  edits: ["changes", "replacements"],
  oldText: ["old_string", "oldString", "old_text", "old_str", "oldStr", "search"],
  newText: ["new_string", "newString", "new_text", "new_str", "newStr", "replace", "replacement"],
  all: ["replace_all", "replaceAll"],
  dryRun: ["dry_run"],
  offset: ["start_line", "startLine", "start", "line"],
  limit: ["max_results", "maxResults", "head_limit", "num_lines", "lines"],
  pattern: ["query", "search", "glob", "regex", "name"],
  glob: ["include", "file_pattern"],
  ignoreCase: ["ignore_case", "case_insensitive", "-i"],
  context: ["context_lines", "-C"],
  filesOnly: ["files_only", "files_with_matches"],
};
/** For folders: `path` of ls, find and grep. Last, because to `bash` and `edit` they mean nothing. */
const FOLDER_NAMES: ReadonlySet<string> = new Set(["dir_path", "directory", "dir", "folder"]);
/** Models explain their calls here; nothing is done with it. */
const IGNORED: ReadonlySet<string> = new Set(["description", "explanation", "reason"]);
const MAX_MISTAKES = 3;

/** Whether a call may mean the argument `name` by `key`. */
export function isNameFor(name: string, key: string): boolean {
  return key === name || (ALIASES[name]?.includes(key) ?? false);
}

export type Arguments<T> = {
  parameters: JsonSchema;
  parse(input: unknown): Result<T>;
};

/** The schema for the model and the parser for its calls, from one definition. */
export function defineArguments<const S extends GenericSchema>(
  tool: string,
  schema: S,
): Arguments<InferOutput<S>> {
  const parameters = jsonSchema(schema);
  return {
    parameters,
    parse(input) {
      const fitted = fit(parameters, input);
      const names = Object.keys(propertiesOf(parameters)).join(", ");
      if (!isRecord(fitted))
        return failureOf(tool, `the arguments must be one JSON object with ${names}`);
      const parsed = safeParse(schema, fitted);
      if (parsed.success) return ok(parsed.output);
      const mistakes = parsed.issues.slice(0, MAX_MISTAKES).map((issue) => {
        const path = getDotPath(issue) ?? "";
        return mistake(parameters, path, issue);
      });
      return failureOf(tool, [...new Set(mistakes)].join("; "));
    },
  };
}

export function failureOf(tool: string, what: string): { ok: false; failure: Failure } {
  return invalid(`${tool}: ${what}${what.endsWith("?") ? "" : "."} Nothing was done`);
}

/** Brings a value nearer to its schema without guessing at its meaning: names, numbers as text, one thing for a list. */
function fit(schema: JsonSchema, value: unknown): unknown {
  switch (schema["type"]) {
    case "object":
      return fitObject(schema, value);
    case "array":
      return fitArray(schema, value);
    case "integer":
    case "number":
      return typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value)
        ? Number(value)
        : value;
    case "boolean":
      if (value === "true") return true;
      return value === "false" ? false : value;
    case "string":
      return fitText(value);
    default:
      return value;
  }
}

/** A list of one text, and a number that was written without quotes: `pattern: 404`. */
function fitText(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  const [only, ...more] = Array.isArray(value) ? value : [];
  return typeof only === "string" && more.length === 0 ? only : value;
}

function fitObject(schema: JsonSchema, value: unknown): unknown {
  const given = typeof value === "string" ? parsedJson(value) : value;
  const properties = propertiesOf(schema);
  if (!isRecord(given)) {
    // `files: ["a.ts"]` for `files: [{path: "a.ts"}]`.
    return typeof given === "string" && "path" in properties ? { path: given } : given;
  }
  const fitted: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(given)) {
    const name = properName(key, properties, given);
    // Strict providers send null for what is left out.
    if (name === null || entry === null) continue;
    const property = properties[name];
    fitted[name] = isRecord(property) ? fit(property, entry) : entry;
  }
  return fitted;
}

function properName(key: string, properties: JsonSchema, given: JsonSchema): string | null {
  if (key in properties) return key;
  const isFor = (name: string): boolean =>
    name in properties &&
    !(name in given) &&
    ((ALIASES[name]?.includes(key) ?? false) || (name === "path" && FOLDER_NAMES.has(key)));
  const name = Object.keys(ALIASES).find(isFor);
  if (name !== undefined) return name;
  return IGNORED.has(key) ? null : key;
}

function fitArray(schema: JsonSchema, value: unknown): unknown {
  const given = typeof value === "string" ? parsedJson(value) : value;
  const items = isRecord(schema["items"]) ? schema["items"] : {};
  const list = Array.isArray(given) ? given : [given];
  return list.map((item) => fit(items, item));
}

/** A list or an object that was sent as text. */
function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Issue = { type: string; kind: string; expected: string | null; received: string };

function mistake(parameters: JsonSchema, path: string, issue: Issue): string {
  const parent = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "";
  const name = path.slice(parent === "" ? 0 : parent.length + 1);
  const known = Object.keys(propertiesOf(schemaAt(parameters, parent)));
  const where = parent === "" ? "" : ` in ${parent}`;
  if (issue.type === "strict_object" && issue.expected === "never") {
    const near = nearest(name, known);
    const hint = near === null ? `it takes ${known.join(", ")}` : `did you mean ${near}?`;
    return `there is no argument ${name}${where}: ${hint}`;
  }
  if (issue.received === "undefined") return `${name} is missing${where}`;
  const received = issue.received.slice(0, 60);
  return `${path} must be ${expectation(schemaAt(parameters, path))}, not ${received}`;
}

function expectation(schema: JsonSchema): string {
  const {
    type,
    minimum,
    maximum,
    minItems,
    maxItems,
    minLength,
    maxLength,
    enum: choices,
  } = schema;
  if (type === "array") return `a list of ${range(minItems ?? 0, maxItems)}`;
  if (Array.isArray(choices)) return `one of ${choices.map((one) => String(one)).join(", ")}`;
  if (maxLength !== undefined) return `a text of ${range(minLength ?? 0, maxLength)} characters`;
  const kind = KINDS[String(type)] ?? `of type ${String(type)}`;
  if (minimum === undefined && maximum === undefined) return kind;
  return `${kind}, ${range(minimum ?? 0, maximum)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

function range(least: unknown, most: unknown): string {
  if (most === undefined) return `${JSON.stringify(least)} or more`;
  return `${JSON.stringify(least)} to ${JSON.stringify(most)}`;
}

/** The part of the schema that a dotted path such as `edits.0.oldText` speaks of. */
function schemaAt(schema: JsonSchema, path: string): JsonSchema {
  let at = schema;
  for (const part of path === "" ? [] : path.split(".")) {
    const next = at["type"] === "array" ? at["items"] : propertiesOf(at)[part];
    if (!isRecord(next)) return {};
    at = next;
  }
  return at;
}

function propertiesOf(schema: JsonSchema): JsonSchema {
  return isRecord(schema["properties"]) ? schema["properties"] : {};
}
