// Values of flags that are more than text: numbers and durations.
import { invalid, ok, type Result } from "../base/failure.ts";

/** Null stays null: the flag was not given. */
export function wholeNumber(flag: string, text: string | undefined): Result<number | null> {
  if (text === undefined) return ok(null);
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return ok(value);
  return invalid(`${flag} must be a whole number from 1, not ${JSON.stringify(text)}`);
}

export function positiveNumber(flag: string, text: string | undefined): Result<number | null> {
  if (text === undefined) return ok(null);
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return ok(value);
  return invalid(`${flag} must be a number from 0, not ${JSON.stringify(text)}`);
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `90s`, `10m`, `1h30m`, or plain seconds; milliseconds come out. */
export function duration(flag: string, text: string | undefined): Result<number | null> {
  if (text === undefined) return ok(null);
  if (/^\d+(\.\d+)?$/.test(text)) return ok(Number(text) * UNIT_MS.s);
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== text) {
    return invalid(
      `${flag} must be a duration such as 90s, 10m or 1h30m, not ${JSON.stringify(text)}`,
    );
  }
  return ok(parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs(unit), 0));
}

function unitMs(unit: string | undefined): number {
  return unit === "ms" || unit === "s" || unit === "m" || unit === "h" ? UNIT_MS[unit] : 0;
}
