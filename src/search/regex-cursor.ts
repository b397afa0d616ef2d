// Reads the code points of a pattern; the first fault ends the reading, so that a parser needs no way out of its own.

export type Cursor = {
  readonly points: readonly string[];
  at: number;
  fault: string | null;
};

export function cursorOver(pattern: string): Cursor {
  return { points: Array.from(pattern), at: 0, fault: null };
}

/** The code point at the cursor, or `ahead` of it; empty at the end. */
export function peek(cursor: Cursor, ahead = 0): string {
  return cursor.points[cursor.at + ahead] ?? "";
}

export function take(cursor: Cursor): string {
  const point = peek(cursor);
  cursor.at++;
  return point;
}

/** Steps over the text if it comes next. */
export function eat(cursor: Cursor, text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if (peek(cursor, index) !== text[index]) return false;
  cursor.at += text.length;
  return true;
}

/** What lies before the next `end`, which is stepped over; null when there is none. */
export function until(cursor: Cursor, end: string): string | null {
  const to = cursor.points.indexOf(end, cursor.at);
  if (to < 0) return null;
  const text = cursor.points.slice(cursor.at, to).join("");
  cursor.at = to + 1;
  return text;
}

export function isAtEnd(cursor: Cursor): boolean {
  return cursor.at >= cursor.points.length;
}

export function fault(cursor: Cursor, what: string): void {
  cursor.fault ??= `${what} (character ${Math.min(cursor.at, cursor.points.length)})`;
  cursor.at = cursor.points.length;
}
