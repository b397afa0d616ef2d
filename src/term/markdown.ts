// Markdown blocks as styled terminal lines: marked's lexer, our own renderer.
import type { MarkedToken, Token, Tokens } from "marked";
import { expandTabs, width } from "../base/cells.ts";
import { strip } from "../base/plain.ts";
import { wrap } from "../base/wrap.ts";
import type { Block } from "./blocks.ts";
import type { Style } from "./style.ts";
import { tableLines } from "./table.ts";

export type Lex = (source: string) => Token[];
export type Page = { columns: number; style: Style; lex: Lex };

const CODE_INDENT = "  ";
/** Prose is hard to read in very long lines. */
const MAX_COLUMNS = 100;
/** A longer block is shown as it was written: on some texts lexing takes time that grows with the square of the length. */
const MAX_LEXED_CHARS = 20_000;
const NESTED = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){100}/m;
const BULLETS = ["•", "◦", "▪"] as const;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** marked is loaded when the first prose comes, not at the start. */
export async function loadLexer(): Promise<Lex> {
  const { Lexer } = await import("marked");
  return (source) => new Lexer({ gfm: true }).lex(source);
}

/** The lines of one block, without the gap before it. Long words stay whole, so that they can be copied. */
export function blockLines(block: Block, page: Page): string[] {
  if (block.kind === "code") {
    return [...languageLine(block.language, page), codeLine(block.line, page)];
  }
  const narrow = { ...page, columns: Math.min(page.columns, MAX_COLUMNS) };
  if (isTooMuch(block.source)) return paragraphLines(strip(block.source), narrow);
  try {
    return block.kind === "item"
      ? itemBlockLines(block, narrow)
      : tokensLines(tokensOf(block.source, page), narrow, 0);
  } catch (error) {
    // Nested more deeply than the stack is: thousands of quotes or lists within each other.
    if (!(error instanceof RangeError)) throw error;
    return paragraphLines(strip(block.source), narrow);
  }
}

/** Too long, or opening so many quotes and lists within each other that the stack would end before they do. */
function isTooMuch(source: string): boolean {
  return source.length > MAX_LEXED_CHARS || NESTED.test(source);
}

function itemBlockLines(block: Block & { kind: "item" }, page: Page): string[] {
  return tokensOf(block.source, page).flatMap((token, index) => {
    if (index > 0 || token.type !== "list" || block.number === null) {
      return tokensLines([token], page, 0);
    }
    return listLines({ ...token, start: block.number }, page, 0);
  });
}

function tokensOf(source: string, page: Page): MarkedToken[] {
  return known(page.lex(strip(source)));
}

/** Extensions could add tokens of their own; we load none. */
function known(tokens: readonly Token[] | undefined): MarkedToken[] {
  return (tokens ?? []).filter(isMarked);
}

function isMarked(token: Token): token is MarkedToken {
  return "raw" in token;
}

/** Blocks with a blank line between them; lists directly below their text. */
function tokensLines(tokens: readonly MarkedToken[], page: Page, depth: number): string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    const own = tokenLines(token, page, depth);
    if (own.length === 0) continue;
    const joins = depth > 0 && token.type === "list";
    if (lines.length > 0 && !joins) lines.push("");
    lines.push(...own);
  }
  return lines;
}

function tokenLines(token: MarkedToken, page: Page, depth: number): string[] {
  switch (token.type) {
    case "heading":
      return headingLines(token, page);
    case "list":
      return listLines(token, page, depth);
    case "blockquote":
      return prefixed(known(token.tokens), page, { mark: "│ ", depth });
    case "code":
      return [
        ...languageLine(token.lang ?? "", page),
        ...token.text.split("\n").map((line) => codeLine(line, page)),
      ];
    case "table":
      return tableLines(tableOf(token, page), page.columns, page.style);
    case "hr":
      return [page.style.paint("dim", "─".repeat(Math.min(page.columns, 40)))];
    case "space":
      return [];
    case "br":
    case "checkbox":
    case "codespan":
    case "def":
    case "del":
    case "em":
    case "escape":
    case "html":
    case "image":
    case "link":
    case "list_item":
    case "paragraph":
    case "strong":
    case "text":
      return paragraphLines(inline([token], page.style), page);
  }
}

function headingLines(token: Tokens.Heading, page: Page): string[] {
  const text = inline(known(token.tokens), page.style);
  const mark = "#".repeat(token.depth);
  const shown = page.style.paint("heading", `${mark} ${text}`);
  return paragraphLines(shown, page);
}

function paragraphLines(text: string, page: Page): string[] {
  if (text === "") return [];
  return wrap(expandTabs(text), page.columns, { hard: false });
}

function languageLine(language: string | null, page: Page): string[] {
  return language === null || language === "" ? [] : [page.style.paint("dim", strip(language))];
}

function codeLine(line: string, page: Page): string {
  return CODE_INDENT + page.style.paint("code", expandTabs(strip(line)));
}

function prefixed(
  tokens: readonly MarkedToken[],
  page: Page,
  how: { mark: string; depth: number },
): string[] {
  const inner = { ...page, columns: Math.max(10, page.columns - width(how.mark)) };
  const mark = page.style.paint("dim", how.mark);
  return tokensLines(tokens, inner, how.depth).map((line) => mark + line);
}

function listLines(list: Tokens.List, page: Page, depth: number): string[] {
  const lines: string[] = [];
  for (const [index, item] of list.items.entries()) {
    if (index > 0 && list.loose) lines.push("");
    const number = Number(list.start) + index;
    const bullet = list.ordered ? `${number}.` : (BULLETS[depth % BULLETS.length] ?? "•");
    lines.push(...itemLines(item, bullet, page, depth));
  }
  return lines;
}

function itemLines(item: Tokens.ListItem, bullet: string, page: Page, depth: number): string[] {
  const mark = `${page.style.paint("accent", bullet)} ${taskBox(item, page.style)}`;
  const indent = " ".repeat(width(bullet) + 1);
  const inner = { ...page, columns: Math.max(10, page.columns - width(mark)) };
  const tokens = known(item.tokens).filter((token) => token.type !== "checkbox");
  const [first = "", ...rest] = tokensLines(tokens, inner, depth + 1);
  return [mark + first, ...rest.map((line) => (line === "" ? "" : indent + line))];
}

function taskBox(item: Tokens.ListItem, style: Style): string {
  if (!item.task) return "";
  return item.checked ? `${style.paint("ok", "☑")} ` : "☐ ";
}

function tableOf(token: Tokens.Table, page: Page): Parameters<typeof tableLines>[0] {
  const cells = (row: Tokens.TableCell[]): string[] =>
    row.map((cell) => inline(known(cell.tokens), page.style));
  return { header: cells(token.header), rows: token.rows.map(cells), align: token.align };
}

/** Inline tokens as one styled text; newlines in it are hard breaks. */
function inline(tokens: readonly MarkedToken[], style: Style): string {
  return tokens.map((token) => inlineToken(token, style)).join("");
}

function inlineToken(token: MarkedToken, style: Style): string {
  switch (token.type) {
    case "strong":
      return style.paint("strong", inline(known(token.tokens), style));
    case "em":
      return style.paint("italic", inline(known(token.tokens), style));
    case "del":
      return style.paint("strike", inline(known(token.tokens), style));
    case "codespan":
      return style.paint("code", token.text.replaceAll("\n", " "));
    case "link":
      return style.link(style.paint("link", inline(known(token.tokens), style)), token.href);
    case "image":
      return style.link(`[image: ${token.text || token.href}]`, token.href);
    case "br":
      return "\n";
    case "checkbox":
      return "";
    case "paragraph":
      return inline(known(token.tokens), style);
    case "text":
      return token.tokens ? inline(known(token.tokens), style) : flowing(token.text);
    case "escape":
      return token.text;
    case "blockquote":
    case "code":
    case "def":
    case "heading":
    case "hr":
    case "html":
    case "list":
    case "list_item":
    case "space":
    case "table":
      return flowing(token.raw.trimEnd());
  }
}

/** Text in which a newline is only a space; the usual entities are decoded. */
function flowing(text: string): string {
  const decoded = text.replace(
    /&(?:amp|lt|gt|quot|#39|nbsp);/g,
    (entity) => ENTITIES[entity] ?? entity,
  );
  return decoded.replaceAll(/ *\n */g, " ");
}
