// Tests that not every machine can run: left out there, and why is printed.
import { test } from "bun:test";

/** `test` itself, or where there is an obstacle one that skips, said once for each test so left out. */
export function unless(obstacle: string | false): ReturnType<typeof test.skipIf> {
  if (obstacle !== false) console.log(`skipped: ${obstacle}`);
  return test.skipIf(obstacle !== false);
}
