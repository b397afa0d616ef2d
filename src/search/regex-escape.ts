// What stands after a backslash in a regular expression: one code point, or a set of them.
import { eat, fault, peek, take, until, type Cursor } from "./regex-cursor.ts";
import { WORD_SET } from "./regex-tree.ts";

export type Escape = { kind: "char"; code: number } | { kind: "set"; source: string };

const CONTROL: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["t", 9],
  ["n", 10],
  ["r", 13],
  ["v", 11],
  ["e", 27],
  ["0", 0],
]);

/** Sources of `v`-mode classes. Letters, digits and space are Unicode's, as in ripgrep. */
const SETS: ReadonlyMap<string, string> = new Map([
  ["d", "\\p{Nd}"],
  ["D", "\\P{Nd}"],
  ["w", WORD_SET],
  ["W", `[^${WORD_SET}]`],
  ["s", "\\p{White_Space}"],
  ["S", "\\P{White_Space}"],
  ["h", "\\t\\p{Zs}"],
  ["H", "[^\\t\\p{Zs}]"],
]);

const HEX_LENGTH: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** Reads on after the backslash. */
export function readEscape(cursor: Cursor): Escape {
  const letter = take(cursor);
  const source = SETS.get(letter);
  if (source !== undefined) return { kind: "set", source };
  if (letter === "p" || letter === "P") return property(cursor, letter === "P");
  const code = CONTROL.get(letter);
  if (code !== undefined) return { kind: "char", code };
  const digits = HEX_LENGTH.get(letter);
  if (digits !== undefined) return hex(cursor, digits);
  if (/^[A-Za-z0-9]?$/.test(letter)) {
    const what = letter === "" ? "a backslash at the end" : `unknown escape \\${letter}`;
    fault(cursor, `${what}; write \\\\ for a backslash`);
  }
  return { kind: "char", code: letter.codePointAt(0) ?? 0 };
}

function hex(cursor: Cursor, length: number): Escape {
  const digits = eat(cursor, "{") ? until(cursor, "}") : next(cursor, length);
  const code = digits !== null && /^[0-9A-Fa-f]{1,8}$/.test(digits) ? parseInt(digits, 16) : -1;
  if (code < 0 || code > 0x10ffff)
    fault(cursor, "a hexadecimal escape needs digits, as in \\x41 or \\x{1F600}");
  return { kind: "char", code: Math.max(code, 0) };
}

function next(cursor: Cursor, length: number): string {
  let text = "";
  while (text.length < length && peek(cursor) !== "") text += take(cursor);
  return text;
}

function property(cursor: Cursor, isUpper: boolean): Escape {
  const name = eat(cursor, "{") ? until(cursor, "}") : take(cursor);
  const isNegated = isUpper !== (name?.startsWith("^") === true);
  const known = propertyNamed(name?.replace(/^\^/, "") ?? "");
  if (known === null) fault(cursor, `unknown Unicode class \\p{${name ?? ""}}`);
  return { kind: "set", source: `\\${isNegated ? "P" : "p"}{${known ?? "L"}}` };
}

/** ripgrep also takes a script or a category without its prefix, in any case. */
function propertyNamed(name: string): string | null {
  const capital = name.replaceAll(
    /[A-Za-z]+/g,
    (word) => (word[0] ?? "").toUpperCase() + word.slice(1).toLowerCase(),
  );
  const spellings = [name, name.replace(":", "="), capital, capital.replaceAll(" ", "_")];
  const tries = spellings.flatMap((each) => [each, `Script=${each}`, `General_Category=${each}`]);
  return tries.find(isProperty) ?? null;
}

function isProperty(name: string): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_]+)?$/.test(name)) return false;
  try {
    return RegExp(`\\p{${name}}`, "u").source !== "";
  } catch {
    return false;
  }
}

/** One code point inside a `v`-mode class. */
export function inClass(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
