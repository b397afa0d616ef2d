// The built-in tools, in the order the model is told of them: their descriptions at once, their code when first called.
import { invalid, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import specs from "../data/tools.json";
import type { Tool } from "./tool.ts";

/**
 * A start needs names and schemas only; loading all tools would double its cost. The file is written by `bun run docs`
 * from the tools themselves.
 */
const TOOLS: readonly Tool[] = specs.map(({ name, summary, parameters, tier }) => ({
  name,
  summary,
  parameters,
  tier: tier === "hot" || tier === "warm" ? tier : "cold",
  prepare: async (input, place) => (await load(name)).prepare(input, place),
}));

async function load(name: string): Promise<Tool> {
  switch (name) {
    case "read":
      return (await import("./read.ts")).readTool;
    case "ls":
      return (await import("./ls.ts")).lsTool;
    case "find":
      return (await import("./find.ts")).findTool;
    case "grep":
      return (await import("./grep.ts")).grepTool;
    case "write":
      return (await import("./write.ts")).writeTool;
    case "edit":
      return (await import("./edit.ts")).editTool;
    case "bash":
      return (await import("./bash.ts")).bashTool;
    default:
      throw new Error(`data/tools.json names ${name}, which is no tool: run bun run docs`);
  }
}

/** Names that models know from other tools. */
const ALIASES: Readonly<Record<string, string>> = {
  read_file: "read",
  cat: "read",
  view: "read",
  list_dir: "ls",
  list: "ls",
  find_files: "find",
  glob: "find",
  search: "grep",
  write_file: "write",
  create_file: "write",
  str_replace: "edit",
  edit_file: "edit",
  shell: "bash",
  run_command: "bash",
};

export function tools(): readonly Tool[] {
  return TOOLS;
}

export function toolNames(): string[] {
  return TOOLS.map(({ name }) => name);
}

/** By name or alias, in any case; null when there is none. */
export function toolNamed(name: string): Tool | null {
  const lower = name.toLowerCase();
  const canonical = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return TOOLS.find((tool) => tool.name === canonical) ?? null;
}

/** The tools of a list such as `read,grep`; null means all. Their order stays the built-in one. */
export function pickTools(list: string | null): Result<readonly Tool[]> {
  if (list === null) return ok(TOOLS);
  const wanted = new Set<Tool>();
  for (const name of list.split(",").map((each) => each.trim())) {
    const tool = toolNamed(name);
    if (tool === null) return invalid(unknown(name));
    wanted.add(tool);
  }
  return ok(TOOLS.filter((tool) => wanted.has(tool)));
}

function unknown(name: string): string {
  const close = nearest(name, toolNames());
  return `there is no tool ${JSON.stringify(name)}${close === null ? "" : `; did you mean ${close}?`} (known: ${toolNames().join(", ")})`;
}
