// The wires burin speaks, by name.
import { BASE_QUIRKS, type ChatQuirks } from "./adapters/openai-chat-encode.ts";
import { openaiChat } from "./adapters/openai-chat.ts";
import type { Adapter } from "./provider.ts";

export const WIRES = ["openai-chat"] as const;

/** Null when no wire has this name. */
export function adapterFor(wire: string, quirks: ChatQuirks = BASE_QUIRKS): Adapter | null {
  return wire === "openai-chat" ? openaiChat(quirks) : null;
}
