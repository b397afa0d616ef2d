// Text as it flows onto a page of Markdown: spaces folded, lines broken where they are due, marks around what they mark.

/** A run of text within marks, which are written when it ends. */
type Inline = { text: string; wrap: ((text: string) => string) | null };

export type Flow = {
  isPlain: boolean;
  inlines: Inline[];
  /** Marked runs that are nested too deep to be marked. */
  unmarked: number;
  lists: { isOrdered: boolean; count: number }[];
  quotes: number;
  /** Line breaks that are due before the next text, and what then begins its line. */
  gap: number;
  marker: string;
  isStart: boolean;
  endsWithSpace: boolean;
};

/** Each level costs a copy of what it holds. */
const MAX_NESTED = 24;
const MAX_MARGIN = 10;

export function newFlow(isPlain: boolean): Flow {
  return {
    isPlain,
    inlines: [{ text: "", wrap: null }],
    unmarked: 0,
    lists: [],
    quotes: 0,
    gap: 0,
    marker: "",
    isStart: true,
    endsWithSpace: true,
  };
}

export function breakLine(flow: Flow, lines: number): void {
  flow.gap = Math.max(flow.gap, lines);
}

/** Text as HTML means it: any run of white space is one space, and none begins a line. */
export function say(flow: Flow, text: string): void {
  const flat = text.replaceAll(/\s+/g, " ");
  const isNew = flow.gap > 0 || flow.isStart || flow.endsWithSpace;
  const shown = isNew ? flat.trimStart() : flat;
  if (shown === "") return;
  beginText(flow);
  put(flow, shown);
}

/** Text as it stands, such as code. */
export function sayRaw(flow: Flow, text: string): void {
  beginText(flow);
  const margin = marginOf(flow);
  put(flow, margin === "" ? text : text.replaceAll("\n", `\n${margin}`));
}

export function put(flow: Flow, text: string): void {
  const inline = flow.inlines.at(-1);
  if (inline === undefined || text === "") return;
  inline.text += text;
  flow.endsWithSpace = /\s/.test(text.slice(-1));
}

/** What begins each line where the text is now. */
export function marginOf({ isPlain, quotes, lists, marker }: Flow): string {
  const levels = Math.max(0, lists.length - (marker === "" ? 0 : 1));
  const quote = isPlain ? "" : "> ".repeat(Math.min(quotes, MAX_MARGIN));
  return quote + "  ".repeat(Math.min(levels, MAX_MARGIN));
}

export function openInline(flow: Flow, wrap: Inline["wrap"]): void {
  if (flow.inlines.length > MAX_NESTED) {
    flow.unmarked += 1;
    return;
  }
  if (flow.gap > 0 || flow.isStart) beginText(flow);
  flow.inlines.push({ text: "", wrap });
}

export function closeInline(flow: Flow): void {
  if (flow.unmarked > 0) {
    flow.unmarked -= 1;
    return;
  }
  const inline = flow.inlines.length > 1 ? flow.inlines.pop() : undefined;
  if (inline === undefined) return;
  const { text, wrap } = inline;
  put(flow, wrap === null || text.trim() === "" ? text : wrapped(text, wrap));
}

/** Everything that was said. */
export function textOf(flow: Flow): string {
  while (flow.inlines.length > 1) closeInline(flow);
  const lines = (flow.inlines[0]?.text ?? "").split("\n").map((line) => line.trimEnd());
  return lines.join("\n").trim();
}

function beginText(flow: Flow): void {
  const isNew = flow.gap > 0 || flow.isStart;
  if (flow.gap > 0 && !flow.isStart) put(flow, "\n".repeat(flow.gap));
  if (isNew) put(flow, marginOf(flow) + flow.marker);
  if (isNew) flow.endsWithSpace = true;
  flow.gap = 0;
  flow.marker = "";
  flow.isStart = false;
}

/** Marks stand at the words, not at the spaces around them. */
function wrapped(text: string, wrap: (text: string) => string): string {
  const inner = text.trim();
  const start = text.indexOf(inner);
  return text.slice(0, start) + wrap(inner) + text.slice(start + inner.length);
}
