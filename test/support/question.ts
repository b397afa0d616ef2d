// The permission question in a screen test: shown, and open for an answer.
import type { Screen } from "./screen.ts";

/**
 * The question takes no answer in its first 300 ms, and nothing on the screen tells when they are over: this time
 * itself is the behaviour, so here, and only here, a test lets time pass. A key pressed to find out would put the
 * answer off.
 */
const UNTIL_OPEN_MS = 400;

export async function questionOpen(chat: Screen, shown: string): Promise<void> {
  await chat.waitFor(shown);
  await Bun.sleep(UNTIL_OPEN_MS);
}
