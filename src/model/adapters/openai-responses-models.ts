// Which models think, by their names: only of those may a request ask for what they thought.

/** OpenAI's own since o1, under any prefix that a router gives them. */
const THINKERS = /(?:^|\/)(?:o\d|codex-|gpt-(?:[5-9]|\d\d)|gpt-oss)/;
/** The chat variants of the same families do not. */
const CHATTERS = /-chat\b/;

export function thinks(model: string): boolean {
  const name = model.toLowerCase();
  return THINKERS.test(name) && !CHATTERS.test(name);
}
