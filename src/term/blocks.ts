// Cuts Markdown, as it streams in, into finished blocks: a fold over whole lines, so any split of the text gives the same blocks.

/**
 * One finished part of a document. `text` is Markdown of its own; `item` one list item, with its number in an ordered
 * list; `code` one line of a fenced block, the first line carrying the language.
 */
export type Block =
  | { kind: "text"; gap: boolean; source: string }
  | { kind: "item"; gap: boolean; source: string; number: number | null }
  | { kind: "code"; gap: boolean; line: string; language: string | null };

type Fence = { marker: string; indent: number; language: string | null; lines: number };
/** `blank` says that a blank line came after the source: the item may go on or be over. */
type List = {
  kind: "list";
  source: string;
  blank: boolean;
  bullet: string;
  number: number | null;
};
/** One growing text, not a list of lines: that would be copied for each line. */
type Text = { kind: "text"; first: string; source: string };
type Open = { kind: "none" } | Text | List | { kind: "fence"; fence: Fence };

export type Blocks = {
  /** The line that has no newline yet. */
  readonly partial: string;
  readonly open: Open;
  /** Whether the next block stands apart from what came before: never at the start, never within a tight list. */
  readonly gap: boolean;
};

export const BLOCKS: Blocks = { partial: "", open: { kind: "none" }, gap: false };

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const ITEM = /^( {0,3})([-*+]|(\d{1,9})([.)]))(?:[ \t]|$)/;
const LETTER = /^\p{L}/u;
const SENTENCE_END = /[.!?…。！？]["'”’)\]*_`]*[ \t]+(?=\p{L})/gu;
/** A paragraph of this length is about to outgrow the live tail; one without a safe place for so long stays whole. */
const HOLD_CHARS = 480;
const GIVE_UP_CHARS = 2400;
/** From this indent on a line belongs to the list item above it. */
const NESTED_INDENT = 2;

type Step = { blocks: Blocks; done: Block[] };

export function push(blocks: Blocks, delta: string): Step {
  // A line that was not cut by now never will be: to look at all of it for each delta would be quadratic.
  if (blocks.partial.length >= GIVE_UP_CHARS && !delta.includes("\n")) {
    return { blocks: { ...blocks, partial: blocks.partial + delta }, done: [] };
  }
  const lines = (blocks.partial + delta).split("\n");
  const partial = lines.pop() ?? "";
  let state = blocks;
  const done: Block[] = [];
  const keep = (step: Step): void => {
    state = step.blocks;
    done.push(...step.done);
  };
  for (const line of lines) {
    const cut = cutLong(state, line);
    keep(cut);
    keep(takeLine(state, cut.rest.replace(/\r$/, "")));
  }
  const cut = cutLong(state, partial);
  keep(cut);
  return { blocks: { ...state, partial: cut.rest }, done };
}

/**
 * A paragraph too long to be held back until its end is cut after a sentence, where no mark is open. Only the text up
 * to the cut and the letter after it decide, so that it does not matter how the text arrives.
 */
function cutLong(blocks: Blocks, line: string): Step & { rest: string } {
  const before = blocks.open.kind === "text" ? `${blocks.open.source}\n` : "";
  const at = isProse(blocks.open, line) ? sentenceEnd(before, line) : null;
  if (at === null) return { blocks, done: [], rest: line };
  const source = before + line.slice(0, at).trimEnd();
  const block: Block = { kind: "text", gap: blocks.gap, source };
  const next = cutLong({ ...blocks, open: { kind: "none" }, gap: false }, line.slice(at));
  return { ...next, done: [block, ...next.done] };
}

/** A line that begins with a letter is nothing but text, in a paragraph that began so too. */
function isProse(open: Open, line: string): boolean {
  if (open.kind !== "none" && open.kind !== "text") return false;
  const first = open.kind === "text" ? open.first : line;
  return LETTER.test(line) && LETTER.test(first);
}

/** Where in `line` the first sentence ends that makes the paragraph long; null when it is short, or no end is safe. */
function sentenceEnd(before: string, line: string): number | null {
  const start = before.length;
  if (start + line.length < HOLD_CHARS || start > GIVE_UP_CHARS) return null;
  for (const hit of line.slice(0, GIVE_UP_CHARS).matchAll(SENTENCE_END)) {
    const at = hit.index + hit[0].length;
    if (start + at >= HOLD_CHARS && isBalanced(before + line.slice(0, at))) return at;
  }
  return null;
}

/** No emphasis, code or link is open, and it is no table row. */
function isBalanced(text: string): boolean {
  const count = (mark: string): number => text.split(mark).length - 1;
  const isEven = ["`", "*", "_", "~"].every((mark) => count(mark) % 2 === 0);
  return isEven && count("[") === count("]") && count("(") === count(")") && count("|") === 0;
}

/** The end of the text: what is open becomes a block. */
export function finish(blocks: Blocks): Step {
  const last = blocks.partial === "" ? { blocks, done: [] } : takeLine(blocks, blocks.partial);
  const closed = close(last.blocks);
  return { blocks: { ...closed.blocks, partial: "" }, done: [...last.done, ...closed.done] };
}

/** What is not finished yet, as the block it would be if the text ended here. */
export function openBlocks(blocks: Blocks): Block[] {
  return finish(blocks).done;
}

function takeLine(blocks: Blocks, line: string): Step {
  switch (blocks.open.kind) {
    case "fence":
      return takeCode(blocks, blocks.open.fence, line);
    case "list":
      return takeInList(blocks, blocks.open, line);
    case "text":
      return takeInText(blocks, blocks.open, line);
    case "none":
      return line.trim() === "" ? { blocks, done: [] } : begin(blocks, line);
  }
}

/** A line that begins a block. */
function begin(blocks: Blocks, line: string): Step {
  const fence = FENCE.exec(line);
  if (fence) {
    const [, indent = "", marker = "", info = ""] = fence;
    const language = info.trim();
    return {
      blocks: {
        ...blocks,
        open: { kind: "fence", fence: { marker, indent: indent.length, language, lines: 0 } },
      },
      done: [],
    };
  }
  if (HEADING.test(line) || RULE.test(line)) return emit(blocks, line);
  const item = ITEM.exec(line);
  if (item) return { blocks: { ...blocks, open: newItem(line, item, null) }, done: [] };
  return { blocks: { ...blocks, open: { kind: "text", first: line, source: line } }, done: [] };
}

function emit(blocks: Blocks, source: string): Step {
  const block: Block = { kind: "text", gap: blocks.gap, source };
  return { blocks: { ...blocks, open: { kind: "none" }, gap: true }, done: [block] };
}

/** `before` is the number of the item above in the same list. */
function newItem(line: string, item: RegExpExecArray, before: number | null): List {
  const [, , bullet = "", digits, delimiter] = item;
  const number = digits === undefined ? null : (before ?? Number(digits) - 1) + 1;
  return { kind: "list", source: line, blank: false, bullet: delimiter ?? bullet, number };
}

function takeInText(blocks: Blocks, { first, source }: Text, line: string): Step {
  if (line.trim() === "") return close(blocks);
  const isUnderline = UNDERLINE.test(line) && !first.includes("|");
  const joins = !FENCE.test(line) && !HEADING.test(line) && !RULE.test(line) && !startsList(line);
  const open: Open = { kind: "text", first, source: `${source}\n${line}` };
  if (isUnderline) return close({ ...blocks, open });
  return joins ? { blocks: { ...blocks, open }, done: [] } : closeAndTake(blocks, line);
}

/** Whether a line may interrupt a paragraph as a list: an ordered one only when it starts with 1. */
function startsList(line: string): boolean {
  const item = ITEM.exec(line);
  if (!item || line.trim() === item[2]) return false;
  return item[3] === undefined || item[3] === "1";
}

function takeInList(blocks: Blocks, list: List, line: string): Step {
  if (line.trim() === "")
    return { blocks: { ...blocks, open: { ...list, blank: true } }, done: [] };
  const isNested = line.search(/\S/) >= NESTED_INDENT || line.startsWith("\t");
  if (isNested || (!list.blank && isPlain(line))) {
    const source = `${list.source}${list.blank ? "\n\n" : "\n"}${line}`;
    return { blocks: { ...blocks, open: { ...list, source, blank: false } }, done: [] };
  }
  const item = RULE.test(line) ? null : ITEM.exec(line);
  return item ? nextItem(blocks, list, { line, item }) : closeAndTake(blocks, line);
}

/** A line that goes on with the paragraph above it, wherever that is. */
function isPlain(line: string): boolean {
  return !ITEM.test(line) && !FENCE.test(line) && !HEADING.test(line) && !RULE.test(line);
}

/** The next item of `list`, or the first of another list where the bullet changes. */
function nextItem(
  blocks: Blocks,
  list: List,
  found: { line: string; item: RegExpExecArray },
): Step {
  const closed = close(blocks);
  const next = newItem(found.line, found.item, list.number);
  const isSameList = next.bullet === list.bullet;
  return {
    blocks: {
      ...closed.blocks,
      gap: !isSameList || list.blank,
      open: isSameList ? next : newItem(found.line, found.item, null),
    },
    done: closed.done,
  };
}

function takeCode(blocks: Blocks, fence: Fence, line: string): Step {
  const trimmed = line.trim();
  const closes = trimmed.length >= fence.marker.length && /^(`+|~+)$/.test(trimmed);
  if (closes && trimmed.startsWith(fence.marker) && line.search(/\S/) < 4) return close(blocks);
  return {
    blocks: { ...blocks, gap: false, open: { kind: "fence", fence: { ...fence, lines: 1 } } },
    done: [codeLine(blocks, fence, line)],
  };
}

function codeLine(blocks: Blocks, fence: Fence, line: string): Block {
  const isFirst = fence.lines === 0;
  return {
    kind: "code",
    gap: isFirst && blocks.gap,
    line: line.replace(new RegExp(`^ {0,${fence.indent}}`), ""),
    language: isFirst ? fence.language : null,
  };
}

function closeAndTake(blocks: Blocks, line: string): Step {
  const closed = close(blocks);
  return andThen(closed, takeLine(closed.blocks, line));
}

function andThen(first: Step, second: Step): Step {
  return { blocks: second.blocks, done: [...first.done, ...second.done] };
}

function close(blocks: Blocks): Step {
  const { open, gap } = blocks;
  const closed: Blocks = { ...blocks, open: { kind: "none" }, gap: true };
  switch (open.kind) {
    case "none":
      return { blocks, done: [] };
    case "text":
      return { blocks: closed, done: [{ kind: "text", gap, source: open.source }] };
    case "list":
      return {
        blocks: closed,
        done: [{ kind: "item", gap, source: open.source, number: open.number }],
      };
    case "fence":
      return {
        blocks: closed,
        done: open.fence.lines === 0 ? [codeLine(blocks, open.fence, "")] : [],
      };
  }
}
