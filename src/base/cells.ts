// Text as terminal cells: widths, graphemes, cutting and filling.

const TAB_STOP = 4;
/** The escapes of our own styled text: SGR, and OSC 8 links. */
// oxlint-disable-next-line no-control-regex
const STYLES = /\u001b(?:\[[0-9;]*m|\]8;[^\u0007\u001b]*\u001b\\)/g;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0020-\u007e]*$/;

/** Cells that `text` takes on one row; escape sequences take none. Expand tabs before. */
export function width(text: string): number {
  return Bun.stringWidth(text);
}

/** Tabs as spaces up to the next stop, counted from the start of each line. */
export function expandTabs(text: string): string {
  if (!text.includes("\t")) return text;
  return text
    .split("\n")
    .map((line) => {
      let out = "";
      for (const [index, part] of line.split("\t").entries()) {
        if (index > 0) out += " ".repeat(TAB_STOP - (width(out) % TAB_STOP));
        out += part;
      }
      return out;
    })
    .join("\n");
}

/** What a person calls characters: an emoji family or a letter with its accents is one. */
export function graphemes(text: string): string[] {
  if (ASCII.test(text)) return Array.from(text);
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Splits styled text into escape sequences (`escape: true`) and the graphemes between them. */
export function* pieces(text: string): Generator<{ escape: boolean; text: string }> {
  let from = 0;
  for (const hit of text.matchAll(STYLES)) {
    for (const part of graphemes(text.slice(from, hit.index))) yield { escape: false, text: part };
    yield { escape: true, text: hit[0] };
    from = hit.index + hit[0].length;
  }
  for (const part of graphemes(text.slice(from))) yield { escape: false, text: part };
}

/** At most `cells` wide, ending in `…` where something was cut; styles are closed. */
export function cut(text: string, cells: number): string {
  if (width(text) <= cells) return text;
  if (cells <= 0) return "";
  let out = "";
  let used = 0;
  let full = false;
  for (const piece of pieces(text)) {
    if (piece.escape) out += piece.text;
    if (piece.escape || full) continue;
    const cost = width(piece.text);
    full = used + cost > cells - 1;
    out += full ? "…" : piece.text;
    used += cost;
  }
  return out;
}

/** `text` filled with spaces to `cells`. */
export function pad(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - width(text)));
}
