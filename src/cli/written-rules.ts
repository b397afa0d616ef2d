// The rules that settings and flags hold; what reads them is loaded only where there are any.
import { ok, type Result } from "../base/failure.ts";
import type { Rule } from "../policy/rules.ts";
import type { Written } from "./rules.ts";

export type RunRules = {
  rules: Rule[];
  /** Sentences about rules that can never hold. */
  warnings: string[];
};

/** Of the settings first, so that flags have the last word. */
export async function writtenRules(
  sources: readonly Written[],
  home: string,
): Promise<Result<RunRules>> {
  const isNone = sources.every(({ allow = [], ask = [], deny = [] }) =>
    [allow, ask, deny].every((list) => list.length === 0),
  );
  if (isNone) return ok({ rules: [], warnings: [] });
  const { rulesOf, unknownSubjects } = await import("./rules.ts");
  const rules = rulesOf(sources, home);
  return rules.ok ? ok({ rules: rules.value, warnings: unknownSubjects(rules.value) }) : rules;
}
