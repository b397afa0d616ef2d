// Folded pastes: a large paste stands in the text as one private character and is put back when it is sent.

/** Plane 15 is private use: no keyboard types it, and `foldPaste` takes it out of pasted text. */
const FIRST = 0xf_00_00;
const MARKS = /[\u{f0000}-\u{ffffd}]/gu;
const MAX_LINES = 8;
const MAX_CHARS = 1000;

/** The text to insert for a paste: itself, or one mark when it is large. */
export function foldPaste(
  pastes: readonly string[],
  pasted: string,
): { text: string; pastes: readonly string[] } {
  const text = pasted.replace(MARKS, "");
  if (text.length <= MAX_CHARS && lineCount(text) <= MAX_LINES) return { text, pastes };
  return { text: String.fromCodePoint(FIRST + pastes.length), pastes: [...pastes, text] };
}

export function unfold(text: string, pastes: readonly string[]): string {
  return text.replace(MARKS, (mark) => pastes[indexOf(mark)] ?? "");
}

/** The mark that ends last before `caret`, else the first one after it. */
export function markAround(text: string, caret: number): { from: number; mark: string } | null {
  const marks = [...text.matchAll(MARKS)].map((hit) => ({ from: hit.index, mark: hit[0] }));
  return marks.findLast(({ from }) => from < caret) ?? marks[0] ?? null;
}

/** What the screen shows for one grapheme of the text: `[paste 42 lines]` for a mark, else the grapheme. */
export function label(grapheme: string, pastes: readonly string[]): string {
  const index = indexOf(grapheme);
  const text = index < 0 ? undefined : pastes[index];
  if (text === undefined) return grapheme;
  const lines = lineCount(text);
  return lines > 1 ? `[paste ${lines} lines]` : `[paste ${text.length} characters]`;
}

function indexOf(mark: string): number {
  return (mark.codePointAt(0) ?? 0) - FIRST;
}

function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}
