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

/** Keys are `section.key` in lower case; sections with a subsection are passed over. */
function readConfig(file: Bytes, into: Map<string, string>, env: Environment, depth: number): void {
  const content = readBytes(file);
  if (content === null) return;
  let section = "";
  for (const line of content.replaceAll(/\\\r?\n/g, "").split("\n")) {
    const head = /^\s*\[\s*([\w.-]+)\s*("(?:[^"\\]|\\.)*")?\s*\]/.exec(line);
    if (head) section = head[2] === undefined ? (head[1] ?? "").toLowerCase() : "";
    const pair = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(
      head ? line.slice(head[0].length) : line,
    );
    if (!pair || section === "") continue;
    const key = `${section}.${(pair[1] ?? "").toLowerCase()}`;
    const value = pair[2] === undefined ? "" : unquoted(pair[2]);
    into.set(key, value);
    if (key !== "include.path" || depth === MAX_INCLUDES) continue;
    const other = resolved(value, file.slice(0, file.lastIndexOf("/")), env);
    if (other !== null) readConfig(other, into, env, depth + 1);
  }
}

/** A value up to its comment, without quotes and escapes. */
function unquoted(raw: string): string {
  let value = "";
  let isQuoted = false;
  let kept = 0;
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at] ?? "";
    if (!isQuoted && (char === "#" || char === ";")) break;
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") value += ESCAPES.get(raw[++at] ?? "") ?? raw[at] ?? "";
    else value += char;
    if (isQuoted || !/\s/.test(char)) kept = value.length;
  }
  return value.slice(0, kept);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
]);
