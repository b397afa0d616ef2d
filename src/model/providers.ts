// The providers burin knows by name: where they are, which variable holds their key, how they differ.
import type { ProviderKey } from "../host/env.ts";
import type { ChatQuirks } from "./adapters/openai-chat-encode.ts";
import type { AuthPolicy } from "./credentials.ts";
import type { Wire } from "./wire-names.ts";

export type Preset = {
  name: string;
  wire: Wire;
  baseUrl: string;
  /** The environment variable of the key; null where there is none by custom. */
  keyVariable: string | null;
  auth: AuthPolicy;
  /** Where the endpoint differs from the base line of openai-chat. */
  quirks: Partial<ChatQuirks>;
};

type Row = Omit<Preset, "wire" | "quirks" | "keyVariable"> & {
  keyVariable: ProviderKey | null;
  /** openai-chat where it is left out. */
  wire?: Wire;
  quirks?: Partial<ChatQuirks>;
};

// Base URLs and variables as the providers' own API references give them.
const ROWS: readonly Row[] = [
  {
    name: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    auth: "required",
    // Its reasoning models refuse `max_tokens`.
    quirks: { maxTokensField: "max_completion_tokens", cacheKey: true },
  },
  {
    name: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    auth: "required",
  },
  {
    name: "deepseek",
    baseUrl: "https://api.deepseek.com",
    keyVariable: "DEEPSEEK_API_KEY",
    auth: "required",
    quirks: { replayThinking: true },
  },
  {
    name: "groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    auth: "required",
  },
  {
    name: "mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    auth: "required",
    // Reports usage unasked, and takes no fields it does not know.
    quirks: { streamUsage: false, effort: false },
  },
  {
    name: "together",
    baseUrl: "https://api.together.xyz/v1",
    keyVariable: "TOGETHER_API_KEY",
    auth: "required",
  },
  { name: "xai", baseUrl: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY", auth: "required" },
  {
    name: "cerebras",
    baseUrl: "https://api.cerebras.ai/v1",
    keyVariable: "CEREBRAS_API_KEY",
    auth: "required",
    quirks: { maxTokensField: "max_completion_tokens" },
  },
  {
    name: "fireworks",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_API_KEY",
    auth: "required",
  },
  { name: "ollama", baseUrl: "http://127.0.0.1:11434/v1", keyVariable: null, auth: "none" },
  { name: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1", keyVariable: null, auth: "auto" },
  { name: "llamacpp", baseUrl: "http://127.0.0.1:8080/v1", keyVariable: null, auth: "auto" },
  { name: "vllm", baseUrl: "http://127.0.0.1:8000/v1", keyVariable: "VLLM_API_KEY", auth: "auto" },
];

export const PRESETS: readonly Preset[] = ROWS.map(presetFrom);

function presetFrom(row: Row): Preset {
  return { wire: "openai-chat", quirks: {}, ...row };
}

export function presetOf(name: string): Preset | null {
  return PRESETS.find((preset) => preset.name === name) ?? null;
}

/** Any other endpoint that speaks the common wire. A key is taken where one is given. */
export function customPreset(name: string, baseUrl: string): Preset {
  return {
    name,
    wire: "openai-chat",
    baseUrl,
    keyVariable: null,
    auth: "auto",
    quirks: {},
  };
}
