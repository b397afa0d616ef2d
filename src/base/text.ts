// Figures and lines as people read them: long lines cut, amounts with their nouns, sizes.

/** At most `chars` of a line, with the count of what was cut; a surrogate pair is not cut in two. */
export function cutLine(line: string, chars: number): string {
  if (line.length <= chars) return line;
  const end = isHighSurrogate(line.charCodeAt(chars - 1)) ? chars - 1 : chars;
  return `${line.slice(0, end)}… (+${line.length - end} characters)`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** `1 file`, `3 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** `812 bytes`, `4.2 KB`, `1.3 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  const units = ["KB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ""}`;
}
