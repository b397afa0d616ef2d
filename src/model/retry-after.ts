// When a provider says to come back: headers in seconds, milliseconds or dates, and the phrase some put in the text.

/** Milliseconds from the reply on; null where nothing usable is said. `headers` in lower case. */
export function retryAfter(headers: Record<string, string>, message: string): number | null {
  const exact = milliseconds(headers["retry-after-ms"], 1);
  if (exact !== null) return exact;
  const header = headers["retry-after"];
  return milliseconds(header, 1000) ?? untilDate(header, headers["date"]) ?? fromText(message);
}

function milliseconds(value: string | undefined, unit: number): number | null {
  if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return null;
  return Math.ceil(Number(value) * unit);
}

/** The server's own clock counts where it shows it: ours may be off. */
function untilDate(value: string | undefined, date: string | undefined): number | null {
  const then = Date.parse(value ?? "");
  if (Number.isNaN(then)) return null;
  const shown = Date.parse(date ?? "");
  return Math.max(0, then - (Number.isNaN(shown) ? Date.now() : shown));
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** “try again in 1m2.5s” */
function fromText(message: string): number | null {
  const spoken = /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|s|m|h) ?)+)/i.exec(
    message,
  )?.[1];
  if (spoken === undefined) return null;
  let total = 0;
  for (const [, count, unit] of spoken.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gi)) {
    total += Number(count) * (UNIT_MS[unit?.toLowerCase() ?? ""] ?? 0);
  }
  return Math.ceil(total);
}
