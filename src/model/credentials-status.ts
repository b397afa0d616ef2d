// What burin would let itself in with, provider by provider; never a credential, and nobody is asked over the line.
import type { Environment } from "../host/env.ts";
import { sentence } from "../base/failure.ts";
import { credentialFolder, readKey, readSignIn } from "./credentials-store.ts";
import { PRESETS, type Preset } from "./providers.ts";

export type AuthStatus = {
  provider: string;
  /** In the order in which they are tried. */
  ways: AuthFound[];
};

export type AuthFound =
  | { kind: "sign-in"; account: string | null; issuer: string; expiresAt: string | null }
  | { kind: "variable"; name: string }
  | { kind: "command" }
  | { kind: "stored key" }
  | { kind: "unusable"; why: string };

type World = {
  environment: Environment;
  data: string;
  /** Of the settings' tables: the variable and the command of each provider's key. */
  tables: Readonly<
    Record<string, { api_key_env?: string | undefined; api_key_command?: string | undefined }>
  >;
};

/** Providers without anything are left out. */
export function authStatus(world: World): AuthStatus[] {
  const own = Object.keys(world.tables).filter(
    (name) => !PRESETS.some((each) => each.name === name),
  );
  const presets = [
    ...PRESETS,
    ...own.map((name) => ({ name, keyVariable: null, tokenVariable: null, signIn: null })),
  ];
  return presets
    .map((preset) => ({ provider: preset.name, ways: waysOf(preset, world) }))
    .filter(({ ways }) => ways.length > 0);
}

type Named = Pick<Preset, "name" | "keyVariable" | "tokenVariable" | "signIn">;

function waysOf({ name, keyVariable, tokenVariable, signIn }: Named, world: World): AuthFound[] {
  const { environment, data, tables } = world;
  const table = tables[name] ?? {};
  const variables = [tokenVariable, table.api_key_env ?? keyVariable];
  return [
    ...(signIn === null ? [] : signInOf(name, credentialFolder(data))),
    ...variables.flatMap((variable): AuthFound[] =>
      variable === null || (environment[variable] ?? "").trim() === ""
        ? []
        : [{ kind: "variable", name: variable }],
    ),
    ...(table.api_key_command === undefined
      ? keyOf(name, credentialFolder(data))
      : [{ kind: "command" } as const]),
  ];
}

function signInOf(provider: string, folder: string): AuthFound[] {
  const read = readSignIn(folder, provider);
  if (!read.ok) return [{ kind: "unusable", why: sentence(read.failure) }];
  if (read.value === null) return [];
  const { account, issuer, expiresAt } = read.value;
  const ends = expiresAt === null ? null : new Date(expiresAt).toISOString();
  return [{ kind: "sign-in", account, issuer, expiresAt: ends }];
}

function keyOf(provider: string, folder: string): AuthFound[] {
  const read = readKey(folder, provider);
  if (!read.ok) return [{ kind: "unusable", why: sentence(read.failure) }];
  return read.value === null ? [] : [{ kind: "stored key" }];
}
