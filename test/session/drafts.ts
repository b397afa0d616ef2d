// Events for tests: the plain ones by a word each, and random ones that break every rule a log may break.
import type {
  Draft,
  EventData,
  SessionEvent,
  StoredAssistantPart,
} from "../../src/session/event.ts";
import type { Random } from "../support/random.ts";

type Status = EventData["message.assistant"]["status"];

export function user(text: string): Draft {
  return { type: "message.user", data: { content: [{ type: "text", text }], origin: "prompt" } };
}

export function say(text: string): Draft {
  return answer([{ type: "text", text }]);
}

export function call(id: string, input = "{}"): StoredAssistantPart {
  return { type: "tool_call", id, name: "bash", arguments: input };
}

export function answer(content: StoredAssistantPart[], status: Status = "complete"): Draft {
  return { type: "message.assistant", data: { content, status, stop: null } };
}

export function result(toolCallId: string, text: string): Draft {
  return {
    type: "message.tool",
    data: {
      toolCallId,
      name: "bash",
      content: [{ type: "text", text }],
      isError: false,
      tier: "hot",
      summary: "",
      durationMs: 1,
    },
  };
}

export function started(name: string, cwd: string): Draft {
  return {
    type: "session.started",
    data: {
      name,
      cwd,
      git: null,
      version: "0",
      provider: "demo",
      model: "m",
      mode: "standard",
      system: [],
      prefixHash: "",
    },
  };
}

const STATUSES: readonly Status[] = ["complete", "complete", "interrupted", "length", "error"];
/** Few, so that ids repeat within a reply, between replies and in results nobody asked for. */
const CALL_IDS = ["a", "b", "c", "d"];
const INPUTS = ["{}", '{"path":"a.ts"}', '{"path":"a.', ""];
const TEXTS = ["", "yes", "größer\u2028\ud83d\ude00", "two\nlines"];

export function randomDraft(random: Random): Draft {
  const kind = random.int(10);
  if (kind < 2) return user(random.pick(TEXTS));
  if (kind < 5) {
    const parts = Array.from({ length: random.int(5) }, () => randomPart(random));
    return answer(parts, random.pick(STATUSES));
  }
  if (kind < 9) return result(random.pick(CALL_IDS), random.pick(TEXTS));
  return { type: "session.renamed", data: { name: random.pick(TEXTS) } };
}

function randomPart(random: Random): StoredAssistantPart {
  if (random.chance(0.6)) return call(random.pick(CALL_IDS), random.pick(INPUTS));
  return { type: random.pick(["text", "reasoning"] as const), text: random.pick(TEXTS) };
}

/** Drafts as a log gives them out: numbered ids, each following the one before. */
export function chain(drafts: readonly Draft[]): SessionEvent[] {
  return drafts.map((draft, index) => ({
    v: 1,
    id: `e${index}`,
    parentId: index === 0 ? null : `e${index - 1}`,
    time: "2026-11-30T20:16:00.000Z",
    ...draft,
  }));
}
