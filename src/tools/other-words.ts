// Calls in the words of other tools, said in burin's: only where the meaning is certain; the rest is for the parser to judge.
import { isRecord } from "../base/schema.ts";
import { shellWord } from "../base/shell-word.ts";

type Words = Record<string, unknown>;

/** A regex in the place of the pattern, several paths in `path`, and the form of the output as one word. */
export function grepWords(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const given: Words = { ...input };
  if (typeof given["regex"] === "string" && !("pattern" in given)) {
    Object.assign(given, { pattern: given["regex"], regex: true });
  }
  if (Array.isArray(given["path"]) && given["path"].length > 1 && !("paths" in given)) {
    given["paths"] = given["path"];
    delete given["path"];
  }
  const form = OUTPUT_FORMS[String(given["output_mode"])];
  if (form !== undefined) {
    delete given["output_mode"];
    Object.assign(given, form);
  }
  return given;
}

const OUTPUT_FORMS: Readonly<Record<string, Words>> = {
  content: {},
  files_with_matches: { filesOnly: true },
  count: { count: true },
};

const TYPES: Readonly<Record<string, string>> = {
  f: "file",
  files: "file",
  d: "dir",
  dirs: "dir",
  folder: "dir",
  folders: "dir",
  directory: "dir",
  directories: "dir",
};

/** The type as find(1) and people say it. */
export function findWords(input: unknown): unknown {
  if (!isRecord(input) || typeof input["type"] !== "string") return input;
  return { ...input, type: TYPES[input["type"].toLowerCase()] ?? input["type"] };
}

const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "/bin/bash", "/bin/sh"]);

/** A command as a list of words: `["bash", "-lc", "make"]`, or a program and its arguments. */
export function bashWords(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const name = ["command", "cmd"].find((each) => Array.isArray(input[each]));
  const words = name === undefined ? undefined : input[name];
  if (name === undefined || !isWords(words)) return input;
  const [program = "", flag = "", line] = words;
  const isLine = words.length === 3 && SHELLS.has(program) && /^-l?c$/.test(flag);
  return { ...input, [name]: isLine ? line : words.map(shellWord).join(" ") };
}

function isWords(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length > 1 && value.every((each) => typeof each === "string")
  );
}
