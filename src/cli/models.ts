// `burin models [list|refresh]`: what models hold, take and cost, and those of servers on this machine.
import type { ArgsDef } from "citty";
import { environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import { PUBLIC_LIST, refreshCatalog } from "../model/catalog-refresh.ts";
import { refreshedFile } from "../model/catalog.ts";
import { command } from "./command.ts";
import { print, refuse, refuseText } from "./exit.ts";
import { listModels, type WantedModels } from "./models-list.ts";
import { modelTable } from "./models-table.ts";
import { settingsOf } from "./settings-of.ts";

const ARGS = {
  provider: { type: "string", valueHint: "NAME", description: "Only models of this provider" },
  all: {
    type: "boolean",
    description: "Also those of providers without a preset, and hidden ones",
  },
  from: {
    type: "string",
    valueHint: "URL",
    description: `refresh: where the newer list is (default: ${PUBLIC_LIST})`,
  },
  json: { type: "boolean", description: "One JSON array" },
} as const satisfies ArgsDef;

export const modelsCommand = command({
  name: "burin models",
  summary: "list models with window, limits and prices; fetch a newer list",
  usage: [
    "burin models [list] [FILTER] [FLAGS]    FILTER: a part of PROVIDER/MODEL",
    "burin models refresh [--from URL]       asks the public list, and keeps it in the cache",
  ],
  args: ARGS,
  extras: { words: 2 },
  examples: ["burin models sonnet", "burin models --provider ollama", "burin models refresh"],
  run: async ({ args, words }) => {
    if (words[0] === "refresh") return refresh(args.from ?? PUBLIC_LIST, args.json === true);
    const [filter, more] = words[0] === "list" ? words.slice(1) : words;
    if (more !== undefined)
      return refuseText(`unexpected argument ${JSON.stringify(more)}: see --help`);
    return list(
      { filter: filter ?? "", provider: args.provider ?? null, all: args.all === true },
      args.json === true,
    );
  },
});

async function refresh(url: string, isJson: boolean): Promise<number> {
  const env = environment();
  const fetched = await refreshCatalog({
    url,
    file: refreshedFile(places(env).cache),
    environment: env,
  });
  if (!fetched.ok) return refuse(fetched.failure);
  const { models, providers } = fetched.value;
  if (isJson) return print(`${JSON.stringify(fetched.value)}\n`);
  return print(`${models} models of ${providers} providers, from ${new URL(url).host}\n`);
}

async function list(wanted: WantedModels, isJson: boolean): Promise<number> {
  const env = environment();
  const loaded = await settingsOf({ config: places(env).config, env });
  if (!loaded.ok) return refuse(loaded.failure);
  const shown = await listModels(wanted, loaded.value.settings, env);
  if (isJson) return print(`${JSON.stringify(shown)}\n`);
  return print(shown.length === 0 ? `${nothing(wanted)}\n` : modelTable(shown));
}

function nothing({ filter, provider }: WantedModels): string {
  const of = provider === null ? "" : ` of ${provider}`;
  const like = filter === "" ? "" : ` with “${filter}” in the name`;
  return `no model${of}${like} is listed; any model can be used all the same (its cost then shows as —)`;
}
