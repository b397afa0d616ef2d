// A regular expression for JavaScript's own engine: only for patterns with lookaround or back-references.
import { invalid, messageOf, ok, type Result } from "../base/failure.ts";
import { inClass } from "./regex-escape.ts";
import type { Span } from "./regex-spans.ts";
import { WORD_SET, type Anchor, type Node } from "./regex-tree.ts";

export type Finder = (text: string, from: number) => Span | null;

export function finderOf(tree: Node, pattern: string): Result<Finder> {
  try {
    const regex = RegExp(source(tree), "gv");
    return ok((text, from) => {
      regex.lastIndex = from;
      const match = regex.exec(text);
      return match === null ? null : { start: match.index, end: match.index + match[0].length };
    });
  } catch (error) {
    const why = messageOf(error).replace(/^.*: /, "");
    return invalid(`the regex ${JSON.stringify(pattern)} is not valid: ${why}`);
  }
}

const WORD = `[${WORD_SET}]`;

const ANCHORS: Readonly<Record<Anchor, string>> = {
  "line start": "(?<![^\\n])",
  "line end": "(?![^\\n])",
  "text start": "(?<![^])",
  "text end": "(?![^])",
  boundary: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  "no boundary": `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
  "word start": `(?:(?<!${WORD})(?=${WORD}))`,
  "word end": `(?:(?<=${WORD})(?!${WORD}))`,
};

function source(node: Node): string {
  switch (node.kind) {
    case "empty":
      return "(?:)";
    case "char":
      return folding(`[${inClass(node.code)}]`, node.fold);
    case "set":
      // Lone surrogates stand for bytes that are not UTF-8, which no class contains.
      return folding(`[[${node.source}]--[\\u{d800}-\\u{dfff}]]`, node.fold);
    case "anchor":
      return ANCHORS[node.at];
    case "sequence":
      return node.parts.map(source).join("");
    case "choice":
      return `(?:${node.options.map(source).join("|")})`;
    case "repeat": {
      const max = node.max === Infinity ? "" : String(node.max);
      return `(?:${source(node.node)}){${node.min},${max}}${node.isLazy ? "?" : ""}`;
    }
    case "group":
      return `(${node.name === null ? "" : `?<${node.name}>`}${source(node.node)})`;
    case "look":
      return `(?${node.direction === "behind" ? "<" : ""}${node.isNegated ? "!" : "="}${source(node.node)})`;
    case "back":
      return /^\d$/.test(node.to) ? `(?:\\${node.to})` : `\\k<${node.to}>`;
  }
}

function folding(text: string, fold: boolean): string {
  return fold ? `(?i:${text})` : text;
}
