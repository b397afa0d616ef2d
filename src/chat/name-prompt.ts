// Two questions asked outside the chat's own screen, with clack: the name of a new session, and which one to resume.
import { onEndOfInput } from "../term/terminal.ts";

const MAX_NAME_CHARS = 100;
const MAX_LISTED = 200;

export type Listed = { id: string; name: string; lastActivity: string; firstPrompt: string };

/** The name, one line and not empty; null when the person would rather leave. */
export async function askName(): Promise<string | null> {
  const { isCancel, text } = await import("@clack/prompts");
  const name = await cancellable((signal) =>
    text({ message: "Name of this session", validate: nameFault, signal }),
  );
  return isCancel(name) ? null : name.trim();
}

export function nameFault(name: string | undefined): string | undefined {
  const trimmed = (name ?? "").trim();
  if (trimmed === "") return "A session needs a name: a few words that you will recognise later.";
  if (/\p{Cc}/u.test(trimmed)) return "The name has to be one line of text.";
  if (trimmed.length > MAX_NAME_CHARS) return `At most ${MAX_NAME_CHARS} characters.`;
  return undefined;
}

/** The id of the chosen session; null when none was chosen. */
export async function askSession(sessions: readonly Listed[]): Promise<string | null> {
  const { isCancel, select } = await import("@clack/prompts");
  const options = sessions.slice(0, MAX_LISTED).map((session) => ({
    value: session.id,
    label: session.name,
    hint: `${session.lastActivity.slice(0, 16).replace("T", " ")} · ${session.firstPrompt.slice(0, 60)}`,
  }));
  const chosen = await cancellable((signal) =>
    select({ message: "Go on with", options, maxItems: 10, signal }),
  );
  return isCancel(chosen) ? null : chosen;
}

/** clack knows Ctrl+C and Esc; Ctrl+D leaves as well. */
async function cancellable<T>(prompt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const unwatch = onEndOfInput(() => cancel.abort());
  try {
    return await prompt(cancel.signal);
  } finally {
    unwatch();
  }
}
