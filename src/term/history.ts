// Prompt history: Up and Down walk through older texts, and the draft waits at the end.

export type History = {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** The entry on show; null while the draft is. */
  readonly at: number | null;
  readonly draft: string;
};

export const HISTORY: History = { entries: [], at: null, draft: "" };

const MAX_ENTRIES = 1000;

/** With `text` as the newest entry, unless it repeats the last one. */
export function remember(history: History, text: string): History {
  const isNew = text.trim() !== "" && history.entries.at(-1) !== text;
  const entries = isNew ? [...history.entries, text].slice(-MAX_ENTRIES) : history.entries;
  return { entries, at: null, draft: "" };
}

/** One entry back; `current` is kept as the draft when the walk begins there. Null at the oldest. */
export function older(
  history: History,
  current: string,
): { history: History; text: string } | null {
  const at = (history.at ?? history.entries.length) - 1;
  const text = history.entries[at];
  if (text === undefined) return null;
  const draft = history.at === null ? current : history.draft;
  return { history: { ...history, at, draft }, text };
}

/** One entry forward, at last the draft. Null while the draft is on show. */
export function newer(history: History): { history: History; text: string } | null {
  if (history.at === null) return null;
  const at = history.at + 1;
  const text = history.entries[at];
  if (text === undefined) return { history: { ...history, at: null }, text: history.draft };
  return { history: { ...history, at }, text };
}
