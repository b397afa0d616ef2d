// Spellings of a line that a quote may differ in: trailing whitespace, typographic signs, composed characters; and the way back.

export type Folding = { name: string; fold: (line: string) => string };

/** Applied in this order; all but the composition keep the length, apart from the end of the line. */
const FOLDINGS: readonly Folding[] = [
  {
    name: "typographic quotes",
    fold: (line) =>
      line
        .replaceAll(/[\u2018\u2019\u201a\u201b]/g, "'")
        .replaceAll(/[\u201c\u201d\u201e\u201f]/g, '"'),
  },
  {
    name: "typographic dashes",
    fold: (line) => line.replaceAll(/[\u2010-\u2015\u2212]/g, "-"),
  },
  {
    name: "unusual spaces",
    fold: (line) => line.replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "),
  },
  { name: "composed characters", fold: (line) => line.normalize("NFD") },
  { name: "whitespace at line ends", fold: withoutTrail },
];

/** One character with its combining marks. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gsu;
const NOT_ASCII = /[^\0-\x7f]/;

/** Lines that differ only in what is tolerated become the same. */
export function foldLine(line: string): string {
  return NOT_ASCII.test(line)
    ? FOLDINGS.reduce((folded, { fold }) => fold(folded), line)
    : withoutTrail(line);
}

/** A regular expression would take quadratic time on long runs of blanks. */
function withoutTrail(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

/** Where a place in the folded line is in the line itself; null where it lies inside a character. */
export function unfoldedColumn(line: string, column: number): number | null {
  if (!NOT_ASCII.test(line)) return column;
  let folded = 0;
  for (const { 0: cluster, index } of line.matchAll(CLUSTER)) {
    if (folded === column) return index;
    if (folded > column) return null;
    folded += cluster.normalize("NFD").length;
  }
  return folded === column ? line.length : null;
}

/** What has to be tolerated to take the two texts for the same: the foldings that cannot be left out. */
export function toleratedIn(one: string, other: string): string[] {
  return FOLDINGS.filter((left) => {
    const rest = FOLDINGS.filter((folding) => folding !== left);
    return foldedBy(rest, one) !== foldedBy(rest, other);
  }).map(({ name }) => name);
}

function foldedBy(foldings: readonly Folding[], text: string): string {
  const lines = text.split("\n");
  return lines.map((line) => foldings.reduce((folded, { fold }) => fold(folded), line)).join("\n");
}
