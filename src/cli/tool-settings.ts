// What the settings say to a tool that runs directly; they are loaded for those only that heed them.
import { ok, type Result } from "../base/failure.ts";
import { environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import type { Settings } from "../settings/schema.ts";
import type { Editing, Tool } from "../tools/tool.ts";
import type { CommandSettings } from "./tool-kit.ts";

/** Only a tool that runs commands can give a key away. */
export async function commandSettingsFor({ name }: Tool): Promise<Result<CommandSettings>> {
  if (name !== "bash") return ok({ withheld: [], added: {} });
  const { shellOf } = await import("./commands-of.ts");
  const { keyVariablesOf } = await import("./settings-of.ts");
  const settings = await load();
  if (!settings.ok) return settings;
  return ok({
    withheld: keyVariablesOf(settings.value),
    added: settings.value.tools?.bash?.env ?? {},
    shell: shellOf(settings.value),
  });
}

/** As the settings have it for every model. */
export async function editingFor({ name }: Tool): Promise<Result<Editing>> {
  if (name !== "read" && name !== "edit") return ok("fuzzy");
  const settings = await load();
  return settings.ok ? ok(settings.value.tools?.edit ?? "fuzzy") : settings;
}

async function load(): Promise<Result<Settings>> {
  const { settingsOf } = await import("./settings-of.ts");
  const env = environment();
  const loaded = await settingsOf({ config: places(env).config, env });
  return loaded.ok ? ok(loaded.value.settings) : loaded;
}
