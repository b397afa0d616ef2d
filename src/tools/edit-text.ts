// Edits of a text, all or none: each quote is found in the original, exactly or else by the bounded fuzzy search.
import { decodeText, type DecodedText, encodeText, encodingName } from "../base/encoding.ts";
import { invalid, ok, type Result } from "../base/failure.ts";
import { count } from "../base/text.ts";
import { fuzzyPlace } from "./edit-fuzzy.ts";
import { nearestText } from "./edit-nearest.ts";
import { withoutNumbers } from "./edit-numbers.ts";
import { createView, lineAt, replaced, type Span, type View } from "./edit-view.ts";

export type Edit = { oldText: string; newText: string; all?: boolean | undefined };
/** `remarks`: what was tolerated to find the places. */
export type Edited<T> = { result: T; replacements: number; remarks: string[] };

/** `texts` is what the bytes say before and after. */
export type EditedBytes = Edited<Uint8Array> & { texts: { before: string; after: string } };

type OwnSpan = Span & { edit: number };

const MAX_LINES_NAMED = 5;
const UNREADABLE = "it is not text (binary, or in an unknown encoding)";

export function editBytes(
  bytes: Uint8Array,
  edits: readonly Edit[],
  isExact = false,
): Result<EditedBytes> {
  return changedBytes(bytes, (text) => editText(text, edits, isExact));
}

/** Decodes, lets the text be changed, and encodes as it was. */
export function changedBytes(
  bytes: Uint8Array,
  change: (text: string) => Result<Edited<string>>,
): Result<EditedBytes> {
  const decoded = decodeText(bytes);
  if (decoded === null) return invalid(UNREADABLE);
  const edited = change(decoded.text);
  if (!edited.ok) return edited;
  const { result: after, ...rest } = edited.value;
  if (after === decoded.text) return invalid("the file already holds newText in that place");
  const result = encodeText({ ...decoded, text: after });
  return result === null
    ? unencodable(decoded)
    : ok({ ...rest, result, texts: { before: decoded.text, after } });
}

function unencodable(decoded: DecodedText): Result<never> {
  return invalid(
    `newText has characters that cannot be written: the file is ${encodingName(decoded)}`,
  );
}

/** `isExact`: quotes must be there to the letter. */
export function editText(
  text: string,
  edits: readonly Edit[],
  isExact = false,
): Result<Edited<string>> {
  const view = createView(text);
  const spans: OwnSpan[] = [];
  const remarks: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const found = locate(view.text, edit, { index, isExact });
    const which = edits.length === 1 ? "" : `edit ${index + 1} of ${edits.length}: `;
    if (found.kind === "fault") return invalid(`${which}${found.what}`);
    spans.push(...found.spans);
    if (found.tolerated.length > 0) remarks.push(`${which}tolerated ${found.tolerated.join(", ")}`);
  }
  return applied(text, view, { spans, remarks });
}

/** All spans are on the original text; those that overlap contradict each other. */
export function applied(
  text: string,
  view: View,
  { spans, remarks }: { spans: readonly OwnSpan[]; remarks: string[] },
): Result<Edited<string>> {
  const ordered = spans.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const clash = ordered.find((span, index) => span.from < (ordered[index - 1]?.to ?? 0));
  if (clash !== undefined) {
    const other = ordered[ordered.indexOf(clash) - 1]?.edit ?? 0;
    return invalid(
      `edits ${other + 1} and ${clash.edit + 1} overlap at line ${lineAt(view.text, clash.from)}: make them one edit`,
    );
  }
  const result = replaced(text, view, ordered);
  return ok({ result, replacements: ordered.length, remarks });
}

type Located =
  | { kind: "found"; spans: OwnSpan[]; tolerated: string[] }
  | { kind: "fault"; what: string };

function locate(
  text: string,
  edit: Edit,
  { index, isExact }: { index: number; isExact: boolean },
): Located {
  const isAll = edit.all === true;
  const oldText = edit.oldText.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const newText = edit.newText.replaceAll("\r\n", "\n");
  const fault = faultOf(edit, oldText);
  if (fault !== null) return { kind: "fault", what: fault };
  const places = occurrences(text, oldText, isAll);
  if (places.length === 0 && !isAll && !isExact)
    return locateFuzzy(text, { oldText, newText }, index);
  if (places.length === 0) return { kind: "fault", what: nearestText(text, oldText) };
  if (places.length > 1 && !isAll) return { kind: "fault", what: severalPlaces(text, places) };
  const spans = places.map((from) => ({ from, to: from + oldText.length, newText, edit: index }));
  return { kind: "found", spans, tolerated: [] };
}

function locateFuzzy(text: string, { oldText, newText }: Edit, index: number): Located {
  const place = fuzzyPlace(text, oldText, newText);
  switch (place.kind) {
    case "one": {
      const { from, to, tolerated } = place;
      return {
        kind: "found",
        spans: [{ from, to, newText: place.newText, edit: index }],
        tolerated,
      };
    }
    case "several": {
      const what = `oldText is not there to the letter and resembles ${count(place.lines.length, "place")} (${namedLines(place.lines)}): quote more lines around the one that is meant, just as read shows them`;
      return { kind: "fault", what };
    }
    case "unclear":
      return { kind: "fault", what: place.what };
    case "none":
      return { kind: "fault", what: nearestText(text, withoutNumbers(oldText) ?? oldText) };
  }
}

function faultOf(edit: Edit, oldText: string): string | null {
  if (oldText === "")
    return "oldText is empty: to insert, quote the line next to the place; to fill a file, use write";
  if (edit.oldText === edit.newText) return "oldText and newText are the same";
  if (!oldText.isWellFormed()) return "oldText holds half of a character (a lone surrogate)";
  if (!edit.newText.isWellFormed()) return "newText holds half of a character (a lone surrogate)";
  return null;
}

/** For a single edit overlapping occurrences count as well: both could be meant. */
function occurrences(text: string, wanted: string, isAll: boolean): number[] {
  const places: number[] = [];
  const step = isAll ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step))
    places.push(at);
  return places;
}

function severalPlaces(text: string, places: readonly number[]): string {
  const lines = places.slice(0, MAX_LINES_NAMED + 1).map((at) => lineAt(text, at));
  return `oldText occurs ${count(places.length, "time")} (${namedLines(lines)}): quote more lines around the one that is meant, or set all`;
}

function namedLines(all: readonly number[]): string {
  const lines = [...new Set(all)];
  const more = lines.length > MAX_LINES_NAMED ? ", …" : "";
  const noun = lines.length === 1 ? "line" : "lines";
  return `${noun} ${lines.slice(0, MAX_LINES_NAMED).join(", ")}${more}`;
}
