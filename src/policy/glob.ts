// Globs as regular expressions that match in bounded time, however many stars they have.

/** What each sign of a glob stands for: a piece of a regular expression without capturing groups. */
export type Signs = Readonly<Record<string, string>>;

type Piece = { star: string | null; text: string };

/**
 * Every character for itself, but for the given signs. A star takes the first place where what follows it fits, and is
 * then held to that: trying all the others would take exponential time and could not find more. Only a star that may
 * cross folders goes on trying where one that may not comes after it.
 */
export function globSource(glob: string, signs: Signs): string {
  const pieces = piecesOf(glob, signs);
  return pieces
    .map(({ star, text }, at) => {
      if (star === null) return text;
      const later = pieces.slice(at + 1);
      const isHeld = later.length > 0 && isFirstFitBest(star, later, signs);
      return isHeld ? `(?=(?<s${at}>${star}?${text}))\\k<s${at}>` : star + text;
    })
    .join("");
}

function isFirstFitBest(star: string, later: readonly Piece[], signs: Signs): boolean {
  if (!star.endsWith("*")) return false;
  return star === signs["*"] || later.every((piece) => piece.star === star);
}

/** The text before the first star, then each star with the text behind it. */
function piecesOf(glob: string, signs: Signs): Piece[] {
  let last: Piece = { star: null, text: "" };
  const pieces = [last];
  for (const [token] of glob.matchAll(/\\[*?\\/]|\*\*\/|\*\*|[^]/g)) {
    const sign = signs[token];
    if (sign !== undefined && token.startsWith("*")) {
      last = { star: sign, text: "" };
      pieces.push(last);
      continue;
    }
    last.text += sign ?? (token.length > 1 ? token : literal(token));
  }
  return pieces;
}

function literal(character: string): string {
  return character.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
