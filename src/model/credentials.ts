// Which key goes with a request: the flag before the variable, by the provider's policy. No sentence here holds a key.
import { invalid, ok, type Result } from "../base/failure.ts";
import type { Credential } from "./provider.ts";

/** `auto` takes a key where there is one, `required` refuses to start without, `none` never sends one. */
export type AuthPolicy = "auto" | "required" | "none";

export type Keys = {
  provider: string;
  policy: AuthPolicy;
  keyVariable: string | null;
  /** From `--api-key`; null where the flag was not given. */
  flag: string | null;
  environment: Readonly<Record<string, string | undefined>>;
};

export function resolveCredential(keys: Keys): Result<Credential> {
  if (keys.policy === "none") return ok({ kind: "none" });
  const found = keyFrom(keys.flag, "--api-key") ?? keyFrom(variable(keys), keys.keyVariable ?? "");
  if (found) {
    if (isHeaderText(found.key)) return ok(found);
    return invalid(
      `the key from ${found.source} holds a space, a line break or a character that no HTTP header can carry; set it again`,
    );
  }
  return keys.policy === "auto" ? ok({ kind: "none" }) : invalid(absent(keys));
}

/** How a session shows where its key came from: `OPENAI_API_KEY`, `--api-key`, `no key`. */
export function authLabel(credential: Credential): string {
  return credential.kind === "key" ? credential.source : "no key";
}

function variable({ keyVariable, environment }: Keys): string | null {
  return keyVariable === null ? null : (environment[keyVariable] ?? null);
}

/** Blanks around a key come from files and pasting; an empty one is none. */
function keyFrom(
  value: string | null,
  source: string,
): { kind: "key"; key: string; source: string } | null {
  const key = value?.trim() ?? "";
  return key === "" ? null : { kind: "key", key, source };
}

function isHeaderText(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

function absent({ provider, keyVariable }: Keys): string {
  const ways = keyVariable === null ? "pass --api-key" : `set ${keyVariable} or pass --api-key`;
  return `${provider} needs an API key: ${ways}; without one, run a local server (--provider ollama) or try \`burin demo\``;
}
