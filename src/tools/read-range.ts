// The lines a call of read means, in the ways other tools say it: a first and a last line, or both as a pair.
import { isRecord } from "../base/schema.ts";

const FIRST = ["offset", "start_line", "startLine", "start", "line_start", "from"] as const;
const LAST = ["end_line", "endLine", "end", "line_end", "to"] as const;
const PAIR = ["view_range", "viewRange", "line_range", "range"] as const;

/** `offset` and `limit` for what names a last line; everything else stays for the parser to judge. */
export function withRange(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { files } = input;
  const given = Array.isArray(files) ? { ...input, files: files.map(withRange) } : input;
  const pairName = PAIR.find((name) => name in given);
  if (pairName !== undefined) return ranged(given, [pairName], pairOf(given[pairName]));
  const lastName = LAST.find((name) => name in given);
  if (lastName === undefined) return given;
  const firstName = FIRST.find((name) => name in given);
  const first = firstName === undefined ? 1 : lineNumber(given[firstName]);
  const last = lineNumber(given[lastName]);
  const names = firstName === undefined ? [lastName] : [firstName, lastName];
  return ranged(given, names, first === null || last === null ? null : [first, last]);
}

/** The input without `names`, with the range in burin's own words; as it is where that is no range. */
function ranged(
  input: Record<string, unknown>,
  names: readonly string[],
  range: readonly [first: number, last: number] | null,
): Record<string, unknown> {
  if (range === null) return input;
  const [first, last] = range;
  const kept = Object.entries(input).filter(([name]) => !names.includes(name));
  const limit = last < first ? {} : { limit: last - first + 1 };
  return { ...Object.fromEntries(kept), offset: first, ...limit };
}

/** `[12, 40]`, and `[12, -1]` for up to the end. */
function pairOf(value: unknown): [number, number] | null {
  const [first, last, ...more] = Array.isArray(value) ? value.map(lineNumber) : [];
  if (typeof first !== "number" || typeof last !== "number" || more.length > 0) return null;
  return [first, last];
}

function lineNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : null;
}
