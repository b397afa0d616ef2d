// Which model a run speaks to: flags before variables before what the session used before settings, and its key.
import { invalid, missing, ok, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import type { Environment } from "../host/env.ts";
import { parseModelName, type ModelName } from "../model/model-name.ts";
import { presetAdapter } from "../model/preset-adapter.ts";
import { customPreset, presetFor, PRESETS, presetOf, type Preset } from "../model/providers.ts";
import { openModel } from "../model/stream.ts";
import type { Settings } from "../settings/schema.ts";
import { isLoopback } from "../wire/http-failure.ts";
import { givenBaseUrl, httpFor } from "./http-options.ts";
import type { Chosen, Stored } from "./opening.ts";
import { accessFor } from "./model-access.ts";
import { speaking } from "./model-speech.ts";
import { knowledgeOf, ownSettings } from "./model-facts.ts";
import { isOffline, OFFLINE, openOffline } from "./offline-model.ts";

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
  isInsecure: boolean;
  trace: Parameters<typeof httpFor>[0]["trace"];
};

/** A provider that was named by nothing but its URL. */
const CUSTOM = "custom";

export function chooser(wish: ModelWish): (stored: Stored | null) => Promise<Result<Chosen>> {
  return async (stored) => {
    const name = nameOf(wish, stored);
    const provider = providerOf(wish, name, stored);
    if (provider !== null && isOffline(provider)) return openOffline(provider);
    if (provider === null) return onThisMachine(name, wish);
    const preset = settledPreset(provider, wish);
    if (!preset.ok) return preset;
    if (name !== null && name.id !== "") return open(preset.value, name, wish);
    return isLoopback(preset.value.baseUrl)
      ? openFirst(preset.value, wish)
      : missing(noModel(provider));
  };
}

/** Another model than the wish's, by its own name: what flags say of a provider does not hold for it. */
export function namedChooser(wish: ModelWish): (name: string) => Promise<Result<Chosen>> {
  return (model) => chooser({ ...wish, model, provider: null, baseUrl: null, apiKey: null })(null);
}

/** Nobody named a provider, and no key tells of one: then a server that runs here is meant, if any does. */
async function onThisMachine(name: ModelName | null, wish: ModelWish): Promise<Result<Chosen>> {
  const { findLocal } = await import("./local-model.ts");
  const found = await findLocal(wish.providers, name?.id ?? null);
  if (found === null) return missing(name === null ? NO_MODEL : noProvider(name, wish));
  const preset = settledPreset(found.provider, wish);
  if (!preset.ok) return preset;
  return open(preset.value, { ...found, effort: name?.effort ?? null }, wish);
}

/** The first model of a server on this machine that was named without one. */
async function openFirst(preset: Preset, wish: ModelWish): Promise<Result<Chosen>> {
  const { firstModelAt } = await import("./local-model.ts");
  const id = await firstModelAt(preset.name, preset.baseUrl);
  if (!id.ok) return id;
  return open(preset, { provider: preset.name, id: id.value, effort: null }, wish);
}

const NO_MODEL = [
  "no model is chosen, and no model server answers on this machine. Three short ways to one:",
  "start a local server (Ollama, LM Studio, llama.cpp, vLLM: burin finds it),",
  "give a key (OPENAI_API_KEY=… burin -m openai/MODEL),",
  "or none at all, to look around: burin demo",
].join(" ");

function noProvider({ id }: ModelName, wish: ModelWish): string {
  return `which provider has the model ${id}? Say -m PROVIDER/${id} (known: ${providerNames(wish).join(", ")}), or --base-url URL for a server of your own`;
}

function providerNames({ providers }: ModelWish): string[] {
  const names = [...PRESETS.map((preset) => preset.name), ...Object.keys(providers)];
  return [...new Set([...names, ...OFFLINE])];
}

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
    ({ name, keyVariable }) =>
      // Many have a token of Hugging Face for other things than talking to models.
      name !== "huggingface" && keyVariable !== null && (env[keyVariable] ?? "") !== "",
  );
  return found?.name ?? null;
}

/** The preset under the settings' table under the flags. */
function settledPreset(provider: string, wish: ModelWish): Result<Preset> {
  const table = wish.providers[provider] ?? {};
  const given = givenBaseUrl(wish.baseUrl ?? table.base_url ?? null);
  if (!given.ok) return given;
  const preset = presetFor(provider, wish.env) ?? unplaced(provider, given.value);
  if (preset === null) return invalid(unsettled(provider, wish));
  const baseUrl = given.value ?? preset.baseUrl;
  const isItsOwn = originOf(baseUrl) === originOf(preset.baseUrl);
  return speaking(overlaid(preset, baseUrl, table), isItsOwn, table);
}

function overlaid(preset: Preset, baseUrl: string, table: ModelWish["providers"][string]): Preset {
  const isItsOwn = originOf(baseUrl) === originOf(preset.baseUrl);
  const keyVariable = table.api_key_env ?? keyVariableAt(baseUrl, preset);
  return {
    ...preset,
    baseUrl,
    keyVariable,
    spareVariable: keyVariable === null ? spareVariableAt(baseUrl) : null,
    tokenVariable: isItsOwn ? preset.tokenVariable : null,
    auth: table.auth ?? authAt(baseUrl, preset),
  };
}

/** Only the settings or a flag say where it is: a preset without an address, or a provider of the user's own. */
function unplaced(provider: string, baseUrl: string | null): Preset | null {
  if (baseUrl === null) return null;
  const preset = presetOf(provider);
  if (preset === null) return customPreset(provider, baseUrl);
  // Elsewhere than below the vendor's own domain it is as foreign as any other server.
  return domainOf(baseUrl) === domainOf(preset.baseUrl) ? { ...preset, baseUrl } : preset;
}

function domainOf(url: string): string {
  return new URL(url).hostname.split(".").slice(-2).join(".");
}

function unsettled(provider: string, wish: ModelWish): string {
  const variable = presetOf(provider)?.addressVariable ?? null;
  if (variable === null) return unknownProvider(provider, wish);
  return `${provider} has an address for each customer: set ${variable}, or base_url in [providers.${provider}] of the settings`;
}

/** A server on this machine usually wants no key, whoever it imitates. */
function authAt(url: string, { auth }: Preset): Preset["auth"] {
  return auth === "required" && isLoopback(url) ? "auto" : auth;
}

/** A provider's key goes to no other host by itself. */
function keyVariableAt(url: string, preset: Preset): string | null {
  const isItsOwn = isLoopback(url) || originOf(url) === originOf(preset.baseUrl);
  return isItsOwn ? preset.keyVariable : null;
}

/** A server of this machine is often asked as if it were OpenAI's; one elsewhere has a variable of its own. */
function spareVariableAt(url: string): string {
  return isLoopback(url) ? "OPENAI_API_KEY" : "BURIN_API_KEY";
}

/** With the scheme: over plain HTTP the same host is not the same. */
function originOf(url: string): string {
  return new URL(url).origin;
}

function unknownProvider(provider: string, wish: ModelWish): string {
  const names = providerNames(wish);
  if (provider === CUSTOM) {
    return "this session used a server given by --base-url: give it again, or name another model with -m PROVIDER/MODEL";
  }
  const close = nearest(provider, names);
  const hint = close === null ? "" : `; did you mean ${close}?`;
  return `there is no provider ${JSON.stringify(provider)}${hint} (known: ${names.join(", ")}; any other compatible server: --base-url URL)`;
}

async function open(preset: Preset, name: ModelName, wish: ModelWish): Promise<Result<Chosen>> {
  const { env, isInsecure, trace } = wish;
  const { name: provider, baseUrl } = preset;
  const own = ownSettings(wish.models, provider, name.id);
  const table = wish.providers[provider] ?? {};
  const travel = await httpFor({ provider, baseUrl, table, isInsecure, env, trace });
  if (!travel.ok) return travel;
  const wanted = { apiKey: wish.apiKey, table, window: own.context, env };
  const access = await accessFor(preset, wanted);
  if (!access.ok) return access;
  const { auth, renewing, ...sending } = access.value;
  const { http, ...reaching } = travel.value;
  const adapter = await presetAdapter(preset, name.id);
  const transport = preset.transport ?? "http";
  const opened = openModel({ adapter, ...sending, modelId: name.id, http, transport });
  return ok({
    model: renewing?.(opened) ?? opened,
    auth,
    effort: name.effort,
    ...reaching,
    ...knowledgeOf({ preset, id: name.id, own, env }),
  });
}
