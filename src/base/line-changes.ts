// Which lines changed between two lists of lines: Myers for a few edits, patience anchors for many, bounded in time.

/** Lines [from, to) of the one list became lines [from, to) of the other; either range may be empty. */
export type LineChange = { oldFrom: number; oldTo: number; newFrom: number; newTo: number };

/** Beyond this many differing lines without an anchor a block counts as replaced as a whole. */
const MAX_MYERS_EDITS = 400;
/** So few edits are looked for before anchors are: in a long file that is much quicker. */
const FEW_EDITS = 60;
const MAX_DEPTH = 24;

export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  const whole = { oldFrom: 0, oldTo: before.length, newFrom: 0, newTo: after.length };
  walk({ before, after, changes }, whole, 0);
  return merged(changes);
}

type Sides = { before: readonly string[]; after: readonly string[]; changes: LineChange[] };

function walk(sides: Sides, block: LineChange, depth: number): void {
  const range = trimmed(sides, block);
  if (range.oldFrom === range.oldTo || range.newFrom === range.newTo) {
    sides.changes.push(range);
    return;
  }
  const few = depth === 0 ? myers(sides, range, FEW_EDITS) : null;
  const anchors = few === null && depth < MAX_DEPTH ? anchorsIn(sides, range) : [];
  if (anchors.length === 0) {
    sides.changes.push(...(few ?? myers(sides, range, MAX_MYERS_EDITS) ?? [range]));
    return;
  }
  let { oldFrom, newFrom } = range;
  for (const [oldAt, newAt] of anchors) {
    walk(sides, { oldFrom, oldTo: oldAt, newFrom, newTo: newAt }, depth + 1);
    oldFrom = oldAt + 1;
    newFrom = newAt + 1;
  }
  walk(sides, { ...range, oldFrom, newFrom }, depth + 1);
}

/** Without the lines that are the same at both ends. */
function trimmed({ before, after }: Sides, block: LineChange): LineChange {
  let { oldFrom, oldTo, newFrom, newTo } = block;
  while (oldFrom < oldTo && newFrom < newTo && before[oldFrom] === after[newFrom]) {
    oldFrom += 1;
    newFrom += 1;
  }
  while (oldFrom < oldTo && newFrom < newTo && before[oldTo - 1] === after[newTo - 1]) {
    oldTo -= 1;
    newTo -= 1;
  }
  return { oldFrom, oldTo, newFrom, newTo };
}

/** Lines that occur once on each side, in the longest order common to both. */
function anchorsIn({ before, after }: Sides, range: LineChange): [number, number][] {
  const inOld = singles(before, range.oldFrom, range.oldTo);
  const inNew = singles(after, range.newFrom, range.newTo);
  const pairs: [number, number][] = [];
  for (const [line, oldAt] of inOld) {
    const newAt = inNew.get(line) ?? -1;
    if (oldAt >= 0 && newAt >= 0) pairs.push([oldAt, newAt]);
  }
  return longestRising(pairs.toSorted((one, other) => one[0] - other[0]));
}

/** Line → its place, or -1 where it occurs more than once. */
function singles(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? "";
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** The longest run of pairs whose second numbers rise; patience sorting with back pointers. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  type Card = { pair: [number, number]; below: Card | null };
  const piles: Card[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    piles[low] = { pair, below: piles[low - 1] ?? null };
  }
  const rising: [number, number][] = [];
  for (let card = piles.at(-1) ?? null; card !== null; card = card.below) rising.push(card.pair);
  return rising.toReversed();
}

/** Myers' greedy shortest edit script; null where it takes more than `limit` edits. */
function myers(sides: Sides, range: LineChange, limit: number): LineChange[] | null {
  const { before, after } = sides;
  const oldLength = range.oldTo - range.oldFrom;
  const newLength = range.newTo - range.newFrom;
  const most = Math.min(limit, oldLength + newLength);
  const reach = new Int32Array(2 * most + 3);
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    history.push(reach.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = furthest(reach, diagonal, edits, most);
      while (
        x < oldLength &&
        x - diagonal < newLength &&
        before[range.oldFrom + x] === after[range.newFrom + x - diagonal]
      )
        x += 1;
      reach[diagonal + most + 1] = x;
      if (x >= oldLength && x - diagonal >= newLength) return traced(history, range, most);
    }
  }
  return null;
}

/** Where the path with one edit more starts on this diagonal: a line down or a line to the right of a neighbour. */
function furthest(reach: Int32Array, diagonal: number, edits: number, most: number): number {
  const above = reach[diagonal + most + 2] ?? 0;
  const left = reach[diagonal + most] ?? 0;
  return isDown(above, left, diagonal, edits) ? above : left + 1;
}

function isDown(above: number, left: number, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && left < above);
}

/** The way back from the end: one edit in each step. */
function traced(history: readonly Int32Array[], range: LineChange, most: number): LineChange[] {
  const changes: LineChange[] = [];
  let x = range.oldTo - range.oldFrom;
  let y = range.newTo - range.newFrom;
  for (const [edits, reach] of [...history.entries()].slice(1).toReversed()) {
    const diagonal = x - y;
    const above = reach[diagonal + most + 2] ?? 0;
    const left = reach[diagonal + most] ?? 0;
    const [right, down] = isDown(above, left, diagonal, edits) ? [0, 1] : [1, 0];
    x = down === 1 ? above : left;
    y = x - (diagonal + down - right);
    const oldFrom = range.oldFrom + x;
    const newFrom = range.newFrom + y;
    changes.push({ oldFrom, oldTo: oldFrom + right, newFrom, newTo: newFrom + down });
  }
  return changes.toReversed();
}

/** Neighbours that touch are one change; empty ones are none. */
function merged(changes: readonly LineChange[]): LineChange[] {
  const out: LineChange[] = [];
  for (const change of changes) {
    if (change.oldFrom === change.oldTo && change.newFrom === change.newTo) continue;
    const last = out.at(-1);
    if (last !== undefined && last.oldTo === change.oldFrom && last.newTo === change.newFrom)
      out[out.length - 1] = { ...last, oldTo: change.oldTo, newTo: change.newTo };
    else out.push(change);
  }
  return out;
}
