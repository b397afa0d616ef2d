// Identifiers: ULIDs, which sort by the time they were made, strictly rising within one generator.

/** Crockford's base 32: digits and letters without I, L, O and U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** One generator for the whole process, so that any two ids of it compare in the order they were made. */
export const newId: () => string = ulids();

export function ulids(clock: () => number = Date.now): () => string {
  let lastTime = -1;
  let random: number[] = [];
  return () => {
    const now = clock();
    // A clock that stands still or goes back must not break the order: the last time goes on counting.
    if (now > lastTime) {
      lastTime = now;
      random = randomDigits();
    } else if (!increment(random)) {
      lastTime += 1;
      random = randomDigits();
    }
    return timeText(lastTime) + random.map((digit) => ALPHABET.charAt(digit)).join("");
  };
}

/** Milliseconds since 1970 that a ULID was made; null where the text is no ULID. */
export function idTime(id: string): number | null {
  if (!ULID.test(id)) return null;
  let time = 0;
  for (const char of id.slice(0, TIME_CHARS)) time = time * 32 + ALPHABET.indexOf(char);
  return time;
}

function timeText(time: number): string {
  let rest = time;
  let text = "";
  for (let at = 0; at < TIME_CHARS; at += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomDigits(): number[] {
  return [...crypto.getRandomValues(new Uint8Array(RANDOM_CHARS))].map((byte) => byte % 32);
}

/** Adds one to base-32 digits in place; false where they overflow. */
function increment(digits: number[]): boolean {
  for (let at = digits.length - 1; at >= 0; at -= 1) {
    const digit = digits[at] ?? 0;
    digits[at] = (digit + 1) % 32;
    if (digit < 31) return true;
  }
  return false;
}
