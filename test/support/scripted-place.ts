// A place that plays scripted turns: the real interface, an event list in memory, no model and no disk.
import type { TurnEnd, TurnEvent } from "../../src/agent/event.ts";
import type { Ask } from "../../src/agent/confirm.ts";
import type { Asking, Place } from "../../src/app/place.ts";
import type { Draft, KnownEvent } from "../../src/session/event.ts";
import { totals } from "../../src/session/usage.ts";

/** What a script does besides yielding events. */
export type Stage = {
  prompt: string;
  asking: Asking;
  store(draft: Draft): TurnEvent;
};
export type Script = (stage: Stage) => AsyncGenerator<TurnEvent, TurnEnd>;

export function scriptedPlace(
  name: string,
  script: Script,
  before: readonly KnownEvent[] = [],
): Place {
  const events: KnownEvent[] = [...before];
  const store = (draft: Draft): TurnEvent => {
    const event = eventOf(draft, events.length);
    events.push(event);
    return { kind: "stored", event };
  };
  return {
    cwd: "/home/me/project",
    branch: "main",
    model: { provider: "scripted", id: "model-1", auth: "no key" },
    mode: "standard",
    session: () => ({ id: `id-${name}`, name, path: `/sessions/${name}.jsonl` }),
    events: () => events,
    totals: () => totals(events),
    contextFiles: ["AGENTS.md"],
    notices: [],
    preconnect: () => undefined,
    async *ask(prompt, asking) {
      const content = [{ type: "text" as const, text: prompt }];
      yield store({ type: "message.user", data: { content, origin: "prompt" } });
      const end = yield* script({ prompt, asking, store });
      const reason = end.status === "error" ? end.message : "";
      const data = { status: end.status, reason, rounds: 1, toolCalls: 0 };
      yield store({ type: "session.ended", data });
      yield { kind: "end", end };
    },
    close: () => Promise.resolve(),
  };
}

/** An event as the log would give it, with ids and times that tests can foresee. */
export function eventOf(draft: Draft, index: number): KnownEvent {
  const parentId = index === 0 ? null : `e${index - 1}`;
  return { v: 1, id: `e${index}`, parentId, time: "2026-01-01T00:00:00.000Z", ...draft };
}

export function reply(text: string): Draft {
  return {
    type: "message.assistant",
    data: { content: [{ type: "text", text }], status: "complete", stop: "end" },
  };
}

export function usage(input: number, output: number): Draft {
  const tokens = { input, cacheRead: 0, cacheWrite: 0, output, reasoning: 0, costUsd: null };
  return { type: "model.usage", data: { usage: tokens, costUsd: 0.0123, model: "model-1" } };
}

/** A permission question about a command. */
export function askAbout(command: string, preview: string | null = null): Ask {
  return {
    call: { id: "call-1", name: "bash", arguments: JSON.stringify({ command }) },
    title: `bash ${command}`,
    question: {
      touch: { kind: "run", command, cwd: "/home/me/project" },
      because: "running a command in mode standard",
      offer: `bash(${command})`,
      floor: false,
    },
    preview,
  };
}
