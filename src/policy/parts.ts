// What a shell line may run, found cautiously: rather one command too many than one too few.
import { plainCommands } from "./plain.ts";

/** Programs and keywords behind which the real command stands, perhaps after options and values. */
const WRAPPERS: ReadonlySet<string> = new Set(
  (
    "env sudo doas pkexec su nohup nice ionice chrt time timeout command exec builtin stdbuf busybox xargs parallel " +
    "setsid script chroot unshare nsenter flock watch strace ltrace gdb find fd bash sh dash zsh ksh fish eval trap alias " +
    "source . then do else elif if while until ! { case select function coproc"
  ).split(" "),
);

/** Further words behind a wrapper are not looked at as programs: no option list is that long. */
const MAX_INNER = 1000;

/**
 * The commands of a line for rules that forbid: as written, by the bare name of the program, and what stands behind
 * wrappers. A line that is not plain is split at every sign that could begin a command, quoted or not.
 */
export function commandParts(line: string): string[] {
  const plain = plainCommands(line);
  const commands = plain === null ? pieces(line) : plain.map(({ words }) => words);
  return [...new Set(commands.flatMap(forms))];
}

/** The programs of a line are not all told by its text: a variable, a substitution or a glob stands for one. */
export function hidesProgram(line: string): boolean {
  return plainCommands(line) === null && HIDDEN_PROGRAM.test(line);
}

const HIDDEN_PROGRAM =
  /(?:^|[;&|(\n`])\s*(?:(?:\w+=\S*|then|do|else|if|while|until|!|exec|eval|env|sudo|command|xargs|nohup|time)\s+)*(?!\[{1,2}\s|\(|\{\s)[^\s=;&|()<>]*[$`*?[{]/;

/** Whether the command runs another one that it was given. */
export function isWrapped([program = ""]: readonly string[]): boolean {
  return WRAPPERS.has(baseName(program));
}

function forms(words: readonly string[]): string[] {
  const [program = "", ...rest] = words;
  if (program === "") return [];
  const own = [words.join(" "), [baseName(program), ...rest].join(" ")];
  const isOpen = isWrapped(words) || isAssignment(program);
  return isOpen ? [...own, ...pieces(rest.join(" ")).flatMap(innerForms)] : own;
}

/** Behind a wrapper any word may be the program. */
function innerForms(words: readonly string[]): string[] {
  return words
    .flatMap((word, at) => (word.startsWith("-") || isAssignment(word) ? [] : [at]))
    .slice(0, MAX_INNER)
    .map((at) => [baseName(words[at] ?? ""), ...words.slice(at + 1)].join(" "));
}

function isAssignment(word: string): boolean {
  return /^\w+(\[.*\])?\+?=/.test(word);
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

/** Split without regard to quotes; after a redirection the word of its target is passed over, too. */
function pieces(line: string): string[][] {
  // A line continued within a comment is not: the next one then begins a command.
  const readings = [line, line.replaceAll("\\\n", "\n")];
  return [...new Set(readings.map(plainText))]
    .join("\n")
    .split(/[;&|\n`(){}]/)
    .flatMap(aroundRedirections)
    .map((piece) => piece.split(/\s+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0);
}

function aroundRedirections(piece: string): string[] {
  const [first = "", ...targets] = piece.split(/[<>]+/);
  return [first].concat(
    targets,
    targets.map((text) => text.trim().replace(/^\S+/, "")),
  );
}

/** Without quotes, backslashes and the expansions that stand for a space or for nothing. */
export function plainText(line: string): string {
  return line
    .replaceAll(/\\\n/g, "")
    .replaceAll(/\$\{?IFS\}?/g, " ")
    .replaceAll(/\$(?:[@*]|\{[@*]\})/g, "")
    .replaceAll(/\$?["']|\\/g, "")
    .replaceAll(/\[(\w)\]/g, "$1")
    .replaceAll(/\{([^{}\s]*,[^{}\s]*)\}/g, (_, list: string) => list.replaceAll(",", " "));
}
