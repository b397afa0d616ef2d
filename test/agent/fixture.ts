// A turn for tests: the scripted model, a log in memory, and tiny tools that do what a test says.
import type { TurnEvent } from "../../src/agent/event.ts";
import type { Hands, Recovery, TurnKit } from "../../src/agent/kit.ts";
import { turn } from "../../src/agent/turn.ts";
import { ok } from "../../src/base/failure.ts";
import { buildRequest } from "../../src/context/build.ts";
import { scriptedModel } from "../../src/model/scripted.ts";
import type { ScriptStep, ScriptTurn } from "../../src/model/script.ts";
import type { Touch } from "../../src/policy/touch.ts";
import type { Verdict } from "../../src/policy/verdict.ts";
import type { KnownEvent } from "../../src/session/event.ts";
import { memoryLog } from "../../src/session/log.ts";
import type { Kit, Output, Tool } from "../../src/tools/tool.ts";
import { collect } from "../support/collect.ts";
import { toolKit } from "../support/tool-kit.ts";

export const ALLOWED: Verdict = { kind: "allow", by: "mode", because: "a test" };
export const YES = () => Promise.resolve({ kind: "once" } as const);

/** A verdict that asks about a write to `path`. */
export function question(path = "/w/a.txt", floor = false): Verdict {
  const touch = { kind: "write", path } as const;
  return { kind: "ask", question: { touch, because: "it writes", offer: `write(${path})`, floor } };
}

export function output(text: string): Output {
  return { parts: [{ type: "text", text }], isError: false, summary: text };
}

/** `run` gives the text of the result. */
export function tool(
  name: string,
  touch: Touch["kind"] & ("read" | "write"),
  run: (input: unknown, kit: Kit) => string | Promise<string>,
): Tool {
  return {
    name,
    summary: name,
    parameters: {},
    tier: "cold",
    prepare: (input) =>
      ok({
        touches: [{ kind: touch, path: `/w/${JSON.stringify(input)}` }],
        title: `${name} it`,
        run: async (kit) => ok(output(await run(input, kit))),
      }),
  };
}

export function call(name: string, id: string, args: Record<string, unknown> | string = {}) {
  return { tool: name, id, args } satisfies ScriptStep;
}

export const DONE: ScriptTurn = { steps: [{ text: "done" }] };

export function turnKit(
  turns: ScriptTurn[],
  tools: Tool[] = [],
  changes: Partial<TurnKit & Hands> = {},
) {
  const model = scriptedModel(turns);
  const log = changes.log ?? memoryLog();
  const stop = new AbortController();
  const recipe = {
    model: "m",
    system: ["Be brief."],
    tools: [],
    effort: null,
    maxOutputTokens: null,
    temperature: null,
    cacheKey: null,
  };
  const hands: Hands = {
    toolKit: changes.toolKit ?? ((signal, live) => toolKit("/", { signal, live })),
    judge: changes.judge ?? (() => ALLOWED),
    grant: changes.grant ?? (() => undefined),
  };
  const kit: TurnKit = {
    model,
    log,
    request: () => buildRequest(log.events(), recipe),
    tool: (name) => tools.find((each) => each.name === name) ?? null,
    toolNames: tools.map(({ name }) => name),
    hands: () => Promise.resolve(hands),
    confirm: YES,
    inbox: { take: () => [] },
    news: () => [],
    signal: stop.signal,
    limits: { maxRounds: 50, maxCostUsd: null, deadline: null },
    mode: "standard",
    price: () => Promise.resolve(null),
    now: () => 0,
    recovery: () => Promise.resolve(recovery()),
    ...changes,
  };
  return { kit, model, log, stop };
}

/** Gives up at once, unless `changes` say otherwise. */
export function recovery(changes: Partial<Recovery> = {}): Recovery {
  return {
    limits: { budgetMs: 0, tries: 0, baseMs: 0 },
    pause: () => Promise.resolve(),
    random: () => 0.5,
    date: () => 0,
    quarantine: () => undefined,
    turnError: () => Promise.resolve(null),
    fallback: () => Promise.resolve(null),
    ...changes,
  };
}

export function ask(kit: TurnKit, prompt = "Hi"): Promise<TurnEvent[]> {
  return collect(turn([{ type: "text", text: prompt }], kit));
}

export function storedOf(events: readonly TurnEvent[]): KnownEvent[] {
  return events.flatMap((event) => (event.kind === "stored" ? [event.event] : []));
}

export function endOf(events: readonly TurnEvent[]) {
  const last = events.at(-1);
  return last?.kind === "end" ? last.end : null;
}

/** The stored results as `id: text`. */
export function results(events: readonly TurnEvent[]): string[] {
  return storedOf(events).flatMap((event) =>
    event.type === "message.tool"
      ? [
          `${event.data.toolCallId}: ${event.data.content.map((part) => ("text" in part ? part.text : "")).join()}`,
        ]
      : [],
  );
}

export function decisions(events: readonly TurnEvent[]) {
  return storedOf(events).flatMap((event) =>
    event.type === "permission.decision" ? [event.data] : [],
  );
}

/** `parties` that each wait until all have come: proof that they overlap. */
export function meeting(parties: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let missing = parties;
  return () => {
    missing -= 1;
    if (missing === 0) all.resolve();
    return all.promise;
  };
}
