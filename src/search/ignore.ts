// Ignore files: parses them and decides about one name, with git's semantics for both.
import type { Bytes } from "./bytes.ts";
import { compileGlob, globMatches, literalLength } from "./glob.ts";

export type Decision = "ignore" | "keep";

type Rule = {
  isNegated: boolean;
  isFolderOnly: boolean;
  /** Rules with a slash inside look at the path below their folder, others at the name alone. */
  looksAt: "name" | "path";
  test(text: Bytes): boolean;
};

/** The rules of one ignore file, and the absolute folder whose content they speak of. */
export type Rules = {
  base: Bytes;
  list: readonly Rule[];
  /** Positions of rules that are a plain name; a lookup instead of a comparison for each. */
  named: ReadonlyMap<Bytes, readonly number[]>;
  /** Positions of all other rules. */
  others: readonly number[];
};

const BOM = "\xef\xbb\xbf";

/** `fold`: letters match in both cases (core.ignoreCase). */
export function parseRules(content: Bytes, base: Bytes, fold: boolean): Rules {
  const text = content.startsWith(BOM) ? content.slice(BOM.length) : content;
  const patterns = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => trimmed(endAtNul(line.endsWith("\r") ? line.slice(0, -1) : line)))
    .filter((line) => line !== "");
  return rulesOf(patterns, base, fold);
}

/** Rules from single patterns, in order; the last that matches decides. */
export function rulesOf(patterns: readonly Bytes[], base: Bytes, fold: boolean): Rules {
  const list: Rule[] = [];
  const named = new Map<Bytes, number[]>();
  const others: number[] = [];
  for (const pattern of patterns) {
    const { rule, name } = parseRule(pattern, fold);
    if (name === null || fold) others.push(list.length);
    else named.set(name, [...(named.get(name) ?? []), list.length]);
    list.push(rule);
  }
  return { base, list, named, others };
}

/** What the rules say of an entry of a folder at or below their own; null when nothing matches. */
export function decide(
  rules: Rules,
  folder: Bytes,
  name: Bytes,
  isFolder: boolean,
): Decision | null {
  const plain = lastNamed(rules, name, isFolder);
  const rule = rules.list[lastOther(rules, plain, { folder, name, isFolder })];
  if (rule === undefined) return null;
  return rule.isNegated ? "keep" : "ignore";
}

/** Position of the last rule that is this very name; -1 for none. */
function lastNamed(rules: Rules, name: Bytes, isFolder: boolean): number {
  const positions = rules.named.get(name);
  return positions?.findLast((at) => isFolder || rules.list[at]?.isFolderOnly === false) ?? -1;
}

type Entry = { folder: Bytes; name: Bytes; isFolder: boolean };

/** Position of the last matching rule after one that is known to match. */
function lastOther(rules: Rules, known: number, { folder, name, isFolder }: Entry): number {
  let path: Bytes | null = null;
  const isMatch = (at: number): boolean => {
    const rule = rules.list[at];
    if (rule === undefined || (rule.isFolderOnly && !isFolder)) return false;
    if (rule.looksAt === "name") return rule.test(name);
    path ??= pathBelow(rules.base, folder, name);
    return rule.test(path);
  };
  for (let index = rules.others.length - 1; index >= 0; index--) {
    const at = rules.others[index] ?? -1;
    if (at < known) return known;
    if (isMatch(at)) return at;
  }
  return known;
}

function pathBelow(base: Bytes, folder: Bytes, name: Bytes): Bytes {
  if (folder.length <= base.length) return name;
  const from = base.endsWith("/") ? base.length : base.length + 1;
  return `${folder.slice(from)}/${name}`;
}

/** `name` is set when the rule is nothing but one plain name. */
function parseRule(line: Bytes, fold: boolean): { rule: Rule; name: Bytes | null } {
  const isNegated = line.startsWith("!");
  const body = isNegated ? line.slice(1) : line;
  const isFolderOnly = body.endsWith("/");
  const pattern = isFolderOnly ? body.slice(0, -1) : body;
  if (pattern.includes("/")) {
    const test = pathTest(pattern.startsWith("/") ? pattern.slice(1) : pattern, fold);
    return { rule: { isNegated, isFolderOnly, looksAt: "path", test }, name: null };
  }
  const isPlain = literalLength(pattern) === pattern.length;
  const rule: Rule = { isNegated, isFolderOnly, looksAt: "name", test: nameTest(pattern, fold) };
  return { rule, name: isPlain ? pattern : null };
}

function nameTest(pattern: Bytes, fold: boolean): (name: Bytes) => boolean {
  const rest = pattern.slice(1);
  if (!fold && pattern.startsWith("*") && literalLength(rest) === rest.length) {
    return (name) => name.endsWith(rest);
  }
  const glob = compileGlob(pattern, fold);
  return (name) => globMatches(glob, name);
}

/** git compares the literal beginning first and gives the glob only what follows: `a**` + `/b` then crosses folders. */
function pathTest(pattern: Bytes, fold: boolean): (path: Bytes) => boolean {
  const length = literalLength(pattern);
  const glob = compileGlob(pattern.slice(length), fold);
  const start = fold ? lowerCase(pattern.slice(0, length)) : pattern.slice(0, length);
  return (path) =>
    (fold ? lowerCase(path) : path).startsWith(start) && globMatches(glob, path, length);
}

function lowerCase(bytes: Bytes): Bytes {
  return bytes.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** git reads a line as a C string. */
function endAtNul(line: Bytes): Bytes {
  const at = line.indexOf("\0");
  return at < 0 ? line : line.slice(0, at);
}

/** Without the spaces at the end, but for those after a backslash. */
function trimmed(line: Bytes): Bytes {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  if (end === line.length) return line;
  let slashes = 0;
  while (line[end - 1 - slashes] === "\\") slashes++;
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end);
}
