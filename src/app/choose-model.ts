// Which model a run speaks to: flags before variables before what the session used before settings, and its key.
import { invalid, missing, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import type { Environment } from "../host/env.ts";
import { authLabel, resolveCredential } from "../model/credentials.ts";
import { parseModelName, type ModelName } from "../model/model-name.ts";
import type { ModelFacts } from "../model/price.ts";
import { customPreset, PRESETS, presetOf, type Preset } from "../model/providers.ts";
import { openModel } from "../model/stream.ts";
import { adapterFor } from "../model/wires.ts";
import type { Settings } from "../settings/schema.ts";
import { isLoopback } from "../wire/http-failure.ts";
import { DEFAULT_HTTP } from "../wire/http.ts";
import type { Chosen, Stored } from "./opening.ts";
import { isOffline, openOffline } from "./offline-model.ts";

export type ModelWish = {
  /** `-m`, as written. */
  model: string | null;
  settingsModel: string | null;
  provider: string | null;
  baseUrl: string | null;
  apiKey: string | null;
  providers: NonNullable<Settings["providers"]>;
  models: NonNullable<Settings["models"]>;
  env: Environment;
};

/** A provider that was named by nothing but its URL. */
const CUSTOM = "custom";

export function chooser(wish: ModelWish): (stored: Stored | null) => Promise<Result<Chosen>> {
  return async (stored) => {
    const name = nameOf(wish, stored);
    const provider = providerOf(wish, name, stored);
    if (provider !== null && isOffline(provider)) return openOffline(provider);
    if (provider === null) return missing(NO_MODEL);
    const preset = settledPreset(provider, wish);
    if (!preset.ok) return preset;
    if (name === null || name.id === "") return missing(noModel(provider));
    return open(preset.value, name, wish);
  };
}

const NO_MODEL = [
  "no model is chosen. Three short ways to one: a local server (burin --base-url http://127.0.0.1:8080/v1 -m MODEL),",
  "a key (OPENAI_API_KEY=… burin -m openai/MODEL),",
  "or none at all, to look around: burin demo",
].join(" ");

function noModel(provider: string): string {
  return `no model is chosen for ${provider}: add -m MODEL, or model = "${provider}/MODEL" to the settings`;
}

function nameOf(wish: ModelWish, stored: Stored | null): ModelName | null {
  const written = wish.model ?? wish.env["BURIN_MODEL"] ?? null;
  if (written !== null) return parseModelName(written, isProvider(wish));
  const keepsProvider = wish.provider === null || wish.provider === stored?.provider;
  if (stored !== null && keepsProvider) return { ...stored, id: stored.model, effort: null };
  return wish.settingsModel === null ? null : fromSettings(wish.settingsModel, wish);
}

/** The settings' model does not go with another provider that a flag names. */
function fromSettings(text: string, wish: ModelWish): ModelName | null {
  const name = parseModelName(text, isProvider(wish));
  return wish.provider === null || (name.provider ?? wish.provider) === wish.provider ? name : null;
}

function isProvider({ providers }: ModelWish): (name: string) => boolean {
  return (name) => presetOf(name) !== null || Object.hasOwn(providers, name) || isOffline(name);
}

function providerOf(wish: ModelWish, name: ModelName | null, stored: Stored | null): string | null {
  if (wish.provider !== null) return wish.provider;
  if (wish.baseUrl !== null) return CUSTOM;
  return name?.provider ?? stored?.provider ?? withKey(wish.env);
}

/** The first provider whose key variable is set. */
function withKey(env: Environment): string | null {
  const found = PRESETS.find(
    ({ keyVariable }) => keyVariable !== null && (env[keyVariable] ?? "") !== "",
  );
  return found?.name ?? null;
}

/** The preset under the settings' table under the flags. */
function settledPreset(provider: string, wish: ModelWish): Result<Preset> {
  const table = wish.providers[provider] ?? {};
  const baseUrl = wish.baseUrl ?? table.base_url ?? null;
  if (baseUrl !== null && !isHttpUrl(baseUrl)) {
    return invalid(
      `the base URL ${JSON.stringify(baseUrl)} is not an http or https URL, such as http://127.0.0.1:8080/v1`,
    );
  }
  const preset = presetOf(provider) ?? (baseUrl === null ? null : customPreset(provider, baseUrl));
  if (preset === null) return invalid(unknownProvider(provider, wish));
  return ok(overlaid(preset, baseUrl ?? preset.baseUrl, table));
}

function overlaid(preset: Preset, baseUrl: string, table: ModelWish["providers"][string]): Preset {
  return {
    ...preset,
    baseUrl,
    keyVariable: table.api_key_env ?? keyVariableAt(baseUrl, preset),
    auth: table.auth ?? authAt(baseUrl, preset),
  };
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** A server on this machine usually wants no key, whoever it imitates. */
function authAt(url: string, { auth }: Preset): Preset["auth"] {
  return auth === "required" && isLoopback(url) ? "auto" : auth;
}

/** A provider's key goes to no other host by itself: a compatible server elsewhere has a variable of its own. */
function keyVariableAt(url: string, preset: Preset): string {
  if (isLoopback(url)) return preset.keyVariable ?? "OPENAI_API_KEY";
  const isItsOwn = originOf(url) === originOf(preset.baseUrl);
  return (isItsOwn ? preset.keyVariable : null) ?? "BURIN_API_KEY";
}

/** With the scheme: over plain HTTP the same host is not the same. */
function originOf(url: string): string {
  return new URL(url).origin;
}

function unknownProvider(provider: string, wish: ModelWish): string {
  const names = [...PRESETS.map((preset) => preset.name), ...Object.keys(wish.providers)];
  if (provider === CUSTOM) {
    return "this session used a server given by --base-url: give it again, or name another model with -m PROVIDER/MODEL";
  }
  const close = nearest(provider, names);
  const hint = close === null ? "" : `; did you mean ${close}?`;
  return `there is no provider ${JSON.stringify(provider)}${hint} (known: ${names.join(", ")}; any other compatible server: --base-url URL)`;
}

async function open(preset: Preset, name: ModelName, wish: ModelWish): Promise<Result<Chosen>> {
  const credential = resolveCredential({
    provider: preset.name,
    policy: preset.auth,
    keyVariable: preset.keyVariable,
    flag: wish.apiKey,
    environment: wish.env,
  });
  if (!credential.ok) return credential;
  const adapter = await adapterFor(preset.wire, preset.quirks);
  const endpoint = { provider: preset.name, baseUrl: preset.baseUrl, credential: credential.value };
  return ok({
    model: openModel({
      adapter,
      endpoint,
      modelId: name.id,
      http: { ...DEFAULT_HTTP, environment: wish.env },
    }),
    auth: authLabel(credential.value),
    effort: name.effort,
    price: async (usage) => {
      if (presetOf(preset.name) === null) return usage.costUsd;
      const { costOf } = await import("../model/price.ts");
      return costOf(usage, (await factsOf(preset, name))?.prices ?? null);
    },
    window: async () => (await factsOf(preset, name))?.context ?? null,
    accepts: async () => {
      const { acceptsOf } = await import("../model/accepts.ts");
      const modalities = wish.models[name.id]?.modalities ?? null;
      const { seesAnywhere } = await import("../model/price.ts");
      const sees = (await factsOf(preset, name))?.sees ?? (await seesAnywhere(name.id));
      return acceptsOf({ provider: preset.name, id: name.id, modalities, sees });
    },
  });
}

/** From the catalogue, which is loaded only now. */
async function factsOf({ name: provider }: Preset, { id }: ModelName): Promise<ModelFacts | null> {
  const { modelFacts } = await import("../model/price.ts");
  return modelFacts(provider, id);
}
