// The adapter of a provider's model: that of its wire, with what the provider's host wants besides.
import type { Adapter } from "./provider.ts";
import type { Preset } from "./providers.ts";
import type { Wire } from "./wire-names.ts";
import { adapterFor } from "./wires.ts";

/** OpenAI's newer models are at Copilot's host under one of the two addresses only. */
const RESPONSES_AT_COPILOT = /^(?:gpt-(?:[5-9]|\d\d)(?!-mini)|o\d|codex)/;

export async function presetAdapter(preset: Preset, modelId: string): Promise<Adapter> {
  const adapter = await adapterFor(wireFor(preset, modelId), preset.quirks);
  if (preset.name !== "github-copilot") return adapter;
  const { copilot } = await import("./adapters/copilot.ts");
  return copilot(adapter);
}

function wireFor({ name, wire }: Preset, modelId: string): Wire {
  const isOther = name === "github-copilot" && RESPONSES_AT_COPILOT.test(modelId);
  return isOther ? "openai-responses" : wire;
}
