// The few settings of git that decide what is listed, read from its configuration files.
import { toBytes, type Bytes } from "./bytes.ts";
import { readBytes } from "./read-bytes.ts";
import type { Environment } from "../host/env.ts";

export type GitSettings = {
  /** core.excludesFile, absolute; null for none. */
  excludesFile: Bytes | null;
  /** core.ignoreCase */
  fold: boolean;
  /** Bytes of an object name in the index. */
  hashBytes: 20 | 32;
};

const MAX_INCLUDES = 10;

/** The files of the machine and the user first, then those given (the repository's): the last value wins. */
export function gitSettings(own: readonly Bytes[], root: Bytes, env: Environment): GitSettings {
  const values = new Map<string, string>();
  for (const file of [...sharedFiles(env), ...own]) readConfig(file, values, env, 0);
  const home = configHome(env);
  const named = values.get("core.excludesfile");
  const standard = home === null ? null : toBytes(`${home}/git/ignore`);
  return {
    excludesFile: named === undefined ? standard : resolved(named, root, env),
    fold: isTrue(values.get("core.ignorecase")),
    hashBytes: values.get("extensions.objectformat") === "sha256" ? 32 : 20,
  };
}

function sharedFiles(env: Environment): Bytes[] {
  const files: string[] = [];
  if (!isTrue(env["GIT_CONFIG_NOSYSTEM"])) files.push(env["GIT_CONFIG_SYSTEM"] ?? "/etc/gitconfig");
  const one = env["GIT_CONFIG_GLOBAL"];
  if (one !== undefined) return [...files, one].map(toBytes);
  const home = configHome(env);
  if (home !== null) files.push(`${home}/git/config`);
  if (env["HOME"] !== undefined) files.push(`${env["HOME"]}/.gitconfig`);
  return files.map(toBytes);
}

function configHome(env: Environment): string | null {
  const xdg = env["XDG_CONFIG_HOME"];
  if (xdg !== undefined && xdg !== "") return xdg;
  return env["HOME"] === undefined ? null : `${env["HOME"]}/.config`;
}

function resolved(path: Bytes, folder: Bytes, env: Environment): Bytes | null {
  if (path === "") return null;
  if (path.startsWith("~/")) return toBytes(env["HOME"] ?? "") + path.slice(1);
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|yes|on|1|)$/i.test(value);
}

type Entry = { key: string; value: string };

function readConfig(file: Bytes, into: Map<string, string>, env: Environment, depth: number): void {
  for (const { key, value } of entriesOf(readBytes(file) ?? "")) {
    into.set(key, value);
    if (key !== "include.path" || depth === MAX_INCLUDES) continue;
    const other = resolved(value, file.slice(0, file.lastIndexOf("/")), env);
    if (other !== null) readConfig(other, into, env, depth + 1);
  }
}

/** Keys are `section.key` in lower case; sections with a subsection are passed over. */
function entriesOf(content: Bytes): Entry[] {
  const entries: Entry[] = [];
  let section: string | null = null;
  for (const line of content.replaceAll(/\\\r?\n/g, "").split("\n")) {
    const head = SECTION.exec(line);
    if (head) section = head[2] === undefined ? (head[1] ?? null) : null;
    const entry = section === null ? null : entryOf(section, line.replace(SECTION, ""));
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

const SECTION = /^\s*\[\s*([\w.-]+)\s*("(?:[^"\\]|\\.)*")?\s*\]/;

function entryOf(section: string, line: Bytes): Entry | null {
  const pair = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(line);
  if (!pair) return null;
  const [, name = "", value = ""] = pair;
  return { key: `${section}.${name}`.toLowerCase(), value: unquoted(value) };
}

/** A quoted part, an escape, a comment up to the end, or one other character. */
const PIECE = /"(?:[^"\\]|\\.)*"|\\.|[#;].*|[^]/g;

/** A value up to its comment, without quotes, escapes and the spaces around it. */
function unquoted(raw: string): string {
  const pieces = raw.match(PIECE) ?? [];
  return pieces.map(plain).join("").trim().replaceAll(PROTECTED, " ");
}

/** Spaces in quotes stay. No byte string has this character. */
const PROTECTED = "\u2400";

function plain(piece: string): string {
  if (/^[#;]/.test(piece)) return "";
  if (piece.length === 1) return piece;
  const inner = piece.startsWith('"') ? piece.slice(1, -1) : piece;
  return inner
    .replaceAll(/\\(.)/g, (_, letter: string) => ESCAPES.get(letter) ?? letter)
    .replaceAll(" ", PROTECTED);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
]);
