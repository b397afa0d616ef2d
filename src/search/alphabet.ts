// The letters of one pattern: code points that the pattern cannot tell apart are one symbol.

/** Symbol 0 is the end of the text. */
export const END = 0;

export type Alphabet = {
  symbolOf(code: number): number;
  /** Symbols of the 128 ASCII codes. */
  ascii: Uint16Array;
  /** Whether a symbol is in a set, by the set's number. */
  has(symbol: number, set: number): boolean;
};

export type Test = (code: number) => boolean;

export function alphabetOf(sets: readonly Test[]): Alphabet {
  const symbols = new Map<string, number>();
  const members: boolean[][] = [[]];
  const known = new Map<number, number>();
  function learn(code: number): number {
    const flags = sets.map((test) => test(code));
    const key = flags.map(Number).join("");
    const symbol = symbols.get(key) ?? members.length;
    if (symbol === members.length) {
      symbols.set(key, symbol);
      members.push(flags);
    }
    known.set(code, symbol);
    return symbol;
  }
  return {
    symbolOf: (code) => known.get(code) ?? learn(code),
    ascii: Uint16Array.from({ length: 128 }, (_, code) => learn(code)),
    has: (symbol, set) => members[symbol]?.[set] === true,
  };
}
