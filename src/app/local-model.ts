// The model of a server on this machine, for who named none: the first that answers, and the first that it serves.
import { missing, ok, type Result } from "../base/failure.ts";
import {
  answeringServers,
  isLocalName,
  LOCAL_SERVERS,
  windowAt,
  type LocalPlace,
} from "../model/local-servers.ts";
import { presetOf } from "../model/providers.ts";
import type { Settings } from "../settings/schema.ts";

export type LocalModel = { provider: string; id: string };

type Providers = NonNullable<Settings["providers"]>;

/** Where the usual servers should be, by the settings and else by custom. */
export function localPlaces(providers: Providers): LocalPlace[] {
  return LOCAL_SERVERS.flatMap((name) => {
    const baseUrl = providers[name]?.base_url ?? presetOf(name)?.baseUrl;
    return baseUrl === undefined ? [] : [{ name, baseUrl }];
  });
}

/** `id` is a model that was named without a provider; null where any will do. Null where no server has one. */
export async function findLocal(
  providers: Providers,
  id: string | null,
): Promise<LocalModel | null> {
  const servers = await answeringServers(localPlaces(providers));
  for (const { name: provider, models } of servers) {
    const found = id === null ? models[0] : models.find((each) => each === id);
    if (found !== undefined) return { provider, id: found };
  }
  return null;
}

/** The first model of the server at this address. */
export async function firstModelAt(provider: string, baseUrl: string): Promise<Result<string>> {
  const name = isLocalName(provider) ? provider : "vllm";
  const [server] = await answeringServers([{ name, baseUrl }]);
  const { host } = new URL(baseUrl);
  if (server === undefined) {
    return missing(`no model server answers at ${host}: start it, or name a model with -m`);
  }
  const [first] = server.models;
  if (first !== undefined) return ok(first);
  const hint = provider === "ollama" ? "ollama pull MODEL" : "load one there";
  return missing(`the server at ${host} has no model to chat with: ${hint}`);
}

/** Tokens; null where it is no server that can be asked. */
export async function localWindow(
  provider: string,
  baseUrl: string,
  id: string,
): Promise<number | null> {
  return isLocalName(provider) ? windowAt({ name: provider, baseUrl }, id) : null;
}
