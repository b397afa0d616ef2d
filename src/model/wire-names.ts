// The names of the wires: the protocols that models are spoken to in.

export const WIRES = [
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
  "ollama",
  "bedrock",
  "codewhisperer",
] as const;
export type Wire = (typeof WIRES)[number];

export function isWire(name: string): name is Wire {
  return WIRES.some((wire) => wire === name);
}
