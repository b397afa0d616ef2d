// The models that are known: those of servers on this machine, then the catalogue's, under what the settings say of them.
import { localPlaces } from "../app/local-model.ts";
import type { Environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import { withOwn, type OwnModel } from "../model/catalog-own.ts";
import { openCatalog, refreshedFile, type ListedModel } from "../model/catalog.ts";
import { answeringServers, windowAt } from "../model/local-servers.ts";
import { PRESETS } from "../model/providers.ts";
import type { Settings } from "../settings/schema.ts";

export type WantedModels = {
  /** A part of `PROVIDER/MODEL`. */
  filter: string;
  provider: string | null;
  /** Also hidden ones, and those of providers that burin has no preset of. */
  all: boolean;
};

export async function listModels(
  wanted: WantedModels,
  settings: Settings,
  env: Environment,
): Promise<ListedModel[]> {
  const models = [...(await localModels(settings)), ...(await listed(settings, env))];
  return models.filter(
    (model) => isNamed(model, wanted) && (wanted.all || isShown(model, settings)),
  );
}

/** What servers on this machine serve, with the window they give it. */
async function localModels(settings: Settings): Promise<ListedModel[]> {
  const servers = await answeringServers(localPlaces(settings.providers ?? {}));
  const rows = servers.flatMap((server) =>
    server.models.map(async (id): Promise<ListedModel> => {
      const context = (await windowAt(server, id)) ?? 0;
      const bare = { context, maxOutput: 0, sees: false, reasons: false, prices: null };
      const model = { provider: server.name, id, ...bare };
      return { ...model, ...withOwn(bare, ownOf(model, settings)) };
    }),
  );
  return Promise.all(rows);
}

async function listed(settings: Settings, env: Environment): Promise<ListedModel[]> {
  const catalog = await openCatalog(refreshedFile(places(env).cache));
  return catalog
    .all()
    .map((model) => Object.assign({}, model, withOwn(model, ownOf(model, settings))));
}

function ownOf(
  { provider, id }: Pick<ListedModel, "provider" | "id">,
  { models = {} }: Settings,
): OwnModel & { hidden?: boolean | undefined } {
  return models[`${provider}/${id}`] ?? models[id] ?? {};
}

function isNamed({ provider, id }: ListedModel, wanted: WantedModels): boolean {
  if (wanted.provider !== null && wanted.provider !== provider) return false;
  return `${provider}/${id}`.toLowerCase().includes(wanted.filter.toLowerCase());
}

function isShown(model: ListedModel, settings: Settings): boolean {
  const { provider } = model;
  const isKnown =
    Object.hasOwn(settings.providers ?? {}, provider) ||
    PRESETS.some((preset) => preset.name === provider);
  return isKnown && ownOf(model, settings).hidden !== true;
}
