// Which model a run speaks to and where its key comes from: flag before variable before session before settings.
import { describe, expect, test } from "bun:test";
import { chooser, type ModelWish } from "../../src/app/choose-model.ts";
import type { Stored } from "../../src/app/opening.ts";
import { sentence } from "../../src/base/failure.ts";

const NOTHING: ModelWish = {
  isInsecure: false,
  trace: undefined,
  model: null,
  settingsModel: null,
  provider: null,
  baseUrl: null,
  apiKey: null,
  providers: {},
  models: {},
  env: {},
};
/** A key in every variable: which one is taken shows in `auth`. */
const KEYS = { OPENAI_API_KEY: "o", GROQ_API_KEY: "g", VLLM_API_KEY: "v", BURIN_API_KEY: "b" };
/** Where no local server is looked for. */
const NOWHERE: Partial<ModelWish> = {
  providers: Object.fromEntries(
    ["ollama", "lmstudio", "llamacpp", "vllm"].map((name) => [
      name,
      { base_url: "http://host.invalid/v1" },
    ]),
  ),
};
const LOCAL = "http://127.0.0.1:8080/v1";
const ELSEWHERE = "https://elsewhere.example/v1";

/** `PROVIDER/MODEL` and the source of the key, or the sentence of the failure. */
async function choose(wish: Partial<ModelWish>, stored: Stored | null = null): Promise<string> {
  const chosen = await chooser({ ...NOTHING, ...wish })(stored);
  if (!chosen.ok) return sentence(chosen.failure);
  const { model, auth, effort } = chosen.value;
  return `${model.provider}/${model.id} ${auth}${effort === null ? "" : ` ${effort}`}`;
}

describe("which model", () => {
  const stored = { provider: "groq", model: "stored" };
  const settingsModel = "openai/settings";
  test.each<[string, Partial<ModelWish>, Stored | null, string]>([
    [
      "the flag wins",
      { model: "openai/flag:high", settingsModel, env: { ...KEYS, BURIN_MODEL: "groq/variable" } },
      stored,
      "openai/flag OPENAI_API_KEY high",
    ],
    [
      "then the variable",
      { settingsModel, env: { ...KEYS, BURIN_MODEL: "openai/variable" } },
      stored,
      "openai/variable OPENAI_API_KEY",
    ],
    ["then the session", { settingsModel, env: KEYS }, stored, "groq/stored GROQ_API_KEY"],
    ["then the settings", { settingsModel, env: KEYS }, null, "openai/settings OPENAI_API_KEY"],
    [
      "a flag without a provider keeps the session's",
      { model: "other", env: KEYS },
      stored,
      "groq/other GROQ_API_KEY",
    ],
    [
      "without any the first provider with a key is taken",
      { model: "x", env: { GROQ_API_KEY: "g" } },
      null,
      "groq/x GROQ_API_KEY",
    ],
    [
      "a URL alone is a provider of its own",
      { model: "x", baseUrl: LOCAL },
      null,
      "custom/x no key",
    ],
    [
      "the settings' model does not go with another provider",
      { provider: "groq", settingsModel, env: KEYS },
      null,
      'no model is chosen for groq: add -m MODEL, or model = "groq/MODEL" to the settings',
    ],
    [
      "nor does the session's",
      { provider: "openai", env: KEYS },
      stored,
      'no model is chosen for openai: add -m MODEL, or model = "openai/MODEL" to the settings',
    ],
    ["one without network needs nothing", { provider: "echo" }, null, "echo/echo no key"],
  ])("%s", async (_name, wish, last, wanted) => {
    expect(await choose(wish, last)).toBe(wanted);
  });

  test.each<[string, Partial<ModelWish>, Stored | null, string]>([
    ["nothing at all", NOWHERE, null, "no model server answers on this machine. Three short ways"],
    [
      "a provider that is not known",
      { provider: "opnai", model: "x" },
      null,
      "did you mean openai?",
    ],
    [
      "a session of a URL that is not given again",
      {},
      { provider: "custom", model: "x" },
      "this session used a server given by --base-url: give it again",
    ],
    [
      "a URL that is none",
      { baseUrl: "127.0.0.1:8080", model: "x" },
      null,
      'the base URL "127.0.0.1:8080" is not an http or https URL',
    ],
  ])("%s is refused", async (_name, wish, last, said) => {
    expect(await choose(wish, last)).toContain(said);
  });
});

describe("which key", () => {
  const openai = { provider: "openai", model: "m", env: KEYS };
  const at = (base_url: string, more: object = {}): Partial<ModelWish> => ({
    ...openai,
    providers: { openai: { base_url, ...more } },
  });
  test.each<[string, Partial<ModelWish>, string]>([
    ["its own host", openai, "OPENAI_API_KEY"],
    ["its own host by URL", { ...openai, baseUrl: "https://api.openai.com/v2" }, "OPENAI_API_KEY"],
    [
      "its own host without TLS",
      { ...openai, baseUrl: "http://api.openai.com/v1" },
      "BURIN_API_KEY",
    ],
    ["another host by flag", { ...openai, baseUrl: ELSEWHERE }, "BURIN_API_KEY"],
    ["another host by settings", at(ELSEWHERE), "BURIN_API_KEY"],
    [
      "another host, named by settings",
      at(ELSEWHERE, { api_key_env: "GROQ_API_KEY" }),
      "GROQ_API_KEY",
    ],
    ["another host, by flag", { ...openai, baseUrl: ELSEWHERE, apiKey: "f" }, "--api-key"],
    ["a host of no preset", { model: "m", baseUrl: ELSEWHERE, env: KEYS }, "BURIN_API_KEY"],
    [
      "a name that only looks alike",
      { ...openai, baseUrl: "https://api.openai.com.example" },
      "BURIN_API_KEY",
    ],
    ["this machine", { ...openai, baseUrl: LOCAL }, "OPENAI_API_KEY"],
    ["this machine, no preset", { model: "m", baseUrl: LOCAL, env: KEYS }, "OPENAI_API_KEY"],
    [
      "this machine, a preset with a key",
      { provider: "vllm", model: "m", env: KEYS },
      "VLLM_API_KEY",
    ],
  ])("for %s", async (_name, wish, source) => {
    expect((await choose(wish)).split(" ")[1]).toBe(source);
  });
});

describe("a provider with an address for each customer", () => {
  const azure = { provider: "azure", model: "mine" };
  const env = { AZURE_OPENAI_API_KEY: "a", AZURE_OPENAI_ENDPOINT: "https://us.openai.azure.com/" };

  test("is where its variable says, and takes its key there", async () => {
    expect(await choose({ ...azure, env })).toBe("azure/mine AZURE_OPENAI_API_KEY");
  });

  test("asks for the address, and gives its key to no other", async () => {
    const { AZURE_OPENAI_API_KEY } = env;
    expect(await choose({ ...azure, env: { AZURE_OPENAI_API_KEY } })).toStartWith(
      "azure has an address for each customer: set AZURE_OPENAI_ENDPOINT",
    );
    const elsewhere = await choose({ ...azure, env, baseUrl: ELSEWHERE });
    expect(elsewhere).toStartWith("azure needs an API key: set BURIN_API_KEY");
    const unplaced = await choose({ ...azure, env: { AZURE_OPENAI_API_KEY }, baseUrl: ELSEWHERE });
    expect(unplaced).toBe(elsewhere);
    const baseUrl = "https://eu.openai.azure.com/openai/v1";
    expect(await choose({ ...azure, env: { AZURE_OPENAI_API_KEY }, baseUrl })).toBe(
      "azure/mine AZURE_OPENAI_API_KEY",
    );
  });
});

describe("a token from a variable", () => {
  const env = { COPILOT_GITHUB_TOKEN: "t", CODEX_ACCESS_TOKEN: "c" };

  test.each<[string, Partial<ModelWish>, string]>([
    [
      "is shown as where it is from",
      { model: "github-copilot/gpt-5", env },
      "COPILOT_GITHUB_TOKEN",
    ],
    ["is the same for each that has one", { model: "codex/gpt-5", env }, "CODEX_ACCESS_TOKEN"],
    ["gives way to a flag", { model: "codex/gpt-5", env, apiKey: "f" }, "--api-key"],
  ])("%s", async (_name, wish, source) => {
    expect((await choose(wish)).split(" ")[1]).toBe(source);
  });

  test("goes to no other host", async () => {
    expect(
      await choose({ provider: "codex", model: "gpt-5", env, baseUrl: ELSEWHERE }),
    ).toStartWith("codex needs a sign-in: burin auth login codex");
  });
});

describe("without a key", () => {
  test.each<[string, Partial<ModelWish>, string]>([
    [
      "a provider that needs one says where to put it",
      { model: "openai/m" },
      "openai needs an API key: set OPENAI_API_KEY or pass --api-key",
    ],
    [
      "the same provider elsewhere names the other variable",
      { provider: "openai", model: "m", baseUrl: ELSEWHERE, env: { OPENAI_API_KEY: "o" } },
      "openai needs an API key: set BURIN_API_KEY or pass --api-key",
    ],
    [
      "this machine needs none",
      { provider: "openai", model: "m", baseUrl: LOCAL },
      "openai/m no key",
    ],
    ["a server of no preset needs none", { model: "m", baseUrl: ELSEWHERE }, "custom/m no key"],
    [
      "the settings can ask for one",
      { model: "mine/m", providers: { mine: { base_url: LOCAL, auth: "required" } } },
      "mine needs an API key",
    ],
    [
      "the settings can forbid one",
      { model: "openai/m", env: KEYS, providers: { openai: { auth: "none" } } },
      "openai/m no key",
    ],
  ])("%s", async (_name, wish, said) => {
    expect(await choose(wish)).toStartWith(said);
  });
});
