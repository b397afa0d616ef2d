// What a regular expression says, as a tree: the parser makes it, the engines and the prefilter read it.

export type Anchor =
  | "line start"
  | "line end"
  | "text start"
  | "text end"
  | "boundary"
  | "no boundary"
  | "word start"
  | "word end";

export type Node =
  | { kind: "empty" }
  /** One code point; `fold`: in any case. */
  | { kind: "char"; code: number; fold: boolean }
  /** One of a set, given as the source of a `v`-mode class without its outer brackets. */
  | { kind: "set"; source: string; fold: boolean }
  | { kind: "anchor"; at: Anchor }
  | { kind: "sequence"; parts: readonly Node[] }
  | { kind: "choice"; options: readonly Node[] }
  | { kind: "repeat"; node: Node; min: number; max: number; isLazy: boolean }
  | { kind: "group"; node: Node; name: string | null }
  | { kind: "look"; node: Node; direction: "ahead" | "behind"; isNegated: boolean }
  | { kind: "back"; to: string };

export const WORD_SET = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

/** Whether the tree needs an engine that goes back: lookaround or back-references. */
export function isIrregular(node: Node): boolean {
  switch (node.kind) {
    case "look":
    case "back":
      return true;
    case "sequence":
      return node.parts.some(isIrregular);
    case "choice":
      return node.options.some(isIrregular);
    case "repeat":
    case "group":
      return isIrregular(node.node);
    case "empty":
    case "char":
    case "set":
    case "anchor":
      return false;
  }
}

/** Whether a match can hold a line break; `newline only`: whether the pattern names one. */
export function matchesNewline(node: Node, by: "anything" | "newline only"): boolean {
  switch (node.kind) {
    case "char":
      return node.code === 10;
    case "set":
      return by === "anything" && RegExp(`^[${node.source}]$`, "v").test("\n");
    case "sequence":
      return node.parts.some((part) => matchesNewline(part, by));
    case "choice":
      return node.options.some((option) => matchesNewline(option, by));
    case "repeat":
    case "group":
    case "look":
      return matchesNewline(node.node, by);
    case "empty":
    case "anchor":
    case "back":
      return false;
  }
}
