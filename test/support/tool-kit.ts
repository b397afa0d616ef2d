// Runs tools as a turn does: a kit with a scratch spill folder and what the session has read.
import { isSecret } from "../../src/policy/paths.ts";
import { sentence } from "../../src/base/failure.ts";
import { EVERYTHING } from "../../src/model/accepts.ts";
import { NOBODY } from "../../src/tools/inquiry.ts";
import { environment } from "../../src/host/env.ts";
import { localProcesses } from "../../src/tools/processes.ts";
import { createSeen, type Seen } from "../../src/tools/seen.ts";
import { keepNothing, type Kit, type Output, type Tool } from "../../src/tools/tool.ts";

export type TestKit = Kit & { seen: Seen } & AsyncDisposable;

export function toolKit(cwd: string, changes: Partial<Kit> = {}): TestKit {
  const processes = localProcesses({ environment: environment(), withheld: [], watcher: null });
  return {
    cwd,
    signal: new AbortController().signal,
    live: () => undefined,
    processes,
    spillDir: `${cwd}/.spill`,
    mayRead: (path) => !isSecret(path),
    media: { accepts: () => Promise.resolve(EVERYTHING), held: () => 0 },
    inquire: NOBODY,
    unlimited: false,
    editing: "fuzzy",
    keeper: () => Promise.resolve(keepNothing),
    ...changes,
    seen: changes.seen ?? createSeen(),
    [Symbol.asyncDispose]: () => Promise.resolve(processes.endAll()),
  };
}

/** The output, or the sentence of the failure. */
export async function call(tool: Tool, input: unknown, kit: Kit): Promise<Output | string> {
  const prepared = await tool.prepare(input, kit);
  if (!prepared.ok) return sentence(prepared.failure);
  const result = await prepared.value.run(kit);
  return result.ok ? result.value : sentence(result.failure);
}

/** What the model is shown: the text of the output or the sentence of the failure. */
export async function textOf(tool: Tool, input: unknown, kit: Kit): Promise<string> {
  const output = await call(tool, input, kit);
  if (typeof output === "string") return output;
  return output.parts.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
}
