// The rules of a run, from settings and flags: tools by any of their names, `~` as the home folder.
import { invalid, ok, sentence, type Result } from "../base/failure.ts";
import { nearest } from "../base/nearest.ts";
import { literalPattern, parseRule, type Decision, type Rule } from "../policy/rules.ts";
import { toolNamed, toolNames } from "../tools/registry.ts";

const DECISIONS = ["allow", "ask", "deny"] as const satisfies Decision[];

export type Written = { readonly [decision in Decision]?: readonly string[] | undefined } & {
  /** `FILE:12: ` of a rule that was read from a file. */
  readonly placeOf?: (text: string) => string;
};

export function rulesOf(sources: readonly Written[], home: string): Result<Rule[]> {
  const written = sources.flatMap((source) =>
    DECISIONS.flatMap((decision) =>
      (source[decision] ?? []).map((text) => ({ decision, text, placeOf: source.placeOf })),
    ),
  );
  const rules: Rule[] = [];
  for (const { decision, text, placeOf } of written) {
    const rule = parseRule(decision, ruleText(text, home));
    if (!rule.ok) return invalid(`${placeOf?.(text) ?? ""}${sentence(rule.failure)}`);
    rules.push(rule.value);
  }
  return ok(rules);
}

/** With the tool's own name where it was written as calls may write it, and the home folder for `~`. */
function ruleText(text: string, home: string): string {
  return text
    .trim()
    .replace(/^[\w.:/-]+(?=\(|$)/, (name) => toolNamed(name)?.name ?? name)
    .replace(/\(~(?=[/)])/, () => `(${literalPattern(home.replace(/\/$/, ""))}`);
}

const GROUPS = ["read", "write", "all", "*"];

/** A rule that names no tool never holds: whoever mistyped it must hear of that. */
export function unknownSubjects(rules: readonly Rule[]): string[] {
  const known = [...toolNames(), ...GROUPS];
  return rules
    .filter(({ subject }) => !known.includes(subject) && !/^(?:mcp|plugin):/.test(subject))
    .map(({ decision, text, subject }) => {
      const close = nearest(subject, known);
      const hint = close === null ? "" : `; did you mean ${close}?`;
      return `the ${decision} rule ${text} names no tool that is known${hint}`;
    });
}
