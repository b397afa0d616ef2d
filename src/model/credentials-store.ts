// The credentials that burin keeps for the user: sign-ins and keys, one file each, readable by nobody else.
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { broken, ok, type Failure, type Result } from "../base/failure.ts";
import { parseJson } from "../base/json.ts";
import { ensureFolder } from "../host/append.ts";
import { fault } from "../host/fault.ts";
import { readWhole, writeWhole } from "../host/whole.ts";

const OTHERS_BITS = 0o077;

const SignInRecord = v.object({
  v: v.literal(1),
  /** Who gave the tokens, and the only one who is shown the refresh token. */
  issuer: v.string(),
  clientId: v.string(),
  /** The only server that is shown the access token. */
  baseUrl: v.string(),
  /** Empty where it has yet to be fetched with the other one. */
  accessToken: v.string(),
  refreshToken: v.string(),
  /** Milliseconds since 1970. */
  expiresAt: v.nullable(v.number()),
  refreshedAt: v.number(),
  /** Who signed in, as the provider names them. */
  account: v.nullable(v.string()),
});
export type SignIn = v.InferOutput<typeof SignInRecord>;

/** Below burin's data folder. */
export function credentialFolder(data: string): string {
  return join(data, "credentials");
}

export function signInFile(folder: string, provider: string): string {
  return join(folder, `${provider}.json`);
}

export function keyFile(folder: string, provider: string): string {
  return join(folder, `${provider}.key`);
}

/** Null where nobody is signed in. */
export function readSignIn(folder: string, provider: string): Result<SignIn | null> {
  const text = privateText(signInFile(folder, provider));
  if (!text.ok || text.value === null) return text.ok ? ok(null) : text;
  const record = v.safeParse(SignInRecord, parseJson(text.value));
  if (record.success) return ok(record.output);
  return broken(
    `${signInFile(folder, provider)} holds no sign-in: remove it, or sign in again with burin auth login ${provider}`,
  );
}

export function writeSignIn(folder: string, provider: string, record: SignIn): Failure | null {
  return writePrivate(signInFile(folder, provider), `${JSON.stringify(record)}\n`);
}

/** Null where no key is kept. */
export function readKey(folder: string, provider: string): Result<string | null> {
  return privateText(keyFile(folder, provider));
}

export function writeKey(folder: string, provider: string, key: string): Failure | null {
  return writePrivate(keyFile(folder, provider), `${key}\n`);
}

/** Whether there was anything to forget. */
export function forget(folder: string, provider: string): boolean {
  const files = [signInFile(folder, provider), keyFile(folder, provider)];
  const there = files.filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined);
  for (const file of there) rmSync(file, { force: true });
  return there.length > 0;
}

function writePrivate(file: string, text: string): Failure | null {
  try {
    ensureFolder(join(file, ".."));
  } catch (error) {
    return { kind: "broken", what: `could not write ${file}: ${fault(error)}` };
  }
  return writeWhole(file, text);
}

/** What others may read or change is no credential any more. */
function privateText(file: string): Result<string | null> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return ok(null);
  if ((stat.mode & OTHERS_BITS) !== 0) {
    return broken(`${file} can be read by others: chmod 600 it, and better replace what it holds`);
  }
  const text = readWhole(file);
  return text === null ? broken(`${file} cannot be read: correct its rights`) : ok(text);
}
