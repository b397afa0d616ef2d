// Where burin keeps its files: the XDG folders, all under one with BURIN_HOME, and a folder name for each project.
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./env.ts";

const APP = "burin";
const SLUG_NAME_CHARS = 40;
const SLUG_HASH_CHARS = 10;

/** `home` is the person's own folder; the others are burin's. */
export type Places = { home: string; config: string; data: string; state: string; cache: string };

export function places(env: Environment): Places {
  const home = homeFolder(env);
  const one = env["BURIN_HOME"];
  if (one !== undefined && one !== "") {
    const at = resolve(one);
    const below = (name: string): string => join(at, name);
    return {
      home,
      config: below("config"),
      data: below("data"),
      state: below("state"),
      cache: below("cache"),
    };
  }
  // The XDG rules: a value that is not absolute is ignored.
  const folder = (value: string | undefined, otherwise: string): string =>
    join(value !== undefined && isAbsolute(value) ? value : join(home, otherwise), APP);
  return {
    home,
    config: folder(env["XDG_CONFIG_HOME"], ".config"),
    data: folder(env["XDG_DATA_HOME"], ".local/share"),
    state: folder(env["XDG_STATE_HOME"], ".local/state"),
    cache: folder(env["XDG_CACHE_HOME"], ".cache"),
  };
}

/** What `~` means; the system is asked only where HOME does not say, for node:os takes time to load. */
export function homeFolder(env: Environment): string {
  const named = env["HOME"] ?? "";
  return resolve(named === "" ? process.getBuiltinModule("node:os").homedir() : named);
}

/** Where temporary files go; node:os knows no better and takes time to load. */
export function tempFolder(env: Environment): string {
  const named = env["TMPDIR"] ?? env["TEMP"] ?? "";
  return resolve(named === "" ? "/tmp" : named);
}

/** The folder name of a project: readable by its last part, unique by a hash of the whole path. */
export function projectSlug(folder: string): string {
  const path = resolve(folder);
  const name = plainName(basename(path))
    .replace(/^[.-]+/, "")
    .slice(0, SLUG_NAME_CHARS);
  const hash = new Bun.CryptoHasher("sha256").update(path).digest("hex").slice(0, SLUG_HASH_CHARS);
  return `${name === "" ? "root" : name}-${hash}`;
}

/** Most names are plain as they are; the first look at Unicode's letters takes time. */
function plainName(name: string): string {
  if (/^[\w.-]+$/.test(name)) return name;
  return name.normalize("NFC").replace(/[^\p{L}\p{N}._-]+/gu, "-");
}
