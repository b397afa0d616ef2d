// Reads the settings: the user's file, the one named by --config, then --setting KEY=VALUE; later ones win.
import { existsSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { broken, invalid, missing, ok, sentence, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { SettingsSchema, type Settings } from "./schema.ts";

export type Sources = {
  /** The user's own file; it may be absent. */
  userFile: string | null;
  /** Named by flag or BURIN_CONFIG; it must be there. */
  namedFile: string | null;
  /** `KEY=VALUE`, the key dotted, the value as TOML or plain text. */
  pairs: readonly string[];
  /** The one key that must be right; what is wrong with others is told as a warning. Without it all must be. */
  needed?: string | undefined;
};

export type Loaded = { settings: Settings; warnings: string[] };

type Table = { [key: string]: unknown };
type Source = { name: string; text: string | null; table: Table };

export function loadSettings(sources: Sources): Result<Loaded> {
  const read = readAll(sources);
  if (!read.ok) return read;
  const { all, warnings } = read.value;
  const unknown = all.flatMap((source) => unknownKeys(source));
  const lost = unknown.find(({ isRule }) => isRule);
  if (lost !== undefined && sources.needed === undefined) {
    return broken(`${lost.told}: correct it`);
  }
  const tables: Table[] = [];
  for (const source of all) {
    const checked = usable(source, sources.needed);
    if (!checked.ok) return checked;
    tables.push(checked.value.table);
    warnings.push(...checked.value.warnings);
  }
  const parsed = v.safeParse(SettingsSchema, tables.reduce<Table>(merge, {}));
  if (!parsed.success) return broken(parsed.issues[0].message);
  const ignored = unknown.map(({ told }) => `${told}: it is ignored`);
  return ok({ settings: parsed.output, warnings: [...warnings, ...ignored] });
}

function readAll(sources: Sources): Result<{ all: Source[]; warnings: string[] }> {
  const all: Source[] = [];
  const warnings: string[] = [];
  for (const next of [readUser(sources.userFile), readNamed(sources.namedFile)]) {
    if (next.ok) all.push(...(next.value === null ? [] : [next.value]));
    else if (sources.needed === undefined) return next;
    else warnings.push(sentence(next.failure));
  }
  for (const pair of sources.pairs) {
    const table = pairTable(pair);
    if (!table.ok) return table;
    all.push({ name: `--setting ${pair}`, text: null, table: table.value });
  }
  return ok({ all, warnings });
}

/** The table where all of it is right; where one key only is needed, without the others that are not. */
function usable(
  source: Source,
  needed: string | undefined,
): Result<{ table: Table; warnings: string[] }> {
  const checked = v.safeParse(SettingsSchema, source.table);
  if (checked.success) return ok({ table: source.table, warnings: [] });
  const [issue] = checked.issues;
  const wrong = issue.path?.[0].key;
  const why = explain(source, issue);
  if (needed === undefined || wrong === needed) return broken(why);
  const table = Object.fromEntries(Object.entries(source.table).filter(([key]) => key !== wrong));
  const rest = usable({ ...source, table }, needed);
  return rest.ok ? ok({ table: rest.value.table, warnings: [why, ...rest.value.warnings] }) : rest;
}

function readUser(path: string | null): Result<Source | null> {
  if (path === null) return ok(null);
  // Only a file that is not there may be passed over: one that cannot be read may hold rules that forbid.
  if (!existsSync(path)) return ok(null);
  return readNamed(path);
}

function readNamed(path: string | null): Result<Source | null> {
  if (path === null) return ok(null);
  const text = textOf(path);
  return text.ok ? parse(path, text.value) : text;
}

function textOf(path: string): Result<string> {
  try {
    return ok(readFileSync(path, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const what = `the config file ${path} cannot be read (${why})`;
    return existsSync(path)
      ? broken(`${what}: correct its rights`)
      : missing(`${what}: correct what --config or BURIN_CONFIG names`);
  }
}

const PARSERS = {
  TOML: (text: string): unknown => Bun.TOML.parse(text),
  JSON: (text: string): unknown => JSON.parse(text),
  YAML: (text: string): unknown => Bun.YAML.parse(text),
} as const;

function formOf(name: string): keyof typeof PARSERS {
  if (name.endsWith(".json")) return "JSON";
  return /\.ya?ml$/.test(name) ? "YAML" : "TOML";
}

function parse(name: string, text: string): Result<Source> {
  const form = formOf(name);
  try {
    const table: unknown = PARSERS[form](text);
    return isTable(table)
      ? ok({ name, text, table })
      : broken(`${name} holds no table of settings`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const line = form === "TOML" ? `:${brokenLine(text)}` : "";
    return broken(`${name}${line}: not valid ${form} (${why}): correct it or remove it`);
  }
}

/** Bun's TOML errors carry no position: the first line at which the text so far stops parsing is the place. */
function brokenLine(text: string): number {
  const lines = text.split("\n");
  for (let count = 1; count <= lines.length; count++) {
    try {
      Bun.TOML.parse(lines.slice(0, count).join("\n"));
    } catch {
      return count;
    }
  }
  return lines.length;
}

function pairTable(pair: string): Result<Table> {
  const at = pair.indexOf("=");
  const key = pair.slice(0, at).trim();
  if (at < 1 || !/^[\w.-]+$/.test(key)) {
    return invalid(`--setting ${pair} is not KEY=VALUE, such as agent.max_rounds=10`);
  }
  const value = pair.slice(at + 1).trim();
  // A line break would let the value speak of other keys: then it is text.
  const readings = /[\r\n]/.test(value) ? [] : [value];
  for (const written of [...readings, JSON.stringify(value)]) {
    try {
      const table: unknown = Bun.TOML.parse(`${key} = ${written}`);
      if (isTable(table)) return ok(table);
    } catch {
      continue;
    }
  }
  return invalid(`--setting ${pair}: the value cannot be read`);
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tables merge deeply, everything else is replaced; permission lists are appended in order. */
function merge(below: Table, above: Table): Table {
  const all: Table = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const old = all[key];
    if (isTable(old) && isTable(value)) all[key] = merge(old, value);
    else if (Array.isArray(old) && Array.isArray(value)) all[key] = [...old, ...value];
    else all[key] = value;
  }
  return all;
}

function explain(source: Source, issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map((item) => String(item.key));
  const place = lineOf(source.text, path);
  const found = JSON.stringify(issue.input);
  return `${source.name}${place}: ${path.join(".")} must be ${issue.message}, not ${found}`;
}

/** `:12` of the line that gives the key its value, or names its table; empty where it cannot be told. */
function lineOf(text: string | null, path: readonly string[]): string {
  if (text === null) return "";
  const keys = path.filter((part) => !/^\d+$/.test(part));
  const places = keyPlaces(text);
  for (let depth = keys.length; depth > 0; depth--) {
    const wanted = JSON.stringify(keys.slice(0, depth));
    const at = places.findIndex((place) => JSON.stringify(place) === wanted);
    if (at >= 0) return `:${at + 1}`;
  }
  return "";
}

/** Of every line of a TOML file the key it sets or the table it opens; null for the others. */
function keyPlaces(text: string): (string[] | null)[] {
  let table: string[] = [];
  return text.split("\n").map((line) => {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) table = keyParts(header);
    const key = /^\s*((?:[\w.\- ]|"[^"]*"|'[^']*')+?)\s*=/.exec(line)?.[1];
    if (header !== undefined) return table;
    return key === undefined ? null : table.concat(keyParts(key));
  });
}

function keyParts(written: string): string[] {
  return [...written.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** Every key that the schema does not have, however deep. */
function unknownKeys(
  { name, text, table }: Source,
  schema: unknown = SettingsSchema,
  path: readonly string[] = [],
): Unknown[] {
  const shape = shapeOf(schema);
  return Object.entries(table).flatMap(([key, value]) => {
    const at = [...path, key];
    const isKnown = Object.hasOwn(shape.entries, key);
    const entry = isKnown ? shape.entries[key] : shape.each;
    if (!isKnown && entry === undefined)
      return [unknownKey({ name, text, path: at, known: Object.keys(shape.entries) })];
    return isTable(value) ? unknownKeys({ name, text, table: value }, entry, at) : [];
  });
}

/** A table with keys of its own, or one whose keys are names, each with the same behind it. */
type Shape = { entries: Table; each: unknown };

function shapeOf(schema: unknown): Shape {
  if (!isTable(schema)) return { entries: {}, each: null };
  const { wrapped, entries, rest, value } = schema;
  if (wrapped !== undefined) return shapeOf(wrapped);
  return isTable(entries) ? { entries, each: rest } : { entries: {}, each: value ?? null };
}

/** `isRule`: among the permissions, where a mistyped key would lose rules, those that forbid as well. */
type Unknown = { told: string; isRule: boolean };

function unknownKey({ name, text, path, known }: Misplaced): Unknown {
  const close = nearest(path.at(-1) ?? "", known);
  const hint = close === null ? "" : ` (did you mean ${close}?)`;
  return {
    told: `${name}${lineOf(text, path)}: unknown key ${path.join(".")}${hint}`,
    isRule: path[0] === "permissions",
  };
}

type Misplaced = {
  name: string;
  text: string | null;
  path: readonly string[];
  known: readonly string[];
};
