// `bun run bench:search`: finding and searching in a tree of 2,000 files and in one of 50,000 against ripgrep and fd, in
// turns. Ours runs in a compiled program that is already running, as a tool call does; theirs are spawned.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../scripts/compile.ts";
import { NEEDLE, searchTree, type SearchTree } from "./search-tree.ts";
import type { Answer, Asked } from "./searcher.ts";

type Search = Omit<Asked, "root"> & { what: string };

const WITHOUT_LITERAL: Search = {
  what: "regex without literal",
  kind: "regex",
  pattern: String.raw`\d\d\d\d`,
};

const SEARCHES: Search[] = [
  { what: "literal", kind: "literal", pattern: NEEDLE },
  { what: "no match", kind: "literal", pattern: "nowhereAtAll" },
  { what: "ignore case", kind: "ignore case", pattern: NEEDLE.toUpperCase() },
  { what: "regex with a literal", kind: "regex", pattern: String.raw`${NEEDLE}[A-Z]\w\d\d\(` },
  {
    what: "regex, one of three",
    kind: "regex",
    pattern: String.raw`\b(${NEEDLE}Q|nowhere|neverThere)\w+`,
  },
  WITHOUT_LITERAL,
  { what: "find by glob", kind: "find", pattern: "*9.ts" },
];

function peerCommand({ kind, pattern }: Search, root: string): string[] {
  if (kind === "find") {
    const fd = Bun.which("fdfind") ?? Bun.which("fd");
    if (fd === null) throw new Error("fd is not installed");
    return [fd, "--hidden", "--type", "f", "--glob", pattern, root];
  }
  const rg = Bun.which("rg");
  if (rg === null) throw new Error("rg is not installed");
  const flags = { literal: ["-F"], regex: [], "ignore case": ["-F", "-i"] }[kind];
  return [rg, "--no-config", "--hidden", "--line-number", "--no-heading", ...flags, pattern, root];
}

async function peer(command: string[]): Promise<Answer> {
  const began = performance.now();
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const text = await child.stdout.text();
  await child.exited;
  const wallMs = performance.now() - began;
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  return { wallMs, cpuMs, found: text.split("\n").length - 1 };
}

type Searcher = { ask(asked: Asked): Promise<Answer> } & Disposable;

async function openSearcher(scratch: string): Promise<Searcher> {
  const outfile = join(scratch, "searcher");
  const built = await compile({
    entries: ["bench/searcher.ts"],
    outfile,
    version: "0",
    target: null,
  });
  if (!built.ok) throw new Error(`the searcher was not built: ${built.output}`);
  const child = Bun.spawn([outfile], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  return {
    async ask({ root, pattern, kind }) {
      void child.stdin.write(`${JSON.stringify({ root, pattern, kind })}\n`);
      await child.stdin.flush();
      let text = "";
      while (!text.endsWith("\n")) {
        const { value } = await reader.read();
        if (value === undefined) throw new Error("the searcher ended");
        text += decoder.decode(value, { stream: true });
      }
      return JSON.parse(text);
    },
    [Symbol.dispose]: () => child.kill(),
  };
}

/** The smallest of each: what else the machine did can only add. */
function least(answers: readonly Answer[]): Answer {
  return {
    wallMs: Math.min(...answers.map(({ wallMs }) => wallMs)),
    cpuMs: Math.min(...answers.map(({ cpuMs }) => cpuMs)),
    found: answers[0]?.found ?? 0,
  };
}

type Comparison = { ours: Answer; first: number; theirs: Answer };

async function compare(search: Search, { tree, searcher, turns }: Bench): Promise<Comparison> {
  const { what, kind, pattern } = search;
  const command = peerCommand(search, tree.root);
  const [ours, theirs]: [Answer[], Answer[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    theirs.push(await peer(command));
    ours.push(await searcher.ask({ root: tree.root, pattern, kind }));
  }
  const [we, they] = [least(ours), least(theirs)];
  if (we.found !== they.found) {
    throw new Error(`${what}: burin found ${we.found}, ${command[0]} ${they.found}`);
  }
  return { ours: we, first: ours[0]?.wallMs ?? 0, theirs: they };
}

function row(search: Search, { ours, first, theirs }: Comparison): string {
  const times = [ours.wallMs, ours.cpuMs, first, theirs.wallMs, theirs.cpuMs].map((value) =>
    value.toFixed(1).padStart(8),
  );
  const ratios = [ours.wallMs / theirs.wallMs, ours.cpuMs / theirs.cpuMs].map((value) =>
    value.toFixed(2).padStart(8),
  );
  return `${search.what.padEnd(22)}${times.join("")}${ratios.join("")}`;
}

type Bench = { tree: SearchTree; searcher: Searcher; turns: number };

async function withTree<T>(
  files: number,
  turns: number,
  use: (bench: Bench) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "burin-search-"));
  try {
    const tree = searchTree(join(scratch, "tree"), files);
    using searcher = await openSearcher(scratch);
    return await use({ tree, searcher, turns });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How often ripgrep's time goes into ours: in the small tree the worst of all, then the file search against fd. */
export async function smallTree(): Promise<number[]> {
  return withTree(2_000, 25, async (bench) => {
    const ratios: number[] = [];
    for (const search of SEARCHES) {
      const { ours, theirs } = await compare(search, bench);
      ratios.push(ours.wallMs / theirs.wallMs);
    }
    return [Math.max(...ratios.slice(0, -1)), ratios.at(-1) ?? NaN];
  });
}

/** The same in the large tree for literals, for ignored case and for regexes with a literal in them. */
export async function largeTree(): Promise<number[]> {
  return withTree(50_000, 15, async (bench) => {
    const worst = { literal: 0, "ignore case": 0, regex: 0 };
    for (const search of SEARCHES) {
      if (search.kind === "find" || search === WITHOUT_LITERAL) continue;
      const { ours, theirs } = await compare(search, bench);
      worst[search.kind] = Math.max(worst[search.kind], ours.wallMs / theirs.wallMs);
    }
    return Object.values(worst);
  });
}

async function printAll(): Promise<void> {
  for (const files of [2_000, 50_000]) {
    await withTree(files, 9, async (bench) => {
      const size = (bench.tree.bytes / 1e6).toFixed(0);
      console.log(`\n${files} files, ${size} MB: milliseconds, the least of ${bench.turns}`);
      console.log(HEAD);
      for (const search of SEARCHES) console.log(row(search, await compare(search, bench)));
    });
  }
}

const HEAD = `${"".padEnd(22)}   burin     cpu   first    peer     cpu   ratio     cpu`;

if (import.meta.main) await printAll();
