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
export function isIrregular(tree: Node): boolean {
  return some(tree, ({ kind }) => kind === "look" || kind === "back");
}

/** Whether letters match in any case somewhere. */
export function isFolded(tree: Node): boolean {
  return some(tree, (node) => (node.kind === "char" || node.kind === "set") && node.fold);
}

/** Whether a match can hold a line break; `newline only`: whether the pattern names one. */
export function matchesNewline(tree: Node, by: "anything" | "newline only"): boolean {
  return some(tree, (node) => {
    if (node.kind === "char") return node.code === 10;
    return by === "anything" && node.kind === "set" && RegExp(`^[${node.source}]$`, "v").test("\n");
  });
}

/** Whether the pattern speaks of the start or end of the whole text. */
export function hasTextAnchor(node: Node): boolean {
  return some(
    node,
    (each) => each.kind === "anchor" && (each.at === "text start" || each.at === "text end"),
  );
}

/** Whether a test holds for any node of the tree. */
export function some(node: Node, test: (each: Node) => boolean): boolean {
  if (test(node)) return true;
  switch (node.kind) {
    case "sequence":
      return node.parts.some((part) => some(part, test));
    case "choice":
      return node.options.some((option) => some(option, test));
    case "repeat":
    case "group":
    case "look":
      return some(node.node, test);
    case "empty":
    case "char":
    case "set":
    case "anchor":
    case "back":
      return false;
  }
}
