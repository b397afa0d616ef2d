// Bracketed classes of a regular expression, with POSIX names, nesting and set operations, as `v`-mode class sources.
import { eat, fault, isAtEnd, peek, take, type Cursor } from "./regex-cursor.ts";
import { inClass, readEscape, type Escape } from "./regex-escape.ts";

const POSIX: ReadonlyMap<string, string> = new Map([
  ["alnum", "a-zA-Z0-9"],
  ["alpha", "a-zA-Z"],
  ["ascii", "\\u{0}-\\u{7f}"],
  ["blank", "\\t\\u{20}"],
  ["cntrl", "\\u{0}-\\u{1f}\\u{7f}"],
  ["digit", "0-9"],
  ["graph", "\\u{21}-\\u{7e}"],
  ["lower", "a-z"],
  ["print", "\\u{20}-\\u{7e}"],
  ["punct", "\\u{21}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{60}\\u{7b}-\\u{7e}"],
  ["space", "\\t\\n\\v\\f\\r\\u{20}"],
  ["upper", "A-Z"],
  ["word", "a-zA-Z0-9_"],
  ["xdigit", "0-9A-Fa-f"],
]);

const MAX_DEPTH = 50;

/** Reads on after the opening bracket, to the closing one. */
export function readClass(cursor: Cursor, depth = 0): string {
  const isNegated = eat(cursor, "^");
  let source = "";
  let isFirst = true;
  while (isFirst || peek(cursor) !== "]") {
    if (isAtEnd(cursor) || depth > MAX_DEPTH) {
      fault(cursor, "unclosed [; write \\[ for a bracket");
      return "";
    }
    const operator = ["&&", "--", "~~"].find((each) => !isFirst && eat(cursor, each));
    source =
      operator === undefined
        ? source + item(cursor, depth)
        : combined(source, operator, cursor, depth);
    isFirst = false;
  }
  cursor.at++;
  return isNegated ? `[^${source}]` : source;
}

/** An operation takes all that stands to its left and right. */
function combined(left: string, operator: string, cursor: Cursor, depth: number): string {
  let right = "";
  while (!isAtEnd(cursor) && peek(cursor) !== "]" && !isOperator(cursor))
    right += item(cursor, depth);
  if (operator !== "~~") return `[[${left}]${operator}[${right}]]`;
  return `[[[${left}]--[${right}]][[${right}]--[${left}]]]`;
}

function isOperator(cursor: Cursor): boolean {
  return ["&", "-", "~"].some((each) => peek(cursor) === each && peek(cursor, 1) === each);
}

function item(cursor: Cursor, depth: number): string {
  if (eat(cursor, "[:")) return posix(cursor);
  if (eat(cursor, "[")) return `[${readClass(cursor, depth + 1)}]`;
  const from = member(cursor);
  const isRange =
    peek(cursor) === "-" &&
    peek(cursor, 1) !== "]" &&
    peek(cursor, 1) !== "-" &&
    from.kind === "char";
  if (!isRange) return from.kind === "set" ? wrapped(from.source) : inClass(from.code);
  cursor.at++;
  const to = member(cursor);
  if (to.kind === "set" || to.code < from.code) {
    fault(cursor, "a range in brackets must go from a lower to a higher character");
    return "";
  }
  return `${inClass(from.code)}-${inClass(to.code)}`;
}

function wrapped(source: string): string {
  return source.startsWith("[") ? source : `[${source}]`;
}

function member(cursor: Cursor): Escape {
  if (peek(cursor) === "\\" && peek(cursor, 1) === "b") {
    cursor.at += 2;
    return { kind: "char", code: 8 };
  }
  if (eat(cursor, "\\")) return readEscape(cursor);
  return { kind: "char", code: take(cursor).codePointAt(0) ?? 0 };
}

function posix(cursor: Cursor): string {
  const isNegated = eat(cursor, "^");
  let name = "";
  while (/^[a-z]$/.test(peek(cursor))) name += take(cursor);
  const source = POSIX.get(name);
  if (source === undefined || !eat(cursor, ":]")) {
    fault(cursor, `unknown class [:${name}:]`);
    return "";
  }
  return isNegated ? `[^${source}]` : `[${source}]`;
}
