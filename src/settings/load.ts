// Reads the settings: the user's file, the one named by --config, then --setting KEY=VALUE; later ones win.
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { broken, missing, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { SettingsSchema, type Settings } from "./schema.ts";

export type Sources = {
  /** The user's own file; it may be absent. */
  userFile: string | null;
  /** Named by flag or BURIN_CONFIG; it must be there. */
  namedFile: string | null;
  /** `KEY=VALUE`, the key dotted, the value as TOML or plain text. */
  pairs: readonly string[];
};

export type Loaded = { settings: Settings; warnings: string[] };

type Table = { [key: string]: unknown };
type Source = { name: string; text: string | null; table: Table };

export function loadSettings(sources: Sources): Result<Loaded> {
  const read: Source[] = [];
  for (const next of [readUser(sources.userFile), readNamed(sources.namedFile)]) {
    if (!next.ok) return next;
    if (next.value) read.push(next.value);
  }
  for (const pair of sources.pairs) {
    const table = pairTable(pair);
    if (!table.ok) return table;
    read.push({ name: `--setting ${pair}`, text: null, table: table.value });
  }
  const warnings = read.flatMap((source) => unknownKeys(source));
  for (const source of read) {
    const checked = v.safeParse(SettingsSchema, source.table);
    if (!checked.success) return broken(explain(source, checked.issues[0]));
  }
  const merged = read.reduce<Table>((all, source) => merge(all, source.table), {});
  const parsed = v.safeParse(SettingsSchema, merged);
  if (!parsed.success) return broken(parsed.issues[0].message);
  return ok({ settings: parsed.output, warnings });
}

function readUser(path: string | null): Result<Source | null> {
  if (path === null) return ok(null);
  const text = textOf(path);
  return text.ok ? parse(path, text.value) : ok(null);
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
    return missing(
      `the config file ${path} cannot be read (${why}): correct --config or BURIN_CONFIG`,
    );
  }
}

function parse(name: string, text: string): Result<Source> {
  try {
    const table: unknown = name.endsWith(".json") ? JSON.parse(text) : Bun.TOML.parse(text);
    return isTable(table)
      ? ok({ name, text, table })
      : broken(`${name} holds no table of settings`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return broken(
      `${name}:${brokenLine(text)}: not valid TOML (${why}): correct the line or remove it`,
    );
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
    return broken(`--setting ${pair} is not KEY=VALUE, such as agent.max_rounds=10`);
  }
  const value = pair.slice(at + 1).trim();
  for (const written of [value, JSON.stringify(value)]) {
    try {
      const table: unknown = Bun.TOML.parse(`${key} = ${written}`);
      if (isTable(table)) return ok(table);
    } catch {
      continue;
    }
  }
  return broken(`--setting ${pair}: the value cannot be read`);
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

/** `:12` of the line that gives the key its value; empty where it cannot be told. */
function lineOf(text: string | null, path: readonly string[]): string {
  const key = path.findLast((part) => !/^\d+$/.test(part));
  if (text === null || key === undefined) return "";
  const at = text
    .split("\n")
    .findIndex((line) => new RegExp(`(^|[.\\s\\["])${key}["\\]]*\\s*[=\\]]`).test(line));
  return at < 0 ? "" : `:${at + 1}`;
}

function unknownKeys({ name, text, table }: Source): string[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const known = KNOWN[key];
    if (known === undefined) return [warning(name, text, [key], Object.keys(KNOWN))];
    if (known.length === 0 || !isTable(value)) return [];
    return Object.keys(value)
      .filter((inner) => !known.includes(inner))
      .map((inner) => warning(name, text, [key, inner], known));
  });
}

/** Tables and their keys; an empty list means that any key may stand there. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  schema_version: [],
  model: [],
  mode: [],
  session: ["dir"],
  agent: ["max_rounds", "max_headless_rounds"],
  providers: [],
  permissions: ["allow", "ask", "deny"],
  headless: ["ask"],
};

function warning(
  name: string,
  text: string | null,
  path: string[],
  known: readonly string[],
): string {
  const close = nearest(path.at(-1) ?? "", known);
  const hint = close === null ? "it is ignored" : `it is ignored; did you mean ${close}?`;
  return `${name}${lineOf(text, path)}: unknown key ${path.join(".")}: ${hint}`;
}
