// Puts streamed fragments of tool calls together: which call a fragment belongs to, and when its arguments are whole.
import type { ModelEvent, ToolCall } from "./event.ts";

/** A fragment as an adapter read it. An empty `id` or `name` is an absent one. */
export type CallDelta = {
  index: number | null;
  id: string;
  name: string;
  /** Text to append, or a value that is the arguments as a whole; undefined where the fragment has none. */
  arguments: unknown;
};

export type Assembler = {
  /** The live events of this fragment. */
  add(delta: CallDelta): ModelEvent[];
  /** The calls, whole, in the order they were opened. */
  finish(): ToolCall[];
};

type Open = {
  id: string;
  /** The provider has named it: `id` is not ours. */
  hasOwnId: boolean;
  name: string;
  arguments: string;
  /** Arguments that came before the name wait here for `call.begin`. */
  unsaid: string;
};

export function assembler(newId: () => string): Assembler {
  const calls: Open[] = [];
  const byId = new Map<string, Open>();
  const byIndex = new Map<number, Open>();
  let current: Open | null = null;

  const open = (id: string): Open => {
    const call = { id: id || newId(), hasOwnId: id !== "", name: "", arguments: "", unsaid: "" };
    calls.push(call);
    return call;
  };
  const find = (delta: CallDelta): Open => {
    const atIndex = delta.index === null ? null : (byIndex.get(delta.index) ?? null);
    if (delta.id === "") return ownerWithoutId(delta, atIndex, current) ?? open("");
    const known = byId.get(delta.id);
    if (known) return known;
    // An id that comes late names the call it continues; otherwise it opens a new one, on a used index too.
    if (atIndex && !atIndex.hasOwnId && (delta.name === "" || atIndex.name === "")) return atIndex;
    return open(delta.id);
  };

  return {
    add(delta) {
      if (isEmpty(delta)) return [];
      const call = find(delta);
      if (delta.id !== "") {
        byId.set(delta.id, call);
        // Once the screen knows a call by our id it keeps it.
        if (!call.hasOwnId && call.name === "") call.id = delta.id;
        call.hasOwnId = true;
      }
      if (delta.index !== null) byIndex.set(delta.index, call);
      current = call;
      return take(call, delta);
    },
    finish: () =>
      calls
        .filter((call) => call.name !== "" || call.arguments !== "" || call.hasOwnId)
        .map((call) => ({
          id: call.id,
          name: call.name,
          arguments: call.arguments.trim() === "" ? "{}" : call.arguments,
        })),
  };
}

function isEmpty(delta: CallDelta): boolean {
  const nothing =
    delta.arguments === undefined || delta.arguments === null || delta.arguments === "";
  return delta.id === "" && delta.name === "" && nothing;
}

/** The call that a fragment without an id goes on with; null where it starts one. */
function ownerWithoutId(delta: CallDelta, atIndex: Open | null, current: Open | null): Open | null {
  const candidate = atIndex ?? current;
  if (candidate === null) return null;
  if (delta.name !== "") {
    if (delta.index !== null && atIndex === null) return null;
    return startsAnother(candidate, delta) ? null : candidate;
  }
  // An unused index without a name: the tail of the current call under a wrong index, unless that is complete.
  if (delta.index !== null && atIndex === null && isComplete(candidate.arguments)) return null;
  return candidate;
}

/** Servers that number every call 0, or none, begin the next one with its name; others repeat the name in each fragment. */
function startsAnother(call: Open, delta: CallDelta): boolean {
  if (call.name === "") return false;
  if (call.name !== delta.name) return true;
  return isComplete(call.arguments) && !isRepetition(call, delta.arguments);
}

function take(call: Open, delta: CallDelta): ModelEvent[] {
  const events: ModelEvent[] = [];
  const begins = call.name === "" && delta.name !== "";
  if (begins) {
    call.name = delta.name;
    events.push({ type: "call.begin", id: call.id, name: call.name });
  }
  call.unsaid += appended(call, delta.arguments);
  if (call.name !== "" && call.unsaid !== "") {
    events.push({ type: "call.delta", id: call.id, delta: call.unsaid });
    call.unsaid = "";
  }
  return events;
}

/** Adds the fragment to the call's arguments; the text that is new to the screen. */
function appended(call: Open, value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (isRepetition(call, value)) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // `{}` first and the real arguments after it: the empty object was a placeholder.
  const replaces = typeof value !== "string" || (call.arguments === "{}" && text.startsWith("{"));
  call.arguments = replaces ? text : call.arguments + text;
  return text;
}

/** Some servers close a call by sending its arguments once more, whole. */
function isRepetition(call: Open, value: unknown): boolean {
  if (call.arguments === "" || value === undefined || value === null) return false;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length === call.arguments.length && text === call.arguments) return isComplete(text);
  return false;
}

function isComplete(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}
