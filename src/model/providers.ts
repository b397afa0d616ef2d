// The providers burin knows by name: where they are, which variable holds their key, how they differ.
import type { ProviderKey } from "../host/env.ts";
import type { ChatQuirks } from "./adapters/openai-chat-encode.ts";
import type { AuthPolicy } from "./credentials.ts";
import type { SignInProvider } from "./credentials-way.ts";
import type { TransportChoice } from "./transport.ts";
import type { Wire } from "./wire-names.ts";

export type Preset = {
  name: string;
  wire: Wire;
  baseUrl: string;
  /** The environment variable of the key; null where there is none by custom. */
  keyVariable: string | null;
  /** A variable that is no provider's own: it is tried last, where there is no other. */
  spareVariable: string | null;
  /** The variable of an access token, which goes before the key. */
  tokenVariable: string | null;
  /** Whose sign-in it takes. */
  signIn: SignInProvider | null;
  auth: AuthPolicy;
  /** The variable of its address, where each customer has one of their own. */
  addressVariable: string | null;
  /** Where the endpoint differs from the base line of openai-chat. */
  quirks: Partial<ChatQuirks>;
  /** What servers speak that imitate it at other addresses; left out: the same wire. */
  elsewhere?: Wire;
  /** Left out: HTTP. */
  transport?: TransportChoice;
};

type Row = Pick<Preset, "name" | "baseUrl" | "auth"> & {
  keyVariable: ProviderKey | null;
  tokenVariable?: ProviderKey;
  signIn?: SignInProvider;
  addressVariable?: string;
  /** openai-chat where it is left out. */
  wire?: Wire;
  quirks?: Partial<ChatQuirks>;
  elsewhere?: Wire;
  transport?: TransportChoice;
};

// Base URLs and variables as the providers' own API references give them.
const ROWS: readonly Row[] = [
  {
    name: "openai",
    // Here its models think on from call to call, and some answer nowhere else; compatible servers speak chat.
    wire: "openai-responses",
    elsewhere: "openai-chat",
    transport: "auto",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    auth: "required",
    // Its reasoning models refuse `max_tokens`.
    quirks: { maxTokensField: "max_completion_tokens", cacheKey: true },
  },
  {
    name: "anthropic",
    wire: "anthropic",
    baseUrl: "https://api.anthropic.com",
    keyVariable: "ANTHROPIC_API_KEY",
    auth: "required",
  },
  {
    name: "gemini",
    wire: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com",
    keyVariable: "GEMINI_API_KEY",
    auth: "required",
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
  {
    name: "moonshot",
    baseUrl: "https://api.moonshot.ai/v1",
    keyVariable: "MOONSHOT_API_KEY",
    auth: "required",
    quirks: { replayThinking: true },
  },
  {
    name: "zai",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    auth: "required",
  },
  {
    name: "minimax",
    baseUrl: "https://api.minimax.io/v1",
    keyVariable: "MINIMAX_API_KEY",
    auth: "required",
  },
  {
    name: "huggingface",
    baseUrl: "https://router.huggingface.co/v1",
    keyVariable: "HF_TOKEN",
    auth: "required",
  },
  {
    name: "vercel",
    baseUrl: "https://ai-gateway.vercel.sh/v1",
    keyVariable: "AI_GATEWAY_API_KEY",
    auth: "required",
  },
  {
    name: "azure",
    // Of the resource that the variable names; a model is the name of a deployment.
    baseUrl: "https://openai.azure.com/openai/v1",
    addressVariable: "AZURE_OPENAI_ENDPOINT",
    keyVariable: "AZURE_OPENAI_API_KEY",
    auth: "required",
    quirks: { maxTokensField: "max_completion_tokens", cacheKey: true },
  },
  {
    name: "codex",
    wire: "openai-responses",
    transport: "auto",
    baseUrl: "https://chatgpt.com/backend-api/codex",
    keyVariable: null,
    tokenVariable: "CODEX_ACCESS_TOKEN",
    signIn: "codex",
    auth: "required",
  },
  {
    name: "github-copilot",
    baseUrl: "https://api.githubcopilot.com",
    keyVariable: null,
    tokenVariable: "COPILOT_GITHUB_TOKEN",
    signIn: "github-copilot",
    auth: "required",
  },
  {
    name: "ollama",
    wire: "ollama",
    baseUrl: "http://127.0.0.1:11434",
    keyVariable: "OLLAMA_API_KEY",
    auth: "auto",
  },
  {
    name: "codewhisperer",
    wire: "codewhisperer",
    baseUrl: "https://codewhisperer.us-east-1.amazonaws.com",
    keyVariable: "KIRO_API_KEY",
    auth: "required",
  },
  {
    name: "bedrock",
    wire: "bedrock",
    // Of the region that the environment or the AWS profile names, if either does.
    baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
    keyVariable: "AWS_BEARER_TOKEN_BEDROCK",
    auth: "auto",
  },
  { name: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1", keyVariable: null, auth: "auto" },
  { name: "llamacpp", baseUrl: "http://127.0.0.1:8080/v1", keyVariable: null, auth: "auto" },
  { name: "vllm", baseUrl: "http://127.0.0.1:8000/v1", keyVariable: "VLLM_API_KEY", auth: "auto" },
];

export const PRESETS: readonly Preset[] = ROWS.map(presetFrom);

function presetFrom(row: Row): Preset {
  return {
    wire: "openai-chat",
    quirks: {},
    spareVariable: null,
    tokenVariable: null,
    signIn: null,
    addressVariable: null,
    ...row,
  };
}

export function presetOf(name: string): Preset | null {
  return PRESETS.find((preset) => preset.name === name) ?? null;
}

/** The preset as it is for this user: at the address of their own, where it has no common one. Null: that is not known. */
export function presetFor(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Preset | null {
  const preset = presetOf(name);
  if (preset === null || preset.addressVariable === null) return preset;
  const address = URL.parse(environment[preset.addressVariable] ?? "");
  if (address === null) return null;
  return { ...preset, baseUrl: `${address.origin}${new URL(preset.baseUrl).pathname}` };
}

/** Any other endpoint that speaks the common wire. A key is taken where one is given. */
export function customPreset(name: string, baseUrl: string): Preset {
  return {
    name,
    wire: "openai-chat",
    baseUrl,
    keyVariable: null,
    spareVariable: null,
    tokenVariable: null,
    signIn: null,
    addressVariable: null,
    auth: "auto",
    quirks: {},
  };
}
