// Programs that want a person at a terminal: known before they start, while they wait, or by what they say when they find none.
import { plainCommands } from "../policy/plain.ts";

/** They wait for keys also where there is no terminal; the longer name is what the process is called. */
export const EDITORS: ReadonlySet<string> = new Set(
  "vi vim vim.basic vim.tiny vim.nox vim.gtk3 nvim view vimdiff nano pico emacs joe micro hx".split(
    " ",
  ),
);
const REPLS: ReadonlySet<string> = new Set(
  "python python3 ipython node irb lua R ghci sqlite3 psql mysql gdb lldb bc".split(" "),
);
/** With these an editor works by itself. */
const BY_ITSELF =
  /^(?:-(?:-version|-help|h|c|s|u|S|es|Es|e|E|-cmd|-batch|-script|-eval|-headless)(?:=.*)?|\+.*)$/;
const ONLY_MANNERS = /^-[iq]+$/;

/** Why the command cannot do what it is for, and what can; null where nothing is known. */
export function needsTerminal(command: string): string | null {
  const commands = (plainCommands(command) ?? []).map(({ words: [program = "", ...words] }) => ({
    program: program.slice(program.lastIndexOf("/") + 1),
    words,
  }));
  const editor = commands.find(
    ({ program, words }) => EDITORS.has(program) && !words.some((word) => BY_ITSELF.test(word)),
  );
  if (editor !== undefined) return editorHint(editor.program);
  // In a pipeline it reads what the other command writes.
  const repl = command.includes("|")
    ? undefined
    : commands.find(
        ({ program, words }) =>
          REPLS.has(program) && words.every((word) => ONLY_MANNERS.test(word)),
      );
  if (repl === undefined) return null;
  return `${repl.program} alone reads its program from standard input, which is empty here: give it a script or an expression as an argument`;
}

export function editorHint(program: string): string {
  return `${program} needs a terminal, and there is none: change files with edit or write, look at them with read`;
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /problem with the editor|editor .* (?:exited|failed)|no editor here/i,
    "there is no editor here: give the text as an argument, such as git commit -m TEXT; for git rebase -i set GIT_SEQUENCE_EDITOR to a command that changes the list",
  ],
  [
    /a terminal is required to read the password|sudo: a password is required|no askpass program/i,
    "a password cannot be typed here: do it without sudo, or ask the user to run it",
  ],
  [
    /Host key verification failed/i,
    "the host key cannot be confirmed here: ask the user to connect once, or to add the key to known_hosts",
  ],
  [
    /Permission denied \((?:publickey|password|keyboard)|terminal prompts disabled|could not read (?:Username|Password)|Authentication failed/i,
    "no password can be typed here: the command needs a key or a stored credential; ask the user to set it up",
  ],
  [
    /EOFError|EOF when reading|end of file on standard input|(?:stdin|input|standard input|output) is not (?:from |to )?a (?:terminal|tty)|not a (?:terminal|tty)|failed tty get|\/dev\/tty: (?:No such device|cannot)|Inappropriate ioctl|requires? (?:a|an interactive) (?:terminal|tty)|[[(]y(?:es)?\/n(?:o)?[\])][^\n]*\s*$/i,
    "it wanted a terminal or an answer, and there is neither: pass answers as arguments or through a pipe, or use a flag such as --yes",
  ],
];
/** What a program says at its end matters; in a long output the same words may stand anywhere. */
const LAST_CHARS = 2000;

/** For the output of a command that failed. */
export function hintFor(output: string): string | null {
  const last = output.slice(-LAST_CHARS);
  return HINTS.find(([sign]) => sign.test(last))?.[1] ?? null;
}
