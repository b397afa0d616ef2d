// The short list of commands that only look: allowed without a question in the modes that say so.

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

/** Words of letters, digits and these signs mean to bash what they look like. */
const PLAIN = /^[\w@%+=:,./-]+$/;

export function isSafeCommand(command: string): boolean {
  const [program, ...words] = command.trim().split(/[ \t]+/);
  const options = SAFE[program ?? ""];
  if (options === undefined || !Object.hasOwn(SAFE, program ?? "")) return false;
  return words.every((word) =>
    word.startsWith("-") ? options.test(word) : PLAIN.test(word) && staysHere(word),
  );
}

/** Neither absolute nor upwards nor hidden: no path by which a secret could be read. */
function staysHere(word: string): boolean {
  return !word.startsWith("/") && !word.split("/").some((part) => part.startsWith("."));
}
