// The simple commands of a shell line, found cautiously: what is not plainly one command is never taken for one.

const SEPARATORS = /(?:&&|\|\||\|&|[;&|\n])/;

/**
 * The parts of a line between its separators, for deny and ask rules. Quotes are not honoured when splitting, so a
 * part may be found where bash sees only text: a rule that forbids then asks too much, never too little.
 */
export function commandParts(command: string): string[] {
  const parts = command
    .split(SEPARATORS)
    .flatMap((part) => [part].concat(nested(part)))
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return [...new Set(parts.flatMap((part) => [part, bare(part)]))];
}

/** What stands inside `$( )`, backticks, `( )`, `<( )` and braces, each as parts of its own. */
function nested(part: string): string[] {
  return part.split(/\$\(|[`(){}<>]/).slice(1);
}

const WRAPPER =
  /^(?:(?:\w+=\S*|env|sudo|nohup|nice|time|timeout\s+\S+|command|exec|builtin|stdbuf(?:\s+-\S+)*|busybox|xargs(?:\s+-\S+)*|(?:ba|da|z)?sh\s+-\w*c|eval|then|do|else|if|while|!)\s+)+/;

/** The part without assignments, wrappers, quotes and backslashes around its first words. */
function bare(part: string): string {
  return part
    .replace(WRAPPER, "")
    .replaceAll(/["'\\]/g, "")
    .trim();
}
