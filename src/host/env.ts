// The only reader of process.env: what burin takes from the environment, and what its children may see of it.

export type Environment = Readonly<Record<string, string | undefined>>;

/** Carries `<run id>.<command number>` in every command burin starts, so that escaped children can be found. */
export const MARKER = "BURIN_RUN";

/** Credentials of model providers: a command has no business with them. A preset can only name one of these. */
const PROVIDER_KEYS = [
  "AI_GATEWAY_API_KEY",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AZURE_API_KEY",
  "AZURE_OPENAI_API_KEY",
  "BURIN_API_KEY",
  "CEREBRAS_API_KEY",
  "COHERE_API_KEY",
  "DASHSCOPE_API_KEY",
  "DEEPINFRA_API_KEY",
  "DEEPSEEK_API_KEY",
  "FIREWORKS_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GROQ_API_KEY",
  "MINIMAX_API_KEY",
  "MISTRAL_API_KEY",
  "MOONSHOT_API_KEY",
  "NVIDIA_API_KEY",
  "OLLAMA_API_KEY",
  "OPENAI_API_KEY",
  "OPENROUTER_API_KEY",
  "PERPLEXITY_API_KEY",
  "TOGETHER_API_KEY",
  "VLLM_API_KEY",
  "XAI_API_KEY",
  "ZAI_API_KEY",
] as const;

export type ProviderKey = (typeof PROVIDER_KEYS)[number];

/** Nothing a command starts may wait for a key press: there is no terminal and nobody to press it. */
const NO_PROMPTS = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  SSH_ASKPASS_REQUIRE: "never",
};

/** A snapshot of the environment. */
export function environment(): Environment {
  return { ...process.env };
}

/**
 * What a command sees: no credentials of model providers (`withheld` names further ones), no BUN_* (they would change
 * how a Bun program, burin itself included, starts), no pagers and prompts, and the marker.
 */
export function childEnvironment(
  base: Environment,
  withheld: readonly string[],
  marker: string,
): Record<string, string> {
  const hidden = new Set<string>([...PROVIDER_KEYS, ...withheld, "SSH_ASKPASS"]);
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || hidden.has(name) || name.startsWith("BUN_")) continue;
    child[name] = value;
  }
  return { ...child, ...NO_PROMPTS, [MARKER]: marker };
}
