// Which model answers, which ones stand by, and how patient burin is with them: from flags and settings.
import type { ModelWish } from "../app/choose-model.ts";
import type { Opening } from "../app/opening.ts";
import type { Environment } from "../host/env.ts";
import { err } from "../host/out.ts";
import type { Settings } from "../settings/schema.ts";
import type { RunArgs } from "./run-args.ts";

type Models = Pick<Opening, "chooseModel" | "chooseNamed" | "fallback" | "retry" | "isWatched">;

/** Wires and providers are loaded when the first model is chosen: the chat asks for a name before. */
export function modelsOf(
  run: RunArgs,
  settings: Settings,
  { env, state }: { env: Environment; state: string },
): Models {
  const wish = { ...wishOf(run, settings), env, trace: debugLog(run, state) };
  const { fallback = [], retry = {} } = settings.models ?? {};
  return {
    chooseModel: async (stored) => (await import("../app/choose-model.ts")).chooser(wish)(stored),
    chooseNamed: async (name) => (await import("../app/choose-model.ts")).namedChooser(wish)(name),
    fallback,
    retry,
    isWatched: run.args.print !== true,
  };
}

function wishOf({ args }: RunArgs, settings: Settings): Omit<ModelWish, "env" | "trace"> {
  return {
    model: args.model ?? null,
    settingsModel: settings.model ?? null,
    provider: args.provider ?? null,
    baseUrl: args["base-url"] ?? null,
    apiKey: args["api-key"] ?? null,
    isInsecure: args["insecure-tls"] === true,
    providers: settings.providers ?? {},
    models: settings.models ?? {},
  };
}

/** On standard error; the chat needs that for its screen, and writes to a file. */
function debugLog({ args }: RunArgs, state: string): ModelWish["trace"] {
  if (args["log-level"] !== "debug") return undefined;
  if (args.print === true) return err;
  return (lines) =>
    void import("./debug-file.ts").then((file) => file.addToDebugFile(state, lines));
}
