// A regular expression as a program for the two linear engines: steps that consume, fork, check a place, or match.
import { alphabetOf, END, type Alphabet, type Test } from "./alphabet.ts";
import { WORD_SET, type Anchor, type Node } from "./regex-tree.ts";

export type Step =
  | { kind: "set"; set: number; next: number }
  /** The first is preferred. */
  | { kind: "fork"; first: number; second: number }
  | { kind: "anchor"; at: Anchor; next: number }
  | { kind: "match" };

/** What lies on one side of a place between two code points. */
export type Side = "edge" | "newline" | "word" | "other";

export type Program = {
  steps: readonly Step[];
  start: number;
  alphabet: Alphabet;
  /** Without any anchor in the pattern all sides are the same. */
  sideOf(symbol: number): Side;
  /** The consuming and matching steps that a step leads to at a place with these sides, in order of preference. */
  reach(from: number, before: Side, after: Side): readonly number[];
};

const MAX_STEPS = 20_000;

/** Null when the pattern is too large, or needs more than a regular language. */
export function programOf(tree: Node): Program | null {
  const build: Build = { steps: [{ kind: "match" }], sets: new Map(), isTooLarge: false };
  const newline = setNumber(build, "char:10", (code) => code === 10);
  const word = setNumber(build, "word", classTest(WORD_SET, false));
  const start = compile(build, tree, 0);
  if (build.isTooLarge) return null;
  const alphabet = alphabetOf([...build.sets.values()]);
  const hasAnchors = build.steps.some((step) => step.kind === "anchor");
  const sideOf = (symbol: number): Side => {
    if (symbol === END) return "edge";
    if (alphabet.has(symbol, newline)) return "newline";
    return alphabet.has(symbol, word) ? "word" : "other";
  };
  return {
    steps: build.steps,
    start,
    alphabet,
    sideOf: hasAnchors ? sideOf : () => "other",
    reach: reachOf(build.steps),
  };
}

type Build = { steps: Step[]; sets: Map<string, Test>; isTooLarge: boolean };

function add(build: Build, step: Step): number {
  if (build.steps.length >= MAX_STEPS) build.isTooLarge = true;
  else build.steps.push(step);
  return build.steps.length - 1;
}

function setNumber(build: Build, key: string, test: Test): number {
  if (!build.sets.has(key)) build.sets.set(key, test);
  return [...build.sets.keys()].indexOf(key);
}

/** The step to begin with so that `node` is consumed and `next` follows. */
function compile(build: Build, node: Node, next: number): number {
  if (build.isTooLarge) return next;
  switch (node.kind) {
    case "empty":
      return next;
    case "char":
    case "set":
      return add(build, { kind: "set", set: setOf(build, node), next });
    case "anchor":
      return add(build, { kind: "anchor", at: node.at, next });
    case "sequence":
      return node.parts.reduceRight((after, part) => compile(build, part, after), next);
    case "choice":
      return node.options
        .map((option) => compile(build, option, next))
        .reduceRight((second, first) => add(build, { kind: "fork", first, second }));
    case "group":
      return compile(build, node.node, next);
    case "repeat":
      return compileRepeat(build, node, next);
    case "look":
    case "back":
      build.isTooLarge = true;
      return next;
  }
}

type Repeat = Extract<Node, { kind: "repeat" }>;

function compileRepeat(build: Build, node: Repeat, next: number): number {
  const forked = (into: number, past: number): Step =>
    node.isLazy
      ? { kind: "fork", first: past, second: into }
      : { kind: "fork", first: into, second: past };
  let entry = next;
  // With no upper bound the last copy that must match is the one that is repeated.
  let copies = node.min;
  if (node.max === Infinity) {
    // The fork must have its place before the body that returns to it.
    const loop = add(build, { kind: "match" });
    const body = compile(build, node.node, loop);
    build.steps[loop] = forked(body, next);
    entry = node.min === 0 ? loop : body;
    copies = Math.max(0, node.min - 1);
  } else {
    for (let times = node.min; times < node.max; times++) {
      entry = add(build, forked(compile(build, node.node, entry), next));
    }
  }
  for (; copies > 0; copies--) entry = compile(build, node.node, entry);
  return entry;
}

function setOf(build: Build, node: Extract<Node, { kind: "char" | "set" }>): number {
  if (node.kind === "set") {
    return setNumber(
      build,
      `set:${String(node.fold)}:${node.source}`,
      classTest(node.source, node.fold),
    );
  }
  const { code, fold } = node;
  if (!fold) return setNumber(build, `char:${code}`, (each) => each === code);
  return setNumber(build, `fold:${code}`, classTest(`\\u{${code.toString(16)}}`, true));
}

/** Lone surrogates stand for bytes that are not UTF-8, which no class contains. */
function classTest(source: string, fold: boolean): Test {
  const regex = RegExp(`^[${source}]$`, fold ? "vi" : "v");
  return (code) => !(code >= 0xd800 && code <= 0xdfff) && regex.test(String.fromCodePoint(code));
}

/** Whether the check holds at a place with these sides. */
function holds(at: Anchor, before: Side, after: Side): boolean {
  const isEdge = (before === "word") !== (after === "word");
  switch (at) {
    case "text start":
      return before === "edge";
    case "text end":
      return after === "edge";
    case "line start":
      return before === "edge" || before === "newline";
    case "line end":
      return after === "edge" || after === "newline";
    case "boundary":
      return isEdge;
    case "no boundary":
      return !isEdge;
    case "word start":
      return isEdge && after === "word";
    case "word end":
      return isEdge && before === "word";
  }
}

/** Follows forks and checks; what was found once is kept. */
function reachOf(steps: readonly Step[]): Program["reach"] {
  const known = new Map<string, (readonly number[])[]>();
  return (from, before, after) => {
    const sides = before + after;
    const lists = known.get(sides) ?? [];
    if (lists.length === 0) known.set(sides, lists);
    return (lists[from] ??= follow(steps, from, before, after));
  };
}

function follow(steps: readonly Step[], from: number, before: Side, after: Side): number[] {
  const reached: number[] = [];
  const seen = new Set<number>();
  const stack = [from];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const step = steps[at];
    if (step === undefined || seen.has(at)) continue;
    seen.add(at);
    switch (step.kind) {
      case "fork":
        stack.push(step.second, step.first);
        break;
      case "anchor":
        if (holds(step.at, before, after)) stack.push(step.next);
        break;
      case "set":
      case "match":
        reached.push(at);
        break;
    }
  }
  return reached;
}
