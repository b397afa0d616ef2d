// Shell lines that are plainly what they look like: chained simple commands of literal words. All else is unread.

export type Simple = {
  /** As written, quotes included, with single spaces between the words. */
  text: string;
  /** The words bash would make of it. */
  words: string[];
};

/**
 * Silent redirections (`2>&1`, `>/dev/null`) change nothing and are left out. A line continuation counts only after
 * a space: elsewhere it joins two halves of a word.
 */
const TOKEN =
  /(?<gap>[ \t]+(?:\\\n[ \t]*)*)|(?<quiet>(?<![^\s;|])(?:2>&1|[12&]?>[ \t]*\/dev\/null)(?=[\s;|]|$))|(?<end>&&|\|\||[;|\n])|'(?<single>[^'\0]*)'|"(?<double>[^"$`\\!\0]*)"|(?<bare>[\p{L}\p{N}_@%+=:,./-]+)/guy;

/** Words that steer the shell instead of naming a program. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac in select function time coproc".split(
    " ",
  ),
);

/** The commands of a line, or null where anything in it is expanded, redirected, nested, assigned or not known. */
export function plainCommands(line: string): Simple[] | null {
  const tokens = [...line.matchAll(TOKEN)];
  if (tokens.reduce((sum, [text]) => sum + text.length, 0) < line.length) return null;
  const commands: Simple[] = [{ text: "", words: [] }];
  let isOpen = false;
  for (const token of tokens) {
    const value = valueOf(token);
    const command = commands.at(-1);
    if (token.groups?.["end"] !== undefined) commands.push({ text: "", words: [] });
    else if (command) take(command, token[0], { value, isOpen });
    isOpen = value !== undefined;
  }
  const real = commands.filter(({ words }) => words.length > 0);
  if (real.length === 0 || !real.every(isProgramCall)) return null;
  return real.map(({ text, words }) => ({ text: text.trim(), words }));
}

/** What the token adds to a word; undefined between words. */
function valueOf({ groups = {} }: RegExpExecArray): string | undefined {
  return groups["single"] ?? groups["double"] ?? groups["bare"];
}

function take(
  command: Simple,
  written: string,
  { value, isOpen }: { value: string | undefined; isOpen: boolean },
): void {
  if (value === undefined) {
    command.text = `${command.text.trimEnd()} `;
    return;
  }
  command.text += written;
  command.words.push(isOpen ? `${command.words.pop() ?? ""}${value}` : value);
}

function isProgramCall({ words: [program = ""] }: Simple): boolean {
  return program !== "" && !program.includes("=") && !KEYWORDS.has(program);
}
