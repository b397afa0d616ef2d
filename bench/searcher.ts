// The search engine in a program that is already running, compiled as burin is: reads searches as lines of JSON, runs
// them as a tool call would, and answers with a line each.
import { toBytes } from "../src/search/bytes.ts";
import { find } from "../src/search/find.ts";
import { grep } from "../src/search/grep.ts";
import { matcherOf } from "../src/search/match.ts";
import { searchPool } from "../src/search/pool.ts";
import { SKIPPED } from "../src/tools/search-roots.ts";

export type Asked = {
  root: string;
  pattern: string;
  kind: "literal" | "regex" | "ignore case" | "find";
};
export type Answer = { wallMs: number; cpuMs: number; found: number };

if (Bun.isMainThread) await answerAll();
else (await import("../src/search/worker.ts")).serve();

async function answerAll(): Promise<void> {
  for await (const line of console) {
    const asked: Asked = JSON.parse(line);
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const found = asked.kind === "find" ? await findAll(asked) : await grepAll(asked);
    const wallMs = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    const answer: Answer = { wallMs, cpuMs: (user + system) / 1000, found };
    console.log(JSON.stringify(answer));
  }
}

async function grepAll({ root, pattern, kind }: Asked): Promise<number> {
  const path = toBytes(root);
  const query = { regex: kind === "regex", ignoreCase: kind === "ignore case", multiline: false };
  const matcher = matcherOf({ pattern, ...query });
  if (!matcher.ok) throw new Error(`the pattern ${pattern} is not valid`);
  const events = grep(
    {
      roots: [{ path, shown: "", kind: "folder" }],
      matcher: matcher.value,
      wanted: () => ({ what: "lines", perFile: Infinity, context: 0, lineCap: 500 }),
      globs: [],
      cwd: path,
      skip: SKIPPED,
      isPrivate: () => false,
      pool: searchPool,
    },
    new AbortController().signal,
  );
  let found = 0;
  for await (const event of events) if (event.type === "file") found += event.result.matches;
  return found;
}

async function findAll({ root, pattern }: Asked): Promise<number> {
  const walk = { scope: "search", evenIgnored: true, skip: SKIPPED } as const;
  const request = { root: toBytes(root), pattern, type: "file", walk } as const;
  let found = 0;
  for await (const batch of find(request, new AbortController().signal)) found += batch.length;
  return found;
}
