// How a model's requests are let in: by the sign-in of its own host, else by a key, else by nothing; Bedrock's are signed.
import { ok, type Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import { authLabel, resolveCredential, type FoundKey } from "../model/credentials.ts";
import type { SignInAccess } from "../model/credentials-access.ts";
import type { Authorize, Endpoint, Model } from "../model/provider.ts";
import { presetFor, type Preset } from "../model/providers.ts";

export type ModelAccess = {
  endpoint: Endpoint;
  /** Where the credential came from, never the credential itself. */
  auth: string;
  authorize?: Authorize;
  renewing?: (model: Model) => Model;
};

export type AccessWish = {
  apiKey: string | null;
  /** Of the provider's table in the settings. */
  table: { base_url?: string | undefined; api_key_command?: string | undefined };
  /** Tokens, where the settings say it. */
  window: number | undefined;
  env: Environment;
};

/** `preset` is the settled one: its base URL is where requests go. */
export async function accessFor(preset: Preset, wish: AccessWish): Promise<Result<ModelAccess>> {
  const signedIn = await signInOf(preset, wish);
  if (!signedIn.ok) return signedIn;
  if (signedIn.value !== null) return ok(signedIn.value);
  const credential = await resolveCredential({
    provider: preset.name,
    policy: preset.auth,
    tokenVariable: preset.tokenVariable,
    keyVariable: preset.keyVariable,
    spareVariable: preset.spareVariable,
    flag: wish.apiKey,
    environment: wish.env,
    kept: () => keptFor(preset, wish),
    hasSignIn: preset.signIn !== null,
  });
  if (!credential.ok) return credential;
  const found = credential.value;
  if (found.kind === "key" && preset.signIn !== null && found.source === preset.tokenVariable) {
    const { tokenAccess } = await import("../model/credentials-access.ts");
    return tokenAccess(found, { ...wantedBy(preset, wish), provider: preset.signIn });
  }
  const endpoint = { ...bareEndpoint(preset, wish), credential: found };
  if (preset.wire !== "bedrock") return ok({ endpoint, auth: authLabel(found) });
  const { bedrockAccess } = await import("../model/aws-access.ts");
  return ok({ auth: authLabel(found), ...bedrockAccess(endpoint, wish.env) });
}

/** Null where the provider has none, the flag goes before, or nobody is signed in for this address. */
async function signInOf(preset: Preset, wish: AccessWish): Promise<Result<SignInAccess | null>> {
  if (preset.signIn === null || wish.apiKey !== null || preset.auth === "none") return ok(null);
  const { signInAccess } = await import("../model/credentials-access.ts");
  return signInAccess({ ...wantedBy(preset, wish), provider: preset.signIn });
}

function wantedBy(preset: Preset, wish: AccessWish) {
  return {
    endpoint: bareEndpoint(preset, wish),
    isElsewhere: preset.baseUrl !== presetFor(preset.name, wish.env)?.baseUrl,
    data: places(wish.env).data,
    environment: wish.env,
  };
}

function bareEndpoint(preset: Preset, { window }: AccessWish): Endpoint {
  return {
    provider: preset.name,
    baseUrl: preset.baseUrl,
    credential: { kind: "none" },
    ...(window === undefined ? {} : { window }),
  };
}

/** Kept for the address that the settings or the preset name: a flag that leads elsewhere does not take it along. */
async function keptFor(preset: Preset, wish: AccessWish): Promise<Result<FoundKey | null>> {
  const { base_url, api_key_command: command = null } = wish.table;
  const home = base_url ?? presetFor(preset.name, wish.env)?.baseUrl ?? null;
  if (home === null || new URL(home).origin !== new URL(preset.baseUrl).origin) return ok(null);
  const { keptKey } = await import("../model/credentials-kept.ts");
  const { data } = places(wish.env);
  return keptKey({ provider: preset.name, command, data, environment: wish.env });
}
