// Which key goes with a request: flag, then variables, then what is kept for the provider. No sentence here holds a key.
import { invalid, ok, type Result } from "../base/failure.ts";
import type { Credential } from "./provider.ts";

/** `auto` takes a key where there is one, `required` refuses to start without, `none` never sends one. */
export type AuthPolicy = "auto" | "required" | "none";

export type FoundKey = { key: string; source: string };

export type Keys = {
  provider: string;
  policy: AuthPolicy;
  /** The variable of an access token, which goes before that of a key. */
  tokenVariable: string | null;
  keyVariable: string | null;
  /** One that is no provider's own, tried last. */
  spareVariable: string | null;
  /** From `--api-key`; null where the flag was not given. */
  flag: string | null;
  environment: Readonly<Record<string, string | undefined>>;
  /** A key command's answer or a file's content; asked for only where nothing else has a key. */
  kept: () => Promise<Result<FoundKey | null>>;
  /** Whether one can sign in to it. */
  hasSignIn: boolean;
};

export async function resolveCredential(keys: Keys): Promise<Result<Credential>> {
  if (keys.policy === "none") return ok({ kind: "none" });
  const given =
    keyFrom(keys.flag, "--api-key") ??
    fromVariable(keys.tokenVariable, keys) ??
    fromVariable(keys.keyVariable, keys);
  if (given !== null) return checked(given);
  const kept = await keys.kept();
  if (!kept.ok) return kept;
  const found =
    (kept.value === null ? null : keyFrom(kept.value.key, kept.value.source)) ??
    fromVariable(keys.spareVariable, keys);
  if (found !== null) return checked(found);
  return keys.policy === "auto" ? ok({ kind: "none" }) : invalid(absent(keys));
}

/** How a session shows where its key came from: `OPENAI_API_KEY`, `--api-key`, `no key`. */
export function authLabel(credential: Credential): string {
  return credential.kind === "key" ? credential.source : "no key";
}

function fromVariable(name: string | null, { environment }: Keys): FoundKey | null {
  return name === null ? null : keyFrom(environment[name] ?? null, name);
}

/** Blanks around a key come from files and pasting; an empty one is none. */
function keyFrom(value: string | null, source: string): FoundKey | null {
  const key = value?.trim() ?? "";
  return key === "" ? null : { key, source };
}

function checked({ key, source }: FoundKey): Result<Credential> {
  if (isHeaderText(key)) return ok({ kind: "key", key, source });
  return invalid(
    `the key from ${source} holds a space, a line break or a character that no HTTP header can carry; set it again`,
  );
}

export function isHeaderText(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

function absent({ provider, keyVariable, spareVariable, hasSignIn }: Keys): string {
  if (hasSignIn) {
    return `${provider} needs a sign-in: burin auth login ${provider}; without one, run a local server (--provider ollama) or try \`burin demo\``;
  }
  const variable = keyVariable ?? spareVariable;
  const ways = variable === null ? "pass --api-key" : `set ${variable} or pass --api-key`;
  return `${provider} needs an API key: ${ways}; without one, run a local server (--provider ollama) or try \`burin demo\``;
}
