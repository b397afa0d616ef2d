// How a person calls each tool directly: what plain words mean, what the flags are for, and examples.
import { invalid, ok, type Result } from "../base/failure.ts";
import { shellWord } from "../base/shell-word.ts";

export type ToolForm = {
  /** The words after the tool's name. */
  usage: string;
  /** The arguments that plain words give; `words` are one or more. */
  read: (words: readonly string[]) => Record<string, unknown> | null;
  flags: Readonly<Record<string, string>>;
  examples: readonly string[];
};

const LIMIT = "At most so many (0: no limit)";

const FORMS: Readonly<Record<string, ToolForm>> = {
  read: {
    usage: "PATH…",
    read: (paths) => {
      const [path] = paths;
      return paths.length === 1 ? { path } : { files: paths.map((each) => ({ path: each })) };
    },
    flags: {
      path: "The file",
      offset: "First line, counted from 1",
      limit: "At most so many lines (0: no limit)",
      files: "Several files, each with path, offset and limit",
    },
    examples: ["burin tool read README.md --limit 20", "burin tool read a.ts b.ts"],
  },
  ls: {
    usage: "[PATH]",
    read: named("path"),
    flags: { path: "The folder (default: this one)", limit: LIMIT },
    examples: ["burin tool ls", "burin tool ls src --limit 0"],
  },
  find: {
    usage: "PATTERN [PATH]",
    read: named("pattern", "path"),
    flags: {
      pattern: "A glob, or a part of the path",
      path: "The folder to look in (default: this one)",
      type: "file or dir",
      limit: LIMIT,
      newest: "The last changed first",
    },
    examples: ["burin tool find '*.ts' src", "burin tool find config --raw -0 | xargs -0 ls -l"],
  },
  grep: {
    usage: "PATTERN [PATH…]",
    read: ([pattern, ...paths]) => {
      const [path] = paths;
      if (path === undefined) return { pattern };
      return paths.length === 1 ? { pattern, path } : { pattern, paths };
    },
    flags: {
      pattern: "The text to look for",
      path: "The file or folder to look in (default: this folder)",
      paths: "Several of them",
      regex: "The pattern is a regular expression",
      "ignore-case": "Large and small letters are the same",
      glob: "Only in files that match",
      context: "Lines around each hit",
      "files-only": "Only the names of the files",
      count: "Only how many hits each file has",
      limit: LIMIT,
      multiline: "The pattern may span lines",
    },
    examples: ["burin tool grep TODO src", "burin tool grep --regex 'fn \\w+' src --glob '*.rs'"],
  },
  write: {
    usage: "PATH CONTENT",
    read: named("path", "content"),
    flags: { path: "The file", content: "All of its text" },
    examples: ["burin tool write notes.txt --content 'one line'"],
  },
  edit: {
    usage: "PATH --edits JSON",
    read: named("path"),
    flags: {
      path: "The file",
      edits: "[{oldText, newText, all}]: what to replace by what; all: everywhere",
      "dry-run": "Show the change, make none",
    },
    examples: ['burin tool edit a.txt --edits \'[{"oldText":"one","newText":"two"}]\' --dry-run'],
  },
  bash: {
    usage: "[--] COMMAND…",
    read: (words) => ({ command: commandOf(words) }),
    flags: {
      command: "The command line; several words are one command with its arguments",
      timeout: "Seconds after which it is ended",
      cwd: "The folder it runs in (default: this one)",
      background: "Do not wait for it",
      keep: "With --background: let it run on when burin ends",
    },
    examples: ["burin tool bash -- ls -la", "burin tool bash 'ls | wc -l'"],
  },
  tasks: {
    usage: "ACTION [ID]",
    read: named("action", "id"),
    flags: {
      action: "list, output, wait or stop",
      id: "Of the command (default for wait: any)",
      timeout: "Seconds to wait",
    },
    examples: ["burin tool tasks list"],
  },
  todo_write: {
    usage: "--items JSON",
    read: named(),
    flags: { items: "[{text, status}]: the whole plan" },
    examples: [`burin tool todo_write --items '[{"text":"find the fault"}]'`],
  },
  ask_user: {
    usage: "--questions JSON",
    read: named(),
    flags: { questions: "[{question, header, options, multi}]" },
    examples: [`burin tool ask_user --questions '[{"question":"Which one?"}]'`],
  },
  web_fetch: {
    usage: "URL",
    read: named("url"),
    flags: { url: "The page", format: "markdown (default) or text" },
    examples: ["burin tool web_fetch https://example.com"],
  },
};

const UNKNOWN: ToolForm = { usage: "", read: named(), flags: {}, examples: [] };

export function formOf(tool: string): ToolForm {
  return FORMS[tool] ?? UNKNOWN;
}

/** The arguments in the words; refused where a flag gives the same, or where there are too many of them. */
export function inputFromWords(
  tool: string,
  words: readonly string[],
  given: Readonly<Record<string, unknown>>,
): Result<Record<string, unknown>> {
  if (words.length === 0) return ok({});
  const { read, usage } = formOf(tool);
  const input = read(words);
  const form = `burin tool ${tool} ${usage}`;
  if (input === null) {
    return invalid(`too many words for ${tool}: the form is ${form}`);
  }
  if ("files" in input && ("offset" in given || "limit" in given)) {
    return invalid(`--offset and --limit are for one file: for several use --files JSON`);
  }
  const twice = Object.keys(input).find((name) => name in given);
  return twice === undefined
    ? ok(input)
    : invalid(`${twice} is given twice, as a word and as a flag: the form is ${form}`);
}

/** One word for each name; null where there are more. */
function named(...names: readonly string[]): ToolForm["read"] {
  return (words) => {
    if (words.length > names.length) return null;
    return Object.fromEntries(words.map((word, at) => [names[at] ?? "", word]));
  };
}

/** One word is a command line. Several were taken apart by a shell already: none of them may mean anything to the next. */
function commandOf(words: readonly string[]): string {
  const [only = ""] = words;
  return words.length === 1 ? only : words.map(shellWord).join(" ");
}
