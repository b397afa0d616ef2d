// When a provider says to come back: headers in seconds, milliseconds or dates, limits that are used up, and spoken phrases.

/** Milliseconds from the reply on; null where nothing usable is said. `headers` in lower case. */
export function retryAfter(headers: Record<string, string>, message: string): number | null {
  const exact = milliseconds(headers["retry-after-ms"], 1);
  if (exact !== null) return exact;
  const header = headers["retry-after"];
  const asked = milliseconds(header, 1000) ?? untilDate(header, headers["date"]);
  return asked ?? fromText(message) ?? usedUp(headers);
}

/** Of the limits that are used up the one that is free again last: `x-ratelimit-reset-tokens`, `anthropic-ratelimit-…-reset`. */
function usedUp(headers: Record<string, string>): number | null {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    if (!/ratelimit\b.*\breset\b/.test(name)) return [];
    const isOut =
      headers[name.replace("reset", "remaining")] === "0" ||
      headers[name.replace("reset", "status")] === "rejected";
    const wait = isOut ? untilReset(value, headers["date"]) : null;
    return wait === null ? [] : [wait];
  });
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Numbers above are a time, in milliseconds or in seconds since 1970; below, a duration. */
const FIRST_EPOCH_MS = 1e12;
const FIRST_EPOCH_S = 1e9;

function untilReset(value: string, date: string | undefined): number | null {
  const number = milliseconds(value, 1);
  if (number === null) return total(value) ?? untilDate(value, date);
  if (number < FIRST_EPOCH_S) return number * 1000;
  const then = number < FIRST_EPOCH_MS ? number * 1000 : number;
  return untilDate(new Date(then).toISOString(), date);
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
  return total(spoken);
}

/** `1m2.5s`, `6m0s`, `350ms`; null where it is anything else. */
function total(duration: string): number | null {
  if (!/^\s*(?:\d+(?:\.\d+)?(?:ms|s|m|h) ?)+\s*$/i.test(duration)) return null;
  let sum = 0;
  for (const [, count, unit] of duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gi)) {
    sum += Number(count) * (UNIT_MS[unit?.toLowerCase() ?? ""] ?? 0);
  }
  return Math.ceil(sum);
}
