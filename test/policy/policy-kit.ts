// A policy for tests: a workspace /w, links as a table, rules as text.
import { parseRule, type Decision, type Rule } from "../../src/policy/rules.ts";
import type { Touch } from "../../src/policy/touch.ts";
import { decide, type Policy, type Verdict } from "../../src/policy/verdict.ts";
import type { Mode } from "../../src/base/modes.ts";

export type Wish = {
  mode?: Mode;
  allow?: string[];
  ask?: string[];
  deny?: string[];
  grants?: string[];
  workspace?: string[];
  links?: Record<string, string>;
};

export function rule(decision: Decision, text: string): Rule {
  const parsed = parseRule(decision, text);
  if (!parsed.ok) throw new Error(`the rule ${text} cannot be read`);
  return parsed.value;
}

export function policy(wish: Wish = {}): Policy {
  const { allow = [], ask = [], deny = [], grants = [], links = {} } = wish;
  return {
    mode: wish.mode ?? "standard",
    rules: [
      ...allow.map((text) => rule("allow", text)),
      ...ask.map((text) => rule("ask", text)),
      ...deny.map((text) => rule("deny", text)),
    ],
    grants: grants.map((text) => rule("allow", text)),
    workspace: wish.workspace ?? ["/w"],
    real: (path) => links[path] ?? path,
  };
}

export const run = (command: string): Touch => ({ kind: "run", command, cwd: "/w" });
export const read = (path: string): Touch => ({ kind: "read", path });
export const write = (path: string): Touch => ({ kind: "write", path });

export function judgeRun(command: string, wish: Wish = {}): Verdict {
  return decide("bash", [run(command)], policy(wish));
}

/** `allow`, `ask`, `floor` (a question that only a rule by name can answer), `deny`. */
export function outcome(verdict: Verdict): string {
  return verdict.kind === "ask" && verdict.question.floor ? "floor" : verdict.kind;
}
