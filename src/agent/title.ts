// The one-line name of a stored call: the tool and the arguments that tell calls apart.
import type { ToolCall } from "../model/event.ts";

const MAX_CHARS = 200;
/** Arguments worth showing, in this order; others only when none of these is there. */
const TELLING = ["command", "pattern", "query", "url", "path", "file", "name", "agent", "prompt"];

export function titleOf(call: ToolCall): string {
  const values = tellingValues(call.arguments);
  return [call.name, ...values].join(" ").replaceAll(/\s+/g, " ").slice(0, MAX_CHARS);
}

function tellingValues(text: string): string[] {
  const values = strings(text);
  const told = TELLING.flatMap((name) => values.filter(([key]) => key === name));
  const shown = told.length > 0 ? told.slice(0, 2) : values.slice(0, 1);
  return shown.map(([, value]) => value);
}

/** One string argument in full. */
export function argument(call: ToolCall, name: string): string | null {
  return strings(call.arguments).find(([key]) => key === name)?.[1] ?? null;
}

/** The string arguments; none where the model's text is not an object. */
function strings(text: string): [string, string][] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return [];
    return Object.entries(parsed).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" && value !== "" ? [[key, value]] : [],
    );
  } catch {
    return [];
  }
}
