// Two questions asked outside the chat's own screen, with clack: the name of a new session, and which one to resume.

const MAX_NAME_CHARS = 100;
const MAX_LISTED = 200;

export type Listed = { id: string; name: string; lastActivity: string; firstPrompt: string };

/** The name, one line and not empty; null when the person would rather leave. */
export async function askName(): Promise<string | null> {
  const { isCancel, text } = await import("@clack/prompts");
  const name = await text({ message: "Name of this session", validate: nameFault });
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
  const chosen = await select({ message: "Go on with", options, maxItems: 10 });
  return isCancel(chosen) ? null : chosen;
}
