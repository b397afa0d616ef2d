// Why an old text was not found: the place in the file that is nearest to it, and the first difference there.
import { cutLine } from "../base/text.ts";

const MAX_QUOTED_CHARS = 120;
/** Lines longer than this are compared by their beginning. */
const MAX_COMPARED_CHARS = 200;
const MAX_COMPARED_LINES = 50_000;
const MIN_LIKENESS = 0.5;
const MAX_PLACES = 8;
/** Of several lines so many are shown before and after the first difference. */
const AROUND_LINES = 4;
/** More lines than this do not vote. */
const MAX_VOTERS = 500_000;

/** One sentence with line numbers: what to correct in oldText. Where that has several lines, those of the file follow. */
export function nearestText(text: string, oldText: string): string {
  const lines = text.split("\n");
  const wanted = withoutEdges(oldText.split("\n"));
  if (wanted.length === 0)
    return "oldText is only blank lines, and there are none like them in the file";
  if (wanted.every((line) => /^\s*\d+\t/.test(line)))
    return "oldText was not found: it carries the line numbers that read shows; quote the text without them";
  const start = bestStart(lines, wanted);
  if (start === null) return "oldText was not found, nor anything like it; read the file again";
  const range = `lines ${start + 1}–${start + wanted.length}`;
  const where = wanted.length === 1 ? `line ${start + 1}` : range;
  const at = wanted.findIndex((line, offset) => line !== lines[start + offset]);
  const difference = firstDifference(lines, wanted, { start, at });
  const sentence = `oldText was not found; nearest is ${where}: ${difference}`;
  if (wanted.length === 1) return sentence;
  return [sentence, "Present lines:", ...shownLines(lines, wanted, { start, at })].join("\n");
}

/** As `read` shows them. */
function shownLines(
  lines: readonly string[],
  wanted: readonly string[],
  { start, at }: { start: number; at: number },
): string[] {
  const from = start + Math.max(0, at - AROUND_LINES);
  const to = start + Math.min(wanted.length, Math.max(0, at) + AROUND_LINES + 1);
  return lines
    .slice(from, to)
    .map((line, index) => `${from + index + 1}\t${cutLine(line, MAX_COMPARED_CHARS)}`);
}

/** Without empty lines at the end, which a final newline leaves, and blank ones at the start. */
function withoutEdges(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/** Each wanted line found in the file votes for where the whole would start; without any vote the most similar line does. */
function bestStart(lines: readonly string[], wanted: readonly string[]): number | null {
  const offsets = offsetsOf(wanted);
  const votes = new Map<number, number>();
  for (const [at, line] of lines.slice(0, MAX_VOTERS).entries()) {
    const key = line.trim();
    for (const offset of offsets.get(key) ?? []) {
      // A long line is less likely to be there by chance than a closing bracket.
      const weight = Math.min(key.length, MAX_COMPARED_CHARS);
      votes.set(at - offset, (votes.get(at - offset) ?? 0) + weight);
    }
  }
  let best = { start: -1, weight: 0 };
  for (const [start, weight] of votes)
    if (start >= 0 && weight > best.weight) best = { start, weight };
  return best.start < 0 ? mostSimilarLine(lines, wanted[0] ?? "") : best.start;
}

/** Where a line stands among the wanted ones; of a line that comes often only the first few places. */
function offsetsOf(wanted: readonly string[]): Map<string, number[]> {
  const offsets = new Map<string, number[]>();
  for (const [offset, line] of wanted.entries()) {
    const key = line.trim();
    const places = offsets.get(key) ?? [];
    if (key !== "" && places.length < MAX_PLACES) offsets.set(key, [...places, offset]);
  }
  return offsets;
}

function mostSimilarLine(lines: readonly string[], wanted: string): number | null {
  const pairs = letterPairs(wanted);
  let best: number | null = null;
  let bestLikeness = MIN_LIKENESS;
  for (const [at, line] of lines.slice(0, MAX_COMPARED_LINES).entries()) {
    const likeness = line.trim() === "" ? 0 : likenessOf(pairs, letterPairs(line));
    if (likeness > bestLikeness) {
      best = at;
      bestLikeness = likeness;
    }
  }
  return best;
}

function letterPairs(line: string): Set<string> {
  const text = line.trim().slice(0, MAX_COMPARED_CHARS).toLowerCase();
  const pairs = new Set<string>();
  for (let at = 0; at < Math.max(1, text.length - 1); at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient: 1 for the same pairs, 0 for none in common. */
function likenessOf(one: Set<string>, other: Set<string>): number {
  return (2 * one.intersection(other).size) / (one.size + other.size);
}

function firstDifference(
  lines: readonly string[],
  wanted: readonly string[],
  { start, at }: { start: number; at: number },
): string {
  if (at < 0) return "the lines are the same, but not the text before or after them";
  const line = lines[start + at];
  const number = start + at + 1;
  if (line === undefined) return `the file ends before line ${number}`;
  const old = wanted[at] ?? "";
  return `${kindOfDifference(line, old, number)}: the file has ${quoted(line, old)}, oldText has ${quoted(old, line)}`;
}

function kindOfDifference(line: string, old: string, number: number): string {
  if (line.trim() === old.trim()) {
    const isIndent = line.trimEnd() !== old.trimEnd();
    return `line ${number} differs only in ${isIndent ? "its indentation" : "spaces at its end"}`;
  }
  if (line.toLowerCase() === old.toLowerCase())
    return `line ${number} differs only in upper and lower case`;
  return `line ${number} differs first`;
}

/** The part around the first difference, as JSON, so that spaces, tabs and look-alikes can be seen. */
function quoted(text: string, other: string): string {
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const from = text.length <= MAX_QUOTED_CHARS ? 0 : Math.max(0, same - MAX_QUOTED_CHARS / 3);
  const part = text.slice(from, from + MAX_QUOTED_CHARS);
  const before = from > 0 ? "…" : "";
  return `${before}${JSON.stringify(part)}${from + part.length < text.length ? "…" : ""}`;
}
