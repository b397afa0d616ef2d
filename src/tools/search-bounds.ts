// What bounds find and grep alike: how many results are shown, how long the rest is counted, and how that is told.
import type { Kit, Output } from "./tool.ts";

/** How long results beyond the limit are still counted. */
export const COUNT_MS = 1_500;

/** Direct runs may lift every limit with `limit: 0`. */
export function isLifted(
  { unlimited }: Pick<Kit, "unlimited">,
  limit: number | undefined,
): boolean {
  return unlimited && limit === 0;
}

/** How many results are shown at most. */
export function capped(limit: number, most: number): number {
  return limit > 0 ? Math.min(limit, most) : most;
}

/** `left`: results that are not shown; how many bytes they would be nobody counts. */
export function searchOutput(lines: readonly string[], summary: string, left: number): Output {
  const output: Output = {
    parts: [{ type: "text", text: lines.join("\n") }],
    isError: false,
    summary,
  };
  return left > 0 ? { ...output, truncated: { bytes: null, lines: left, file: null } } : output;
}
