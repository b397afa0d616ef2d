// What https asks for beside: whose certificates are accepted, and a handshake made while the person still types.
import { readFileSync } from "node:fs";
import { invalid, messageOf, ok, type Result } from "../base/failure.ts";
import type { Environment } from "../host/env.ts";
import type { Settings } from "../settings/schema.ts";
import { namesProxy, type HttpOptions } from "../wire/http.ts";
import { openTrust } from "../wire/tls.ts";

export type HttpWish = {
  provider: string;
  baseUrl: string;
  table: NonNullable<Settings["providers"]>[string];
  /** `--insecure-tls`. */
  isInsecure: boolean;
  env: Environment;
  trace: HttpOptions["trace"];
};

export type ProviderHttp = { http: HttpOptions; notices: string[]; preconnect: () => void };

export function encryptedHttp(http: HttpOptions, wish: HttpWish): Result<ProviderHttp> {
  const { provider, baseUrl, table, env } = wish;
  const { tls = {}, proxy } = table;
  const isInsecure = wish.isInsecure || tls.insecure === true;
  const authorities = tls.ca === undefined ? ok(null) : readAuthorities(tls.ca, provider);
  if (!authorities.ok) return authorities;
  // The runtime shakes hands ahead only with its own authorities, and not through a proxy.
  const isPlain = !isInsecure && tls.ca === undefined && proxy === undefined && !namesProxy(env);
  return ok({
    http: { ...http, trust: openTrust({ isInsecure, authorities: authorities.value }) },
    notices: isInsecure ? [unchecked(provider)] : [],
    preconnect: () => {
      if (isPlain) fetch.preconnect(new URL(baseUrl).origin);
    },
  });
}

function readAuthorities(path: string, provider: string): Result<string> {
  try {
    const text = readFileSync(path, "utf8");
    if (text.includes("-----BEGIN CERTIFICATE-----")) return ok(text);
    return invalid(`${path} (tls.ca of ${provider}) holds no certificate in PEM form`);
  } catch (error) {
    return invalid(`${path} (tls.ca of ${provider}) cannot be read: ${messageOf(error)}`);
  }
}

function unchecked(provider: string): string {
  return `certificates of ${provider} are not checked: whoever stands in between can read the key and all that is sent`;
}
