// Where a list of lines occurs as a run in another: Knuth, Morris and Pratt, so that repetition costs no more than length.

/** The index of the first line of each occurrence; occurrences may overlap. */
export function* runsOf(lines: readonly string[], wanted: readonly string[]): Generator<number> {
  if (wanted.length === 0 || wanted.length > lines.length) return;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (const [at, line] of lines.entries()) {
    while (matched > 0 && line !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (line === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    yield at - wanted.length + 1;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each beginning of the list: how long an end of it is that is also its beginning. */
function bordersOf(wanted: readonly string[]): number[] {
  const borders = [0];
  let length = 0;
  for (const line of wanted.slice(1)) {
    while (length > 0 && line !== wanted[length]) length = borders[length - 1] ?? 0;
    if (line === wanted[length]) length += 1;
    borders.push(length);
  }
  return borders;
}
