// Exact edits: every old text is found on the original, replaced from its own bytes, and nothing else changes by a byte.
import { decodeText, type DecodedText, encodeText, encodingName } from "../base/encoding.ts";
import { invalid, ok, type Result } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { nearestText } from "./edit-nearest.ts";

export type Edit = { oldText: string; newText: string; all?: boolean | undefined };
export type Edited = { bytes: Uint8Array; replacements: number };

/** Places in the view of the text where a CRLF is one newline. */
type Span = { from: number; to: number; newText: string; edit: number };

const MAX_LINES_NAMED = 5;

export function editBytes(bytes: Uint8Array, edits: readonly Edit[]): Result<Edited> {
  const decoded = decodeText(bytes);
  if (decoded === null) return invalid("it is not text (binary, or in an unknown encoding)");
  const edited = editText(decoded.text, edits);
  if (!edited.ok) return edited;
  const encoded = encodeText({ ...decoded, text: edited.value.text });
  if (encoded === null) return unencodable(decoded);
  return ok({ bytes: encoded, replacements: edited.value.replacements });
}

function unencodable(decoded: DecodedText): Result<never> {
  return invalid(
    `newText has characters that cannot be written: the file is ${encodingName(decoded)}`,
  );
}

export function editText(
  text: string,
  edits: readonly Edit[],
): Result<{ text: string; replacements: number }> {
  const view = createView(text);
  const spans: Span[] = [];
  for (const [index, edit] of edits.entries()) {
    const found = locate(view.text, edit, index);
    if (found.kind === "fault") {
      const which = edits.length === 1 ? "" : `edit ${index + 1} of ${edits.length}: `;
      return invalid(`${which}${found.what}`);
    }
    spans.push(...found.spans);
  }
  const ordered = spans.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const clash = ordered.find((span, index) => span.from < (ordered[index - 1]?.to ?? 0));
  if (clash !== undefined) {
    const other = ordered[ordered.indexOf(clash) - 1]?.edit ?? 0;
    return invalid(
      `edits ${other + 1} and ${clash.edit + 1} overlap at line ${lineAt(view.text, clash.from)}: make them one edit`,
    );
  }
  return ok({ text: replaced(text, view, ordered), replacements: ordered.length });
}

type Located = { kind: "found"; spans: Span[] } | { kind: "fault"; what: string };

function locate(text: string, edit: Edit, index: number): Located {
  const oldText = edit.oldText.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const places = occurrences(text, oldText, edit.all === true);
  const what = faultOf(edit, oldText) ?? faultOfPlaces(text, oldText, places, edit.all === true);
  if (what !== null) return { kind: "fault", what };
  const newText = edit.newText.replaceAll("\r\n", "\n");
  const spans = places.map((from) => ({ from, to: from + oldText.length, newText, edit: index }));
  return { kind: "found", spans };
}

function faultOf(edit: Edit, oldText: string): string | null {
  if (oldText === "")
    return "oldText is empty: to insert, quote the line next to the place; to fill a file, use write";
  if (edit.oldText === edit.newText) return "oldText and newText are the same";
  if (!oldText.isWellFormed()) return "oldText holds half of a character (a lone surrogate)";
  if (!edit.newText.isWellFormed()) return "newText holds half of a character (a lone surrogate)";
  return null;
}

function faultOfPlaces(
  text: string,
  oldText: string,
  places: readonly number[],
  isAll: boolean,
): string | null {
  if (places.length === 0) return nearestText(text, oldText);
  return places.length > 1 && !isAll ? severalPlaces(text, places) : null;
}

/** For a single edit overlapping occurrences count as well: both could be meant. */
function occurrences(text: string, wanted: string, isAll: boolean): number[] {
  const places: number[] = [];
  if (wanted === "") return places;
  const step = isAll ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step))
    places.push(at);
  return places;
}

function severalPlaces(text: string, places: readonly number[]): string {
  const named = places.slice(0, MAX_LINES_NAMED).map((at) => lineAt(text, at));
  const more = places.length > MAX_LINES_NAMED ? ", …" : "";
  return `oldText occurs ${count(places.length, "time")} (lines ${named.join(", ")}${more}): quote more lines around the one that is meant, or set all`;
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    line += 1;
  return line;
}

/** The text with every CRLF as one newline, and the way back: models quote files with plain newlines. */
type View = { text: string; original(at: number): number };

function createView(text: string): View {
  if (!text.includes("\r\n")) return { text, original: (at) => at };
  const newlines: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2))
    newlines.push(at - newlines.length);
  // A place in the view is further on in the original by the carriage returns before it. At a newline itself that is the
  // place of its carriage return, so a pair is never split.
  const original = (at: number): number => at + countBelow(newlines, at);
  return { text: text.replaceAll("\r\n", "\n"), original };
}

/** How many of the rising numbers are below the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function replaced(text: string, view: View, spans: readonly Span[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const span of spans) {
    const from = view.original(span.from);
    const to = view.original(span.to);
    const newline = newlineFor(text, from, to);
    const newText = newline === "\n" ? span.newText : span.newText.replaceAll("\n", newline);
    parts.push(text.slice(done, from), newText);
    done = to;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** The line end of the replaced region; where it has none, the next one in the file, then the one before. */
function newlineFor(text: string, from: number, to: number): "\n" | "\r\n" {
  const inside = text.slice(from, to).indexOf("\n");
  const nearby = inside >= 0 ? from + inside : text.indexOf("\n", to);
  const at = nearby >= 0 ? nearby : text.lastIndexOf("\n", from);
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}
