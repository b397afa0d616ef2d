// Builds the next request: the pinned prefix and the conversation folded from the log, in an order that never changes.
import type { Effort, ModelRequest, ToolSpec } from "../model/request.ts";
import type { SessionEvent } from "../session/event.ts";
import { fold } from "../session/fold.ts";

export type Recipe = {
  model: string;
  system: string[];
  tools: ToolSpec[];
  effort: Effort | null;
  maxOutputTokens: number | null;
  temperature: number | null;
  cacheKey: string | null;
};

/** Pure: the same events give the same request, and more events only make it longer at the end. */
export function buildRequest(events: readonly SessionEvent[], recipe: Recipe): ModelRequest {
  return { ...recipe, messages: fold(events) };
}
