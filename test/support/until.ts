// Waits for a condition instead of for a time; a condition that never holds fails the test with its name.

const TRY_EVERY_MS = 5;
const GIVE_UP_MS = 20_000;

export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + GIVE_UP_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await Bun.sleep(TRY_EVERY_MS);
  }
}
