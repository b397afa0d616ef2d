// Two questions asked outside the chat's own screen, with clack: the name of a new session, and which one to resume.
import type { Choice } from "../app/place.ts";
import type { Terminal } from "../term/terminal.ts";

const MAX_NAME_CHARS = 100;
const MAX_LISTED = 200;

export type Listed = { id: string; name: string; lastActivity: string; firstPrompt: string };

/** A new session with a name, one line and not empty; null when the person would rather leave. */
export async function askName(terminal: Terminal): Promise<Choice | null> {
  return terminal.lend(async (lent) => {
    const { isCancel, text } = await import("@clack/prompts");
    const name = await text({ message: "Name of this session", validate: nameFault, ...lent });
    return isCancel(name) ? null : { kind: "new", name: name.trim() };
  });
}

export function nameFault(name: string | undefined): string | undefined {
  const trimmed = (name ?? "").trim();
  if (trimmed === "") return "A session needs a name: a few words that you will recognise later.";
  if (/\p{Cc}/u.test(trimmed)) return "The name has to be one line of text.";
  if (trimmed.length > MAX_NAME_CHARS) return `At most ${MAX_NAME_CHARS} characters.`;
  return undefined;
}

/** The session to resume; null when none was chosen. */
export async function askSession(
  terminal: Terminal,
  sessions: readonly Listed[],
): Promise<Choice | null> {
  const options = sessions.slice(0, MAX_LISTED).map((session) => ({
    value: session.id,
    label: session.name,
    hint: `${session.lastActivity.slice(0, 16).replace("T", " ")} · ${session.firstPrompt.slice(0, 60)}`,
  }));
  return terminal.lend(async (lent) => {
    const { isCancel, select } = await import("@clack/prompts");
    const chosen = await select({ message: "Go on with", options, maxItems: 10, ...lent });
    return isCancel(chosen) ? null : { kind: "resume", ref: chosen };
  });
}
