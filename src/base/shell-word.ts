// A text as one word of the shell.

const PLAIN = /^[\w@%+=:,./-]+$/;

export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
