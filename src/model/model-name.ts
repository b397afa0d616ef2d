// A model as people write it: `[PROVIDER/]ID[:EFFORT]`.
import type { Effort } from "./request.ts";

export const EFFORTS = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const satisfies Effort[];

export type ModelName = { provider: string | null; id: string; effort: Effort | null };

/** As people write it; a provider of a single model is its name. */
export function modelLabel({ provider, id }: { provider: string; id: string }): string {
  return provider === id ? id : `${provider}/${id}`;
}

/** The first part counts as the provider only where it names one, since ids hold slashes too. */
export function parseModelName(text: string, isProvider: (name: string) => boolean): ModelName {
  // A script is one model, and its path holds slashes and colons of its own.
  if (text.startsWith("script:")) return { provider: text, id: text, effort: null };
  const effort = EFFORTS.find((each) => text.endsWith(`:${each}`)) ?? null;
  const rest = effort === null ? text : text.slice(0, -effort.length - 1);
  const at = rest.indexOf("/");
  const first = rest.slice(0, Math.max(at, 0));
  if (at > 0 && isProvider(first)) return { provider: first, id: rest.slice(at + 1), effort };
  return { provider: null, id: rest, effort };
}
