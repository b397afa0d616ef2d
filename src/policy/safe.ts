// The short list of commands that only look: allowed without a question in the modes that say so.
import { join } from "node:path";

/** Program → the options it may carry. Only plain words may follow: nothing bash would expand, redirect or chain. */
const SAFE: Readonly<Record<string, RegExp>> = {
  pwd: /^$/,
  true: /^$/,
  echo: /^-[ne]$/,
  ls: /^-[AaClhR1tr]+$/,
  cat: /^-[nb]$/,
  head: /^-(n\d*|\d+)$/,
  tail: /^-(n\d*|\d+)$/,
  wc: /^-[lwcm]+$/,
};
/** Their words are no paths. */
const BLIND: ReadonlySet<string> = new Set(["pwd", "true", "echo"]);

/** Words of letters, digits and these signs mean to bash what they look like. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The paths that a safe command looks at, for the rules on reading; null where the command is not on the list. */
export function safeReads(command: string, cwd: string): string[] | null {
  const [program = "", ...words] = command.replaceAll(/^[ \t\n]+|[ \t\n]+$/g, "").split(/[ \t]+/);
  const options = Object.hasOwn(SAFE, program) ? SAFE[program] : undefined;
  if (options === undefined) return null;
  const isSafe = words.every((word) =>
    word.startsWith("-") ? options.test(word) : PLAIN.test(word) && staysHere(word),
  );
  if (!isSafe) return null;
  if (BLIND.has(program)) return [];
  const paths = words.filter((word) => !word.startsWith("-")).map((word) => join(cwd, word));
  return paths.length === 0 ? [cwd] : paths;
}

/** Neither absolute nor upwards nor hidden: no path by which a secret could be read. */
function staysHere(word: string): boolean {
  return !word.startsWith("/") && !word.split("/").some((part) => part.startsWith("."));
}
