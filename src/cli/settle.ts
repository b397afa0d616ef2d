// From flags, settings and environment to settled options: after this nobody reads any of the three again.
import type { Opening } from "../app/opening.ts";
import { ok, type Failure, type Result } from "../base/failure.ts";
import { environment } from "../host/env.ts";
import { places } from "../host/places.ts";
import type { Settings } from "../settings/schema.ts";
import { commandEnvOf, requirePrograms, shellOf } from "./commands-of.ts";
import { modelsOf } from "./models-of.ts";
import { folder, systemPrompt } from "./named-files.ts";
import type { RunArgs } from "./run-args.ts";
import { keyVariablesOf, lineWith, settingsOf } from "./settings-of.ts";
import { shelfIn } from "./shelf.ts";
import { toolsOf } from "./tools-of.ts";
import { duration, positiveNumber, wholeNumber } from "./values.ts";
import { version } from "./version.ts";
import { writtenRules } from "./written-rules.ts";

export type Settled = {
  opening: Opening;
  /** What questions resolve to without a person. */
  headlessAsk: "allow" | "deny";
  /** Sentences about settings that were passed over. */
  warnings: string[];
};

const CHAT_ROUNDS = 32;
const HEADLESS_ROUNDS = 500;

export async function settle(run: RunArgs): Promise<Result<Settled>> {
  const env = environment();
  const where = places(env);
  const { failures, take } = taking();
  const { args, lists } = run;
  const cwd = take(folder(args.cwd ?? "."), "/");
  const named = { config: where.config, env, file: args.config, pairs: lists["setting"] };
  const { settings, warnings } = take(await settingsOf(named), { settings: {}, warnings: [] });
  take(requirePrograms(settings), undefined);
  const { rules, warnings: idle } = take(
    await writtenRules(
      [{ ...settings.permissions, placeOf: (text) => lineWith(text, named) }, run.lists],
      where.home,
    ),
    { rules: [], warnings: [] },
  );
  const opening: Opening = {
    cwd,
    env,
    keyVariables: keyVariablesOf(settings),
    places: where,
    version: version(),
    ...modelsOf(run, settings, { env, state: where.state }),
    tools: take(toolsOf(run, settings), []),
    editing: (model) => settings.models?.[model]?.edit ?? settings.tools?.edit ?? "fuzzy",
    shell: shellOf(settings),
    commandEnv: commandEnvOf(settings),
    mode: modeOf(run, settings),
    rules,
    addDirs: (lists["add-dir"] ?? []).map((each) => take(folder(each), "/")),
    shelf: shelfIn(cwd, { data: where.data, flag: args["session-dir"], settings }),
    isRecorded: args.session,
    limits: limitsOf(run, settings, take),
    request: requestOf(run, take),
    prompt: {
      system: take(systemPrompt(run), null),
      appended: args["append-system-prompt"] ?? null,
    },
  };
  const [failure] = failures;
  if (failure) return { ok: false, failure };
  return ok({
    opening,
    headlessAsk: settings.headless?.ask ?? "allow",
    warnings: [...warnings, ...idle],
  });
}

/** The value, or where it failed a stand-in: the first failure is what `settle` then gives. */
type Take = <T>(result: Result<T>, standIn: T) => T;

function taking(): { failures: Failure[]; take: Take } {
  const failures: Failure[] = [];
  return {
    failures,
    take: (result, standIn) => {
      if (result.ok) return result.value;
      failures.push(result.failure);
      return standIn;
    },
  };
}

function modeOf({ args }: RunArgs, settings: Settings): Opening["mode"] {
  const flag = args["read-only"] ? "readonly" : args.mode;
  return { flag: flag ?? null, fallback: settings.mode ?? "standard" };
}

function limitsOf(run: RunArgs, settings: Settings, take: Take): Opening["limits"] {
  const { args } = run;
  const wished = take(wholeNumber("--max-rounds", args["max-rounds"]), null);
  return {
    maxRounds: wished ?? rounds(run, settings),
    maxCostUsd:
      take(positiveNumber("--max-cost", args["max-cost"]), null) ??
      settings.agent?.max_cost ??
      null,
    maxTimeMs: take(duration("--max-time", args["max-time"]), null),
  };
}

function requestOf({ args }: RunArgs, take: Take): Opening["request"] {
  return {
    effort: args["reasoning-effort"] ?? null,
    maxOutputTokens: take(wholeNumber("--max-output-tokens", args["max-output-tokens"]), null),
    temperature: take(positiveNumber("--temperature", args.temperature), null),
  };
}

function rounds({ args }: RunArgs, { agent }: Settings): number {
  if (args.print) return agent?.max_headless_rounds ?? HEADLESS_ROUNDS;
  return agent?.max_rounds ?? CHAT_ROUNDS;
}
