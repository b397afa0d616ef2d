// What a person pressed, after decoding: the one type between bytes and everything that reacts to keys.

/**
 * `text` is typed text (neighbouring characters of one read come as one key), `paste` a bracketed paste,
 * `chord` everything else, named with its modifiers in the order ctrl, alt, shift: `ctrl+c`, `alt+enter`, `up`.
 */
export type Key =
  | { kind: "text"; text: string }
  | { kind: "paste"; text: string }
  | { kind: "chord"; chord: string };

export function chord(name: string): Key {
  return { kind: "chord", chord: name };
}
