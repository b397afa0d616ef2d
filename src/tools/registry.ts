// The built-in tools, in the order the model is told of them: their descriptions at once, their code when first called.
import { invalid, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import anchoredEdit from "../data/edit-anchored.json";
import specs from "../data/tools.json";
import type { Editing, Tool } from "./tool.ts";

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
    case "todo_write":
      return (await import("./todo-write.ts")).todoWriteTool;
    case "ask_user":
      return (await import("./ask-user.ts")).askUserTool;
    case "web_fetch":
      return (await import("./web-fetch.ts")).webFetchTool;
    case "tasks":
      return (await import("./tasks.ts")).tasksTool;
    default:
      throw new Error(`data/tools.json names ${name}, which is no tool: run bun run docs`);
  }
}

/** Names that models know from other tools. */
const ALIASES: Readonly<Record<string, string>> = {
  read_file: "read",
  readfile: "read",
  open_file: "read",
  cat: "read",
  view: "read",
  list_dir: "ls",
  list_directory: "ls",
  list_files: "ls",
  list: "ls",
  find_files: "find",
  file_search: "find",
  glob: "find",
  search: "grep",
  grep_search: "grep",
  search_files: "grep",
  write_file: "write",
  writefile: "write",
  create_file: "write",
  str_replace: "edit",
  str_replace_editor: "edit",
  replace: "edit",
  multiedit: "edit",
  edit_file: "edit",
  shell: "bash",
  run_shell_command: "bash",
  execute_command: "bash",
  run_terminal_cmd: "bash",
  terminal: "bash",
  run_command: "bash",
  todowrite: "todo_write",
  todo: "todo_write",
  update_plan: "todo_write",
  askuserquestion: "ask_user",
  ask_user_question: "ask_user",
  question: "ask_user",
  webfetch: "web_fetch",
  fetch: "web_fetch",
  fetch_url: "web_fetch",
  bash_output: "tasks",
  bashoutput: "tasks",
};

/** Offered everywhere; each tool more costs every request its schema. */
const ALWAYS: readonly string[] = ["read", "ls", "find", "grep", "write", "edit", "bash"];
/** Offered where somebody looks on. All others wait for the settings or `--tools`. */
const WITH_A_PERSON: readonly string[] = ["todo_write", "ask_user", "tasks"];

export function tools(): readonly Tool[] {
  return TOOLS;
}

export function toolNames(): string[] {
  return TOOLS.map(({ name }) => name);
}

/** By name or alias, in any case, with the prefix that some models put before every name; null when there is none. */
export function toolNamed(name: string): Tool | null {
  const bare = name.trim().replace(/^(?:functions?|tools?|default_api)[.:/]/i, "");
  const lower = bare.toLowerCase().replaceAll("-", "_");
  const canonical = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return TOOLS.find((tool) => tool.name === canonical) ?? null;
}

/** The tools of these names, in the built-in order. */
export function pickTools(names: readonly string[]): Result<readonly Tool[]> {
  const wanted = new Set<Tool>();
  for (const name of names.map((each) => each.trim())) {
    const tool = toolNamed(name);
    if (tool === null) return invalid(unknown(name));
    wanted.add(tool);
  }
  return ok(TOOLS.filter((tool) => wanted.has(tool)));
}

/** The tools as a model is told of them, which by `editing` only differs; what runs is the same. */
export function toldTools(given: readonly Tool[], editing: Editing): readonly Tool[] {
  if (editing !== "anchored") return given;
  const { summary, parameters } = anchoredEdit;
  return given.map((tool) => (tool.name === "edit" ? { ...tool, summary, parameters } : tool));
}

/** What a front end begins with, and with it what the settings add and take away. */
export function offeredTools(
  front: "chat" | "headless",
  changes: { enabled?: readonly string[] | undefined; disabled?: readonly string[] | undefined },
): Result<readonly Tool[]> {
  const added = pickTools(changes.enabled ?? []);
  if (!added.ok) return added;
  const removed = pickTools(changes.disabled ?? []);
  if (!removed.ok) return removed;
  const begins = front === "chat" ? [...ALWAYS, ...WITH_A_PERSON] : ALWAYS;
  return ok(
    TOOLS.filter((tool) => begins.includes(tool.name) || added.value.includes(tool)).filter(
      (tool) => !removed.value.includes(tool),
    ),
  );
}

function unknown(name: string): string {
  const close = nearest(name, toolNames());
  return `there is no tool ${JSON.stringify(name)}${close === null ? "" : `; did you mean ${close}?`} (known: ${toolNames().join(", ")})`;
}
