// Takes over the ChatGPT login that the vendor's own Codex program keeps on this machine.
import { join } from "node:path";
import { missing, ok, type Result } from "../base/failure.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Environment } from "../host/env.ts";
import { homeFolder } from "../host/places.ts";
import { readWhole } from "../host/whole.ts";
import { importedSignIn } from "./credentials-codex.ts";
import type { SignIn } from "./credentials-store.ts";

export function codexFile(environment: Environment): string {
  const named = environment["CODEX_HOME"] ?? "";
  return join(named === "" ? join(homeFolder(environment), ".codex") : named, "auth.json");
}

export function importCodex(environment: Environment, now: number): Result<SignIn> {
  const file = codexFile(environment);
  const value = parseJson(readWhole(file) ?? "");
  const record = isRecord(value) ? importedSignIn(value, now) : null;
  if (record !== null) return ok(record);
  return missing(`${file} holds no ChatGPT login: sign in with burin auth login codex`);
}
