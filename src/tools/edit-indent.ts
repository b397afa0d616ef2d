// The indentation of a quote against that of the file: which stands for which, and the new text brought to the file's.

/** Indentation in the quote and what stands for it in the file, the shallowest first. */
export type Shift = readonly [quoted: string, real: string][];

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/**
 * Null where it is not uniform: the same indentation must everywhere stand for the same, and deeper for deeper. Blank
 * lines do not count.
 */
export function shiftOf(quoted: readonly string[], real: readonly string[]): Shift | null {
  const found = new Map<string, string>();
  for (const [at, line] of quoted.entries()) {
    if (line.trim() === "") continue;
    const own = indentOf(line);
    const there = indentOf(real[at] ?? "");
    if ((found.get(own) ?? there) !== there) return null;
    found.set(own, there);
  }
  const shift = [...found].toSorted(([one], [other]) => one.length - other.length);
  const isRising = shift.every(([, there], at) => {
    const above = shift[at - 1]?.[1];
    return above === undefined || (there.length > above.length && there.startsWith(above));
  });
  return isRising ? shift : null;
}

export function isSame(shift: Shift): boolean {
  return shift.every(([quoted, real]) => quoted === real);
}

/** The text with the file's indentation; null where a line of it is indented as nothing in the quote explains. */
export function reindented(text: string, shift: Shift): string | null {
  const unit = unitOf(shift);
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const own = indentOf(line);
    const indent = line.trim() === "" ? own : realIndent(own, shift, unit);
    if (indent === null) return null;
    lines.push(indent + line.slice(own.length));
  }
  return lines.join("\n");
}

function realIndent(own: string, shift: Shift, unit: Unit | null): string | null {
  const base = shift.findLast(([quoted]) => own.startsWith(quoted));
  if (base !== undefined) return base[1] + converted(own.slice(base[0].length), unit);
  // Shallower than everything quoted: as much less in the file as it is less in the quote.
  const [quoted, real] = shift[0] ?? ["", ""];
  if (!quoted.startsWith(own)) return null;
  const less = converted(quoted.slice(own.length), unit);
  return real.endsWith(less) ? real.slice(0, real.length - less.length) : null;
}

/** One step of the quote and what it is in the file: four spaces are a tab, two are four. */
type Unit = { quoted: string; real: string };

function converted(indent: string, unit: Unit | null): string {
  if (unit === null) return indent;
  let at = 0;
  let real = "";
  while (indent.startsWith(unit.quoted, at)) {
    real += unit.real;
    at += unit.quoted.length;
  }
  return real + indent.slice(at);
}

/** Null where steps are the same on both sides, or nothing shows what a step is. */
function unitOf(shift: Shift): Unit | null {
  const steps = shift.flatMap(([quoted, real], at): Unit[] => {
    const above = shift[at - 1] ?? (isOtherKind(quoted, real) ? ["", ""] : null);
    if (above === null) return [];
    if (!quoted.startsWith(above[0])) return [{ quoted: "", real: "" }];
    return [reduced(quoted.slice(above[0].length), real.slice(above[1].length))];
  });
  const [first] = steps;
  if (first === undefined || first.quoted === first.real) return null;
  const isOne = steps.every(
    ({ quoted, real }) =>
      isPure(quoted) && isPure(real) && quoted === first.quoted && real === first.real,
  );
  return isOne ? first : null;
}

function isOtherKind(quoted: string, real: string): boolean {
  return isPure(quoted) && isPure(real) && quoted[0] !== real[0];
}

/** Of tabs only or of spaces only. */
function isPure(indent: string): boolean {
  return /^(?: +|\t+)$/.test(indent);
}

/** Eight spaces for two tabs are four spaces for one. */
function reduced(quoted: string, real: string): Unit {
  const parts = greatestDivisor(quoted.length, real.length);
  return {
    quoted: quoted.slice(0, quoted.length / parts),
    real: real.slice(0, real.length / parts),
  };
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? Math.max(1, one) : greatestDivisor(other, one % other);
}
