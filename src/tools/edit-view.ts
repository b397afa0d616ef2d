// A text as models quote it, every CRLF one newline, and the way back: replacements that leave all other bytes alone.

export type View = { text: string; original(at: number): number };
/** Places in the view. */
export type Span = { from: number; to: number; newText: string };

export function createView(text: string): View {
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

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    line += 1;
  return line;
}

/** The original text with the spans replaced, which are in order and do not overlap. */
export function replaced(text: string, view: View, spans: readonly Span[]): string {
  let result = "";
  let done = 0;
  for (const span of spans) {
    const from = view.original(span.from);
    const to = view.original(span.to);
    const newline = newlineFor(text, from, to);
    const newText = newline === "\n" ? span.newText : span.newText.replaceAll("\n", newline);
    result += text.slice(done, from) + newText;
    done = to;
  }
  return result + text.slice(done);
}

/** The line end of the replaced region; where it has none, the next one in the file, then the one before. */
function newlineFor(text: string, from: number, to: number): "\n" | "\r\n" {
  const inside = text.slice(from, to).indexOf("\n");
  const nearby = inside >= 0 ? from + inside : text.indexOf("\n", to);
  const at = nearby >= 0 ? nearby : text.lastIndexOf("\n", from);
  return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
}
