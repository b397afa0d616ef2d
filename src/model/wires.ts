// The wires burin speaks, by name; each is loaded when a model of it is chosen.
import type { ChatQuirks } from "./adapters/openai-chat-encode.ts";
import type { Adapter } from "./provider.ts";

export const WIRES = ["openai-chat"] as const;
export type Wire = (typeof WIRES)[number];

export function isWire(name: string): name is Wire {
  return WIRES.some((wire) => wire === name);
}

/** `quirks` are those of the endpoint, where the wire has such. */
export async function adapterFor(wire: Wire, quirks?: Partial<ChatQuirks>): Promise<Adapter> {
  switch (wire) {
    case "openai-chat": {
      const { openaiChat } = await import("./adapters/openai-chat.ts");
      return openaiChat(quirks);
    }
  }
}
