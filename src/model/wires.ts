// The adapter of each wire, loaded when a model of it is chosen.
import type { ChatQuirks } from "./adapters/openai-chat-encode.ts";
import type { Adapter } from "./provider.ts";
import type { Wire } from "./wire-names.ts";

type Load = (quirks?: Partial<ChatQuirks>) => Promise<Adapter>;

const ADAPTERS: Readonly<Record<Wire, Load>> = {
  "openai-chat": async (quirks) => (await import("./adapters/openai-chat.ts")).openaiChat(quirks),
};

/** `quirks` are those of the endpoint, where the wire has such. */
export function adapterFor(wire: Wire, quirks?: Partial<ChatQuirks>): Promise<Adapter> {
  return ADAPTERS[wire](quirks);
}
