// The adapter of each wire, loaded when a model of it is chosen.
import type { ChatQuirks } from "./adapters/openai-chat-encode.ts";
import type { Adapter } from "./provider.ts";
import type { Wire } from "./wire-names.ts";

type Load = (quirks?: Partial<ChatQuirks>) => Promise<Adapter>;

const ADAPTERS: Readonly<Record<Wire, Load>> = {
  "openai-chat": async (quirks) => (await import("./adapters/openai-chat.ts")).openaiChat(quirks),
  "openai-responses": async () =>
    (await import("./adapters/openai-responses.ts")).openaiResponses(),
  anthropic: async () => (await import("./adapters/anthropic.ts")).anthropic(),
  gemini: async () => (await import("./adapters/gemini.ts")).gemini(),
  ollama: async () => (await import("./adapters/ollama.ts")).ollama(),
  codewhisperer: async () => (await import("./adapters/codewhisperer.ts")).codewhisperer(),
  bedrock: async () => (await import("./adapters/bedrock.ts")).bedrock(),
};

/** `quirks` are those of the endpoint, where the wire has such. */
export function adapterFor(wire: Wire, quirks?: Partial<ChatQuirks>): Promise<Adapter> {
  return ADAPTERS[wire](quirks);
}
