// What the next request will take at least, so that a limit on cost stops before it and not after.
import type { Usage } from "../model/event.ts";
import type { SessionEvent } from "../session/event.ts";
import type { TurnKit } from "./kit.ts";

const CHARS_PER_TOKEN = 4;

/**
 * USD of the input alone: what the last request and its reply held, most likely cached, and what came since. 0 where
 * no request has told its usage yet, or no price is known.
 */
export async function costAhead(
  events: readonly SessionEvent[],
  kit: Pick<TurnKit, "price">,
): Promise<number> {
  const at = events.findLastIndex((event) => event.type === "model.usage");
  const last = events[at];
  if (last?.type !== "model.usage") return 0;
  const { input, output, reasoning, cacheRead, cacheWrite } = last.data.usage;
  const added = Math.ceil(charsIn(events.slice(at + 1)) / CHARS_PER_TOKEN);
  const next: Usage = {
    input: input + output - reasoning + added,
    // A cache that has been used or filled will hold the old input; else nothing says that there is one.
    cacheRead: cacheRead + cacheWrite > 0 ? input : 0,
    cacheWrite: 0,
    output: 0,
    reasoning: 0,
    costUsd: null,
  };
  return (await kit.price(next)) ?? 0;
}

function charsIn(events: readonly SessionEvent[]): number {
  let chars = 0;
  for (const event of events) {
    if (event.type !== "message.user" && event.type !== "message.tool") continue;
    for (const part of event.data.content) chars += part.type === "text" ? part.text.length : 0;
  }
  return chars;
}
