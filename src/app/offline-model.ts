// Models that need no network: `demo`, `echo` and `script:FILE`, loaded only when one is named.
import { readFileSync } from "node:fs";
import { missing, ok, type Result } from "../base/failure.ts";
import { EVERYTHING } from "../model/accepts.ts";
import type { Model } from "../model/provider.ts";
import type { Chosen } from "./opening.ts";

const SCRIPT = "script:";
/** Between two words of the demo, for the eyes of a person. */
const DEMO_PACE_MS = 12;

/** As a person names them. */
export const OFFLINE = ["demo", "echo", "script:FILE"] as const;

export function isOffline(provider: string): boolean {
  return provider === "demo" || provider === "echo" || provider.startsWith(SCRIPT);
}

export async function openOffline(provider: string): Promise<Result<Chosen>> {
  const model = await load(provider);
  if (!model.ok) return model;
  return ok({
    model: model.value,
    auth: "no key",
    notices: [],
    preconnect: () => undefined,
    effort: null,
    price: (usage) => Promise.resolve(usage.costUsd),
    window: () => Promise.resolve(null),
    accepts: () => Promise.resolve(EVERYTHING),
  });
}

async function load(provider: string): Promise<Result<Model>> {
  if (provider === "demo") {
    const { demoModel } = await import("../model/demo.ts");
    return ok(demoModel(DEMO_PACE_MS));
  }
  const { echoModel, scriptedModel } = await import("../model/scripted.ts");
  if (provider === "echo") return ok(echoModel());
  const file = provider.slice(SCRIPT.length);
  const text = readText(file);
  if (!text.ok) return text;
  const { parseScript } = await import("../model/script.ts");
  const script = parseScript(text.value, file);
  return script.ok ? ok(scriptedModel(script.value, provider)) : script;
}

function readText(file: string): Result<string> {
  try {
    return ok(readFileSync(file, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return missing(`the script ${file} cannot be read (${why}): give the path of a script file`);
  }
}
