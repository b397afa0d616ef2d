// HTML as Markdown or plain text, as its parser meets it: what a reader would read, without scripts, styles and navigation.
import { withoutReferences } from "./web-entities.ts";
import {
  breakLine,
  closeInline,
  marginOf,
  newFlow,
  openInline,
  put,
  say,
  sayRaw,
  textOf,
  type Flow,
} from "./web-flow.ts";

export type Readable = { title: string; text: string };
export type Shape = {
  isPlain: boolean;
  /** The page's own URL, from which its links are resolved. */
  base: string;
};

const UNREAD = words(
  "script style noscript template svg iframe nav button select textarea canvas object",
);
const VOID = words("area base br col embed hr img input link meta param source track wbr");
/** Elements that begin and end a line; those of `APART` stand between empty lines. */
const LINES = words(
  "address article aside dd details dialog div dt fieldset figcaption figure footer form header hgroup main section summary tr li body html",
);
const APART = words("blockquote dl h1 h2 h3 h4 h5 h6 ol p pre table ul");
const MARKS: ReadonlyMap<string, string> = new Map([
  ["b", "**"],
  ["strong", "**"],
  ["em", "*"],
  ["i", "*"],
  ["code", "`"],
  ["kbd", "`"],
  ["del", "~~"],
  ["s", "~~"],
]);
const MAX_TITLE_CHARS = 300;
const MAX_URL_CHARS = 400;

/** Where the parser is. The counts are of elements that are open. */
type Page = {
  flow: Flow;
  shape: Shape;
  title: string;
  unread: number;
  titles: number;
  pre: number;
  /** Cells of the table's row so far. */
  cells: number;
  isFirstRow: boolean;
};
type Attribute = (name: string) => string;

export function readable(html: string, shape: Shape): Readable {
  const flow = newFlow(shape.isPlain);
  const counts = { unread: 0, titles: 0, pre: 0, cells: 0, isFirstRow: false };
  const page: Page = { flow, shape, title: "", ...counts };
  let raw = "";
  // The parser cuts text where it likes, also within a character reference.
  const flush = (): void => {
    if (raw !== "") text(page, withoutReferences(raw));
    raw = "";
  };
  new HTMLRewriter()
    .on("*", {
      element(element) {
        flush();
        const { tagName } = element;
        open(page, tagName, (name) => withoutReferences(element.getAttribute(name) ?? ""));
        if (VOID.has(tagName) || !element.canHaveContent) return;
        element.onEndTag(() => {
          flush();
          close(page, tagName);
        });
      },
    })
    .onDocument({ text: (chunk) => void (raw += chunk.text) })
    .transform(html);
  flush();
  return { title: page.title.replaceAll(/\s+/g, " ").trim(), text: textOf(flow) };
}

function open(page: Page, tag: string, attribute: Attribute): void {
  if (UNREAD.has(tag)) page.unread += 1;
  if (tag === "title") page.titles += 1;
  if (page.unread > 0 || page.titles > 0) return;
  if (VOID.has(tag)) {
    openVoid(page, tag, attribute);
    return;
  }
  breakLine(page.flow, linesAround(page, tag));
  if (tag === "td" || tag === "th") openCell(page);
  else if (page.pre === 0 && isMarked(tag)) openMark(page, tag, attribute);
  else openBlock(page, tag);
}

function close(page: Page, tag: string): void {
  if (UNREAD.has(tag)) {
    page.unread -= 1;
    return;
  }
  if (tag === "title") {
    page.titles -= 1;
    return;
  }
  if (page.unread > 0 || page.titles > 0) return;
  if (page.pre === 0 && isMarked(tag)) closeInline(page.flow);
  else closeBlock(page, tag);
  breakLine(page.flow, linesAround(page, tag));
}

function text(page: Page, said: string): void {
  if (page.titles > 0) page.title = (page.title + said).slice(0, MAX_TITLE_CHARS);
  if (page.unread > 0 || page.titles > 0) return;
  if (page.pre > 0) sayRaw(page.flow, said);
  else say(page.flow, said);
}

/** Within a cell nothing breaks the row; a list within an item goes on in the next line. */
function linesAround({ flow, cells }: Page, tag: string): number {
  if ((tag === "ul" || tag === "ol") && flow.lists.length > 0) return 1;
  if (APART.has(tag)) return cells > 0 ? 0 : 2;
  return LINES.has(tag) && (cells === 0 || tag === "tr") ? 1 : 0;
}

function isMarked(tag: string): boolean {
  return tag === "a" || MARKS.has(tag);
}

function openMark({ flow, shape }: Page, tag: string, attribute: Attribute): void {
  const mark = MARKS.get(tag);
  const url = tag === "a" ? linkOf(attribute("href"), shape.base) : null;
  if (shape.isPlain) openInline(flow, null);
  else if (mark !== undefined) openInline(flow, (inner) => mark + inner + mark);
  else if (url === null) openInline(flow, null);
  else openInline(flow, (inner) => `[${inner.replaceAll(/\s*\n\s*/g, " ")}](${url})`);
}

function openVoid({ flow, shape }: Page, tag: string, attribute: Attribute): void {
  if (tag === "br") breakLine(flow, 1);
  if (tag === "hr" && !shape.isPlain) {
    breakLine(flow, 2);
    say(flow, "---");
    breakLine(flow, 2);
  }
  const alt = tag === "img" ? attribute("alt").trim() : "";
  if (alt === "") return;
  const url = shape.isPlain ? null : linkOf(attribute("src"), shape.base);
  say(flow, url === null ? `[image: ${alt}]` : `![${alt}](${url})`);
}

function openCell(page: Page): void {
  page.cells += 1;
  say(page.flow, page.cells === 1 ? "| " : " | ");
  page.flow.endsWithSpace = true;
}

function openBlock(page: Page, tag: string): void {
  const { flow, shape } = page;
  switch (tag) {
    case "ul":
    case "ol":
      flow.lists.push({ isOrdered: tag === "ol", count: 0 });
      return;
    case "li":
      flow.marker = itemMarker(flow.lists.at(-1));
      return;
    case "blockquote":
      flow.quotes += 1;
      return;
    case "table":
      page.isFirstRow = true;
      return;
    case "tr":
      closeRow(page);
      return;
    case "pre":
      openCode(page);
      return;
    default:
      if (/^h[1-6]$/.test(tag) && !shape.isPlain) {
        flow.marker = `${"#".repeat(Number(tag.slice(1)))} `;
      }
  }
}

function openCode(page: Page): void {
  if (!page.shape.isPlain) sayRaw(page.flow, "```\n");
  page.pre += 1;
}

function closeBlock(page: Page, tag: string): void {
  const { flow } = page;
  if (tag === "ul" || tag === "ol") flow.lists.pop();
  if (tag === "blockquote") flow.quotes -= 1;
  if (tag === "pre") closeCode(page);
  if (tag === "tr" || tag === "table") closeRow(page);
  // An item or a heading without text leaves no mark.
  if (/^(?:h[1-6]|li)$/.test(tag)) flow.marker = "";
}

function closeCode(page: Page): void {
  const { flow, shape } = page;
  page.pre = Math.max(0, page.pre - 1);
  if (!shape.isPlain) put(flow, `${flow.endsWithSpace ? "" : `\n${marginOf(flow)}`}\`\`\``);
}

/** A row may have no end tag of its own: the next one, or the table's end, ends it. */
function closeRow(page: Page): void {
  const { flow, shape, cells } = page;
  if (cells === 0) return;
  put(flow, " |");
  if (page.isFirstRow && !shape.isPlain) {
    put(flow, `\n${marginOf(flow)}|${" --- |".repeat(cells)}`);
  }
  page.isFirstRow = false;
  page.cells = 0;
}

function itemMarker(list: { isOrdered: boolean; count: number } | undefined): string {
  if (list === undefined || !list.isOrdered) return "- ";
  list.count += 1;
  return `${list.count}. `;
}

/** Null where there is nothing to go to. */
function linkOf(href: string, base: string): string | null {
  if (href === "" || href.startsWith("#")) return null;
  const url = URL.parse(href, base);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  return url === null || !isWeb || url.href.length > MAX_URL_CHARS ? null : url.href;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
