// Texts of which every match must contain one: a search looks for these first, which is much faster than any engine.
import { isFolded, type Node } from "./regex-tree.ts";

/** `fold`: in any case. */
export type Needles = { texts: readonly string[]; fold: boolean };

const MAX_TEXTS = 16;
const MAX_CHARS = 48;

/** Null when no such text is known. */
export function needlesOf(tree: Node): Needles | null {
  const found = facts(tree);
  const texts = found.exact !== null && isUseful(found.exact) ? found.exact : found.needed;
  return texts === null ? null : { texts, fold: isFolded(tree) };
}

/** `exact`: all texts that the node can match. `needed`: each match contains one of these. Null: not known. */
type Facts = { exact: readonly string[] | null; needed: readonly string[] | null };

const UNKNOWN: Facts = { exact: null, needed: null };
const NOTHING: Facts = { exact: [""], needed: null };

function facts(node: Node): Facts {
  switch (node.kind) {
    case "empty":
    case "anchor":
    case "look":
      return NOTHING;
    case "char": {
      const isPlain = !node.fold || node.code < 128;
      return isPlain ? { exact: [String.fromCodePoint(node.code)], needed: null } : UNKNOWN;
    }
    case "set":
    case "back":
      return UNKNOWN;
    case "group":
      return facts(node.node);
    case "sequence":
      return inSequence(node.parts.map(facts));
    case "choice":
      return inChoice(node.options.map(facts));
    case "repeat":
      return repeated(facts(node.node), node.min, node.max);
  }
}

function repeated(inner: Facts, min: number, max: number): Facts {
  if (min === 0) return max === 1 && inner.exact ? inChoice([inner, NOTHING]) : UNKNOWN;
  if (min === 1 && max === 1) return inner;
  const needed = inner.exact !== null && isUseful(inner.exact) ? inner.exact : inner.needed;
  return { exact: null, needed };
}

function inChoice(all: readonly Facts[]): Facts {
  const exact = joined(all.map((each) => each.exact));
  const needed = joined(
    all.map((each) => (each.exact !== null && isUseful(each.exact) ? each.exact : each.needed)),
  );
  return { exact, needed };
}

function joined(sets: readonly (readonly string[] | null)[]): readonly string[] | null {
  const all = new Set<string>();
  for (const set of sets) {
    if (set === null) return null;
    for (const text of set) all.add(text);
  }
  return all.size <= MAX_TEXTS ? [...all] : null;
}

function inSequence(all: readonly Facts[]): Facts {
  let run: readonly string[] = [""];
  let best: readonly string[] | null = null;
  let isExact = true;
  for (const { exact, needed } of all) {
    best = better(best, needed);
    const longer = exact === null ? null : product(run, exact);
    if (longer !== null) {
      run = longer;
      continue;
    }
    isExact = false;
    best = better(best, run);
    run = exact ?? [""];
  }
  return { exact: isExact ? run : null, needed: better(best, run) };
}

function product(heads: readonly string[], tails: readonly string[]): readonly string[] | null {
  const all = heads.flatMap((head) => tails.map((tail) => head + tail));
  return all.length <= MAX_TEXTS && all.every((text) => text.length <= MAX_CHARS) ? all : null;
}

/** The set whose shortest text is longer: the rarer find. */
function better(
  one: readonly string[] | null,
  other: readonly string[] | null,
): readonly string[] | null {
  if (other === null || !isUseful(other)) return one;
  return one === null || shortest(other) > shortest(one) ? other : one;
}

function isUseful(texts: readonly string[]): boolean {
  return texts.length > 0 && shortest(texts) > 0;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}
