// The policy of one open session: its rules, what the person granted so far, and the folders it works in.
import { realPath } from "../host/paths.ts";
import { isSecret } from "../policy/paths.ts";
import type { Touch } from "../policy/touch.ts";
import { parseRule, type Rule } from "../policy/rules.ts";
import { decide, type Verdict } from "../policy/verdict.ts";
import type { Opening } from "./opening.ts";
import type { OpenRecord } from "./record.ts";

export type Guard = {
  judge: (tool: string, touches: readonly Touch[]) => Verdict;
  grant: (rule: string) => void;
  /** For a file that a search comes across. */
  mayRead: (path: string) => boolean;
};

/** Grants of a resumed session hold again: they are in its log. */
export function guardOf(opening: Opening, root: string, { log, mode }: OpenRecord): Guard {
  const grants: Rule[] = [];
  const grant = (text: string): void => {
    const rule = parseRule("allow", text);
    if (rule.ok) grants.push(rule.value);
  };
  for (const event of log.events()) {
    if (event.type === "permission.decision" && event.data.grant !== undefined)
      grant(event.data.grant);
  }
  const workspace = [root, ...opening.addDirs].map(real);
  const { rules } = opening;
  const judge: Guard["judge"] = (tool, touches) =>
    decide(tool, touches, { mode, rules, grants, workspace, real });
  // Without deny rules the name alone tells, and a search of many files need not resolve each one's links.
  const isDenied = rules.some(({ decision }) => decision === "deny")
    ? (path: string) => judge("read", [{ kind: "read", path }]).kind === "deny"
    : () => false;
  return { judge, grant, mayRead: (path) => !isSecret(path) && !isDenied(path) };
}

/** A path that leads in circles has no real place: it is judged as written, and opening it will fail. */
function real(path: string): string {
  const found = realPath(path);
  return found.ok ? found.value : path;
}
