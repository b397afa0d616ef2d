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
  "CODEX_ACCESS_TOKEN",
  "COHERE_API_KEY",
  "COPILOT_GITHUB_TOKEN",
  "DASHSCOPE_API_KEY",
  "DEEPINFRA_API_KEY",
  "DEEPSEEK_API_KEY",
  "FIREWORKS_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GROQ_API_KEY",
  "HF_TOKEN",
  "KIRO_API_KEY",
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

/** A text that git has prepared (a merge, an amended commit) is taken as it is; where one is missing it says so. */
const NO_GIT_EDITOR =
  'f() { grep -q "^[^#]" "$1" || { echo "no editor here: use -m TEXT" >&2; false; }; }; f';

/** Nothing a command starts may wait for a key press: there is no terminal and nobody to press it. */
export const NO_PROMPTS = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  DEBIAN_FRONTEND: "noninteractive",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GH_PROMPT_DISABLED: "1",
  PIP_NO_INPUT: "1",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: NO_GIT_EDITOR,
  GIT_SEQUENCE_EDITOR:
    "echo 'no editor here: set GIT_SEQUENCE_EDITOR to a command that changes the list' >&2; false",
};

/** Programs that would ask for a password in a window of their own, and wait for it. */
const ASKERS = ["SSH_ASKPASS", "SUDO_ASKPASS"];

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
  const hidden = new Set<string>([...PROVIDER_KEYS, ...withheld, ...ASKERS]);
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || hidden.has(name) || name.startsWith("BUN_")) continue;
    child[name] = value;
  }
  return { ...child, ...NO_PROMPTS, [MARKER]: marker };
}
