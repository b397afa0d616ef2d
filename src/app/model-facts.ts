// What is known of a chosen model: the settings' word, then the catalogue's, which is loaded when first asked, then the server's own.
import type { Environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import type { Catalog, ModelFacts } from "../model/catalog.ts";
import { presetOf, type Preset } from "../model/providers.ts";
import type { Settings } from "../settings/schema.ts";
import { isLoopback } from "../wire/http-failure.ts";
import type { Chosen } from "./opening.ts";

export type OwnSettings = NonNullable<Settings["models"]>[string];

type Named = { preset: Preset; id: string; own: OwnSettings; env: Environment };

/** The table of the model alone or with its provider. */
export function ownSettings(
  models: NonNullable<Settings["models"]>,
  provider: string,
  id: string,
): OwnSettings {
  return models[`${provider}/${id}`] ?? models[id] ?? {};
}

export function knowledgeOf(named: Named): Pick<Chosen, "price" | "window" | "accepts"> {
  const { preset, id, own } = named;
  return {
    price: async (usage) => {
      const { costOf } = await import("../model/price.ts");
      return costOf(usage, (await factsOf(named))?.prices ?? null);
    },
    window: async () => (await factsOf(named))?.context || (await windowOf(preset, id)),
    accepts: async () => {
      const { acceptsOf } = await import("../model/accepts.ts");
      const sees = (await listedOf(named))?.sees ?? (await catalogOf(named)).seesAnywhere(id);
      return acceptsOf({ provider: preset.name, id, modalities: own.modalities ?? null, sees });
    },
  };
}

async function factsOf(named: Named): Promise<ModelFacts | null> {
  const { withOwn } = await import("../model/catalog-own.ts");
  return withOwn(await listedOf(named), named.own);
}

/** A server without a preset may call its models as it likes: the catalogue knows nothing of it. */
async function listedOf(named: Named): Promise<ModelFacts | null> {
  const { name } = named.preset;
  return presetOf(name) === null ? null : (await catalogOf(named)).facts(name, named.id);
}

async function catalogOf({ env }: Named): Promise<Catalog> {
  const { openCatalog, refreshedFile } = await import("../model/catalog.ts");
  return openCatalog(refreshedFile(places(env).cache));
}

/** Asked of the server itself, where it is one of this machine. */
async function windowOf({ name, baseUrl }: Preset, id: string): Promise<number | null> {
  if (!isLoopback(baseUrl)) return null;
  const { localWindow } = await import("./local-model.ts");
  return localWindow(name, baseUrl, id);
}
