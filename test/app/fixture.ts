// Places for tests: a real session folder in a scratch tree, real tools, and a model that plays a script.
import type { Asking, Choice, Place } from "../../src/app/place.ts";
import type { Chosen, Opening } from "../../src/app/opening.ts";
import { openPlace } from "../../src/app/open.ts";
import { missing, ok, sentence } from "../../src/base/failure.ts";
import { environment } from "../../src/host/env.ts";
import { openaiChat } from "../../src/model/adapters/openai-chat.ts";
import { BASE_QUIRKS } from "../../src/model/adapters/openai-chat-encode.ts";
import type { Model } from "../../src/model/provider.ts";
import type { ScriptTurn } from "../../src/model/script.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import { shelfOf } from "../../src/session/folder.ts";
import { tools } from "../../src/tools/registry.ts";
import { SHELL_DEFAULTS } from "../../src/tools/shell.ts";
import type { TempTree } from "../support/temp-tree.ts";

/** The project is `project/` of the tree; burin's own folders are beside it. */
export function openingIn(
  tree: TempTree,
  turns: ScriptTurn[],
  changes: Partial<Opening> = {},
): Opening {
  const cwd = tree.path("project");
  return {
    cwd,
    env: environment(),
    keyVariables: [],
    places: {
      home: tree.path("home"),
      config: tree.path("config"),
      data: tree.path("data"),
      cache: tree.path("cache"),
      state: tree.path("state"),
    },
    version: "0.0.0",
    chooseModel: () => Promise.resolve(ok(chosen(scriptedModel(turns)))),
    chooseNamed: (name) => Promise.resolve(missing(`there is no ${name}`)),
    fallback: [],
    retry: { tries: 0 },
    isWatched: true,
    tools: tools(),
    shell: SHELL_DEFAULTS,
    commandEnv: {},
    editing: () => "fuzzy",
    mode: { flag: null, fallback: "standard" },
    rules: [],
    addDirs: [],
    shelf: shelfOf({ data: tree.path("data"), cwd, sessionDir: null }),
    isRecorded: true,
    limits: { maxRounds: 50, maxCostUsd: null, maxTimeMs: null },
    request: { effort: null, maxOutputTokens: null, temperature: null },
    prompt: { system: null, appended: null },
    ...changes,
  };
}

export function chosen(model: Model): Chosen {
  return {
    model,
    auth: "no key",
    notices: [],
    preconnect: () => undefined,
    effort: null,
    price: () => Promise.resolve(null),
    window: () => Promise.resolve(null),
    accepts: () => Promise.resolve({ image: true, audio: true, file: true }),
  };
}

/** Opens, or throws the sentence of the failure. */
export async function open(opening: Opening, choice: Choice): Promise<Place> {
  const place = await openPlace(opening, choice);
  if (!place.ok) throw new Error(sentence(place.failure));
  return place.value;
}

/** Everybody says yes once, and nothing is typed meanwhile. */
export function asking(changes: Partial<Asking> = {}): Asking {
  return {
    signal: new AbortController().signal,
    confirm: () => Promise.resolve({ kind: "once" }),
    inquire: () => Promise.resolve({ kind: "nobody" }),
    inbox: { take: () => [] },
    ...changes,
  };
}

/** The model, with every request also encoded as the common wire would send it. */
export function encoding(model: Model, bodies: string[]): Model {
  const adapter = openaiChat(BASE_QUIRKS);
  const endpoint = {
    provider: "test",
    baseUrl: "http://127.0.0.1:1",
    credential: { kind: "none" },
  } as const;
  return {
    ...model,
    stream(request, signal) {
      bodies.push(adapter.encode(endpoint, request).body);
      return model.stream(request, signal);
    },
  };
}
