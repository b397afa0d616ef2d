// The nearest of some known names to one that was mistyped.

/** No name is longer; a text that was taken for one is not compared letter by letter. */
const MAX_CHARS = 80;

/** Null when nothing is near: more than a third of the letters differ. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_CHARS) return null;
  const ranked = known
    .map((each) => ({ each, distance: distance(name.toLowerCase(), each.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.ceil(name.length / 3)) ? best.each : null;
}

/** Optimal string alignment: a swap of neighbours counts as one change. */
function distance(from: string, to: string): number {
  let older: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let col = 1; col <= to.length; col++) {
      const isSame = from[row - 1] === to[col - 1];
      const isSwap = from[row - 1] === to[col - 2] && from[row - 2] === to[col - 1];
      next.push(
        Math.min(
          cell(last, col) + 1,
          cell(next, col - 1) + 1,
          cell(last, col - 1) + (isSame ? 0 : 1),
          isSwap ? cell(older, col - 2) + 1 : Infinity,
        ),
      );
    }
    older = last;
    last = next;
  }
  return cell(last, to.length);
}

function cell(row: readonly number[], at: number): number {
  return row[at] ?? Infinity;
}
